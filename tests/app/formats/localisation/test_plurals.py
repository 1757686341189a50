"""Plural forms that English needs but a Chinese file lacks are translated and added."""

from __future__ import annotations

import json
import plistlib

import pytest
import yaml
from lxml import etree

from anaphora.core.language_pair import LanguagePair
from anaphora.core.notes import NoteKind
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.registry import fill, read_bytes

PLIST = """<?xml version="1.0"?><plist version="1.0"><dict>
  <key>f</key>
  <dict>
    <key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
    <key>other</key>
    <string>%d 个文件</string>
  </dict>
</dict></plist>"""
PO = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"

msgid "%d 个文件"
msgid_plural "%d 个文件"
msgstr[0] ""
"""


def translated(name: str, text: str, targets: dict[str, str], pair: LanguagePair = LanguagePair()) -> str:
    """A file with translations, by the ends of the addresses."""
    document = read_bytes(text.encode(), name)
    segments = []
    for each in document.segments:
        found = [target for end, target in targets.items() if each.block.endswith(end)]
        segments.append(each.with_state(SegmentState(found[0], Status.CONFIRMED)) if found else each)
    reading = ReadOptions("", document.encoding)
    assert fill(text.encode(), document.format, document.segments, reading, pair).decode() == text
    return fill(text.encode(), document.format, segments, reading, pair, names_language=True).decode()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{\n  "files_other": "{{count}} 个文件",\n  "b": "好"\n}',
            '{\n  "files_other": "{{count}} files",\n  "files_one": "{{count}} file",\n  "b": "好"\n}',
        ),
        (
            '{"files": {"other": "{{count}} 个文件"}}',
            '{"files": {"other": "{{count}} files", "one": "{{count}} file"}}',
        ),
        (
            '{\r\n\t"files_zero": "没有",\r\n\t"files_other": "{{count}} 个文件"\r\n}',
            '{\r\n\t"files_zero": "没有",\r\n\t"files_other": "{{count}} files",\r\n'
            '\t"files_one": "{{count}} file"\r\n}',
        ),
    ],
)
def test_singular_form_is_added_after_plural_in_json(text: str, expected: str) -> None:
    assert translated("a.json", text, {"other": "{1/} files", "one": "{1/} file"}) == expected


def test_untranslated_form_is_not_written() -> None:
    text = '{"files_other": "{{count}} 个文件"}'
    assert translated("a.json", text, {"other": "{1/} files"}) == '{"files_other": "{{count}} files"}'


@pytest.mark.parametrize(
    "text",
    [
        '{"reason_other": "其他原因", "reason_price": "价格"}',
        '{"kind": {"other": "其他", "file": "文件"}}',
        '{"files_one": "一个文件", "files_other": "{{count}} 个文件"}',
        '{"files_other": "{{count}} files"}',
        '{"another": "另一个"}',
        '{"errors": {"other": "其他", "days": {"zero": "无"}}}',
    ],
)
def test_other_keys_and_plurals_with_their_singular_are_left_alone(text: str) -> None:
    blocks = [each.block for each in read_bytes(text.encode(), "a.json").segments]
    assert len(blocks) == text.count('": "')


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"files_other": "{{count}} 个文件"}'),
        ("a.json", '{"m": "{n, plural, other {# 个文件}}"}'),
        (
            "strings.xml",
            '<resources><plurals name="files"><item quantity="other">%d 个</item></plurals></resources>',
        ),
    ],
)
def test_language_without_plurals_gets_no_further_forms(name: str, text: str) -> None:
    found = translated(
        name, text, {"other": "ファイル", "one": "ファイル", "}": "ファイル"}, LanguagePair("zh", "ja")
    )
    assert "ファイル" in found and "one" not in found


def test_key_with_form_name_but_no_siblings_is_not_a_form() -> None:
    text = '{"files_": "{{count}} 个", "files_other": "{{count}} 个文件"}'
    found = json.loads(translated("a.json", text, {"files_one": "{1/} file"}))
    assert found == {**json.loads(text), "files_one": "{{count}} file"}


def test_ordinals_get_all_forms_of_english() -> None:
    targets = {"_one": "{1/}st", "_two": "{1/}nd", "_few": "{1/}rd", "_other": "{1/}th"}
    text = '{"place_ordinal_other": "第{{count}}名"}'
    assert json.loads(translated("a.json", text, targets)) == {
        f"place_ordinal{form}": target.replace("{1/}", "{{count}}") for form, target in targets.items()
    }


def test_yaml_keeps_its_layout() -> None:
    text = (
        'zh-CN:\n  files:\n    other: "%{count} 个文件"  # c\n    zero: 没有\n  x: { other: "甲 %{n}" }\n'
        "  list:\n  - other: 乙 %{n}\n    zero: 没\n"
        "  text:\n    other: |\n      丙 %{n}\n      丁\n  last: 好\n"
    )
    found = translated("a.yml", text, {"/other": "{1/} those", "/one": "{1/} that"})
    loaded = yaml.safe_load(found).popitem()[1]
    assert loaded["files"] == {"other": "%{count} those", "one": "%{count} that", "zero": "没有"}
    assert loaded["x"] == {"other": "%{n} those", "one": "%{n} that"}
    assert loaded["list"] == [{"other": "%{n} those", "one": "%{n} that", "zero": "没"}]
    assert loaded["text"] == {"other": "%{n} those\n", "one": "%{n} that\n"}
    assert '\n    other: "%{count} those"\n    one: "%{count} that"  # c\n' in found


def test_android_plural_gets_another_item() -> None:
    text = (
        '<resources>\n    <plurals name="files">\n        <item quantity="other">%d 个文件</item>\n'
        '    </plurals>\n    <string name="reason_other">其他</string>\n</resources>'
    )
    assert len(read_bytes(text.encode(), "strings.xml").segments) == 3
    found = translated("strings.xml", text, {"files/other": "{1/} files", "files/one": "{1/} file"})
    items = etree.fromstring(found.encode()).iter("item")
    assert {item.get("quantity"): item.text for item in items} == {"other": "%d files", "one": "%d file"}
    assert '</item>\n        <item quantity="one">' in found


def test_property_list_plural_gets_another_key() -> None:
    found = translated("a.stringsdict", PLIST, {"other": "{1/} files", "one": "{1/} file"})
    loaded = plistlib.loads(found.encode())["f"]
    assert (loaded["other"], loaded["one"]) == ("%d files", "%d file")
    assert found.count("NSStringPluralRuleType") == 1


@pytest.mark.parametrize("name", ["a.json", "a.properties", "strings.xml", "a.xliff"])
def test_icu_messages_get_a_branch(name: str) -> None:
    files = {
        "a.json": '{"m": "@"}',
        "a.properties": "m=@\n",
        "strings.xml": '<resources><string name="m">@</string></resources>',
        "a.xliff": '<xliff version="1.2"><file original="a" source-language="zh" target-language="en">'
        '<body><trans-unit id="1"><source>@</source></trans-unit></body></file></xliff>',
    }
    text = files[name].replace("@", "{n, plural, other {{name}的 # 个文件}}")
    document = read_bytes(text.encode(), name)
    notes = [note for each in document.segments for note in each.notes if note.kind is NoteKind.PLURAL_FORM]
    assert [note.text for note in notes] == ["other", "one"]
    targets = {}
    for segment in document.segments:
        first, second = segment.source.split(" ")[0][: -len("的")], segment.source.split(" ")[1]
        noun = "file" if segment.block.endswith("one}") else "files"
        targets[segment.block] = f"{second} {noun} of {first}"
    out = translated(name, text, targets)
    assert "{n, plural, other {# files of {name}} one {# file of {name}}}" in out


@pytest.mark.parametrize(
    ("target", "state"), [("# ファイル", "final"), ("# files", "needs-review-translation")]
)
def test_message_is_complete_without_unneeded_forms(target: str, state: str) -> None:
    text = (
        '<xliff version="1.2"><file original="a" source-language="zh" target-language="ja"><body>'
        '<trans-unit id="1"><source>{n, plural, other {# 个文件}}</source></trans-unit></body></file></xliff>'
    )
    source = read_bytes(text.encode(), "a.xliff").segments[0].source
    expected = target.replace("#", source.split(" ")[0])
    out = translated("a.xliff", text, {"other}": expected}, LanguagePair("zh", "ja"))
    assert f'<target state="{state}">{{n, plural, other {{{target}}}}}</target>' in out


def test_an_icu_message_has_ordinals_and_exact_numbers() -> None:
    forms = {
        "{n, selectordinal, other{第 # 名}}": ["other", "one", "two", "few"],
        "{n, plural, =1{一个文件} other{# 个文件}}": ["=1", "other"],
        "{n, plural, one{一个文件} other{# 个文件}}": ["one", "other"],
        "{n, plural, other{# files}}": ["other"],
        "{who, select, other{# 个文件}}": [],
    }
    for message, expected in forms.items():
        segments = read_bytes(json.dumps({"m": message}).encode(), "a.json").segments
        notes = [note for each in segments for note in each.notes if note.kind is NoteKind.PLURAL_FORM]
        assert [note.text for note in notes] == expected


@pytest.mark.parametrize("language", ["en", "pl", "ru", "uk"])
def test_no_form_of_gettext_is_dropped(language: str) -> None:
    words = {"en": ("file", "files"), "pl": ("plik", "pliki")}.get(language, ("файл", "файлы"))
    found = translated("a.po", PO, {"1.0": words[0], "1.1": words[1]}, LanguagePair("zh", language))
    assert "nplurals=2; plural=(n != 1);" in found and "nplurals=1" not in found
    assert 'msgstr[0] "{}"\nmsgstr[1] "{}"\n'.format(*words) in found


def test_gettext_keeps_one_form_of_a_language_without_plurals() -> None:
    found = translated("a.po", PO, {"1.0": "%d ファイル", "1.1": "%d ファイル"}, LanguagePair("zh", "ja"))
    assert "nplurals=1" in found and "msgstr[1]" not in found
    named = PO.replace('"Plural', '"Language: ja\\n"\n"Plural')
    assert len(read_bytes(named.encode(), "a.po").segments) == 1
