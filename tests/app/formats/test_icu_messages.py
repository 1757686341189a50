"""Branches of ICU plurals and selects are separate texts in every string format, and are joined again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pytest

from anaphora.core.notes import NoteKind
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.registry import fill, open_bytes, read_bytes

MARK = re.compile(r"\{\d+/\}")
PLURAL = "打开 {count, plural, one {# 个文件} other {# 个文件（{name}）}}。"
ENGLISH = "Open {count, plural, one {# file} other {# files ({name})}}."
TARGETS = {
    "打开 @。": "Open @.",
    "@ 个文件": "@ file",
    "@ 个文件（@）": "@ files (@)",
}
"""With "@" for any tag."""
FILES = {
    "a.properties": "open={}\n",
    "a.json": '{{"open": "{}"}}',
    "a.yml": 'open: "{}"\n',
    "strings.xml": '<resources><string name="open">{}</string></resources>',
    "a.resx": '<root><data name="open" xml:space="preserve"><value>{}</value></data></root>',
    "a.strings": '"open" = "{}";\n',
    "a.po": 'msgid ""\nmsgstr "Language: en\\n"\n\nmsgid "{}"\nmsgstr ""\n',
    "a.ts": '<!DOCTYPE TS><TS version="2.1" language="en"><context><name>A</name><message><source>{}</source>'
    '<translation type="unfinished"></translation></message></context></TS>',
    "a.xliff": '<xliff version="1.2"><file original="a" source-language="zh" target-language="en">'
    '<body><trans-unit id="1"><source>{}</source></trans-unit></body></file></xliff>',
    "b.xliff": '<xliff version="2.0" srcLang="zh" trgLang="en" xmlns="urn:oasis:names:tc:xliff:document:2.0">'
    '<file id="f"><unit id="1"><segment><source>{}</source></segment></unit></file></xliff>',
    "a.tmx": '<tmx version="1.4"><header srclang="zh" segtype="block"/><body><tu><tuv xml:lang="zh"><seg>{}'
    "</seg></tuv></tu></body></tmx>",
    "a.xcstrings": '{{"sourceLanguage": "zh", "strings": {{"{}": {{}}}}, "version": "1.0"}}',
    "a.csv": 'id,zh,en\n1,"{}",\n',
    "a.arb": '{{"@@locale": "zh", "open": "{}"}}',
    "a.srt": "1\n00:00:01,000 --> 00:00:02,000\n{}\n",
}  # fmt: skip


def filled(data: bytes, name: str, states: Mapping[str, SegmentState], first: str = "zh") -> bytes:
    document = read_bytes(data, name)
    segments = [each.with_state(states.get(each.source, each.state)) for each in document.segments]
    return fill(data, document.format, segments, ReadOptions(first, document.encoding))


def in_english(segment: Segment) -> SegmentState:
    """A pseudo-translation with the source's tags in order."""
    marks = iter(MARK.findall(segment.source))
    target = TARGETS.get(MARK.sub("@", segment.source), "")
    return SegmentState(re.sub("@", lambda _: next(marks), target), Status.EDITED)


def edited(targets: Mapping[str, str]) -> dict[str, SegmentState]:
    return {source: SegmentState(target, Status.EDITED) for source, target in targets.items()}


@pytest.mark.parametrize("name", FILES)
def test_branches_are_read_and_written_in_every_format(name: str) -> None:
    data = FILES[name].format(PLURAL).encode()
    segments = read_bytes(data, name).segments
    assert len(segments) == 3, [each.source for each in segments]
    assert {MARK.sub("@", each.source) for each in segments} == {*TARGETS}
    assert [each.notes[-1].text for each in segments[1:]] == ["one", "other"]
    written = filled(data, name, {each.source: in_english(each) for each in segments}).decode()
    assert ENGLISH in written
    assert filled(data, name, {}) == data


@pytest.mark.parametrize("name", FILES)
def test_a_branch_may_begin_with_its_argument(name: str) -> None:
    text = "共 {n, plural, =0{没有} one{一个} other{{n} 个文件}}，好。"
    data = FILES[name].format(text).encode()
    segments = read_bytes(data, name).segments
    assert [MARK.sub("@", each.source) for each in segments] == ["共 @，好。", "没有", "一个", "@ 个文件"]
    wanted = dict(
        zip((each.source for each in segments), ("In all {}.", "no", "one", "{} files"), strict=True)
    )
    targets = {source: target.format(*MARK.findall(source)) for source, target in wanted.items()}
    written = filled(data, name, edited(targets)).decode()
    assert "In all {n, plural, =0{no} one{one} other{{n} files}}." in written
    assert filled(data, name, {}) == data


@pytest.mark.parametrize("name", FILES)
def test_an_argument_may_branch_twice_in_a_text(name: str) -> None:
    text = "开 {n, plural, one {#份} other {#份（{a}）}}，关 {n, plural, one {#张} other {#张（{a}）}}。"
    data = FILES[name].format(text).encode()
    segments = read_bytes(data, name).segments
    assert len({each.id for each in segments}) == len({each.block for each in segments}) == 5
    targets = {each.source: each.source.replace("份", " a").replace("张", " b") for each in segments}
    wanted = text.replace("份", " a").replace("张", " b")
    # A catalogue may wrap long lines.
    written = filled(data, name, edited(targets)).decode().replace('"\n"', "")
    assert wanted.strip("。") in written.replace("(", "（").replace(")", "）").replace(", 关", "，关")
    assert filled(data, name, {}) == data


@pytest.mark.parametrize("name", FILES)
def test_repeated_case_is_two_texts(name: str) -> None:
    data = FILES[name].format("共 {n, plural, one {甲} one {乙} other {丙}}。").encode()
    segments = read_bytes(data, name).segments
    assert [each.source for each in segments[1:]] == ["甲", "乙", "丙"]
    assert len({each.id for each in segments}) == 4
    written = filled(data, name, edited({"甲": "A", "乙": "B", "丙": "C"})).decode()
    assert "{n, plural, one {A} one {B} other {C}}" in written


@pytest.mark.parametrize("name", FILES)
def test_branches_directly_after_a_brace_are_read(name: str) -> None:
    text = "共 {g, select, a {甲} other {{n, plural, =0 {} one {#个人} other {.乙}}}}。"
    data = FILES[name].format(text).encode()
    segments = read_bytes(data, name).segments
    assert [MARK.sub("@", each.source) for each in segments] == ["共 @。", "甲", "@个人", ".乙"]
    targets = {each.source: each.source.replace("个人", " men").replace("乙", "B") for each in segments}
    written = filled(data, name, edited(targets)).decode()
    assert "{g, select, a {甲} other {{n, plural, =0 {} one {# men} other {.B}}}}" in written


def test_branches_of_existing_target_are_read() -> None:
    russian = "{n, plural, one {# файл} few {# файла} many {# файлов} other {# файла}}"
    source = "{n, plural, one {# 个文件} other {# 个文件们}}"
    data = f'msgid ""\nmsgstr "Language: ru\\n"\n\nmsgid "{source}"\nmsgstr "{russian}"\n'.encode()
    segments = read_bytes(data, "a.po").segments
    assert [(each.notes[-1].text, each.target.split("} ")[-1]) for each in segments] == [
        ("one", "файл"),
        ("few", "файла"),
        ("many", "файлов"),
        ("other", "файла"),
    ]
    assert "们" not in segments[0].source and all("们" in each.source for each in segments[1:])
    one = [each.with_state(SegmentState(each.target + "!", Status.EDITED)) for each in segments[2:3]]
    assert (
        russian.replace("файлов", "файлов!") in fill(data, "po", [*segments[:2], *one, segments[3]]).decode()
    )
    assert fill(data, "po", segments) == data


def test_a_message_is_a_draft_until_each_branch_is_translated() -> None:
    data = FILES["a.po"].format(PLURAL).encode()
    segments = read_bytes(data, "a.po").segments
    written = filled(data, "a.po", {each.source: in_english(each) for each in segments[:2]}).decode()
    assert "#, fuzzy" in written
    assert "Open {count, plural, one {# file} other {# 个文件（{name}）}}." in written


def test_nested_selects_in_plurals_are_read() -> None:
    text = "{n, plural, other {{who, select, male {他有 # 个} other {他们有 # 个}}}}"
    segments = read_bytes(FILES["a.xliff"].format(text).encode(), "a.xliff").segments
    assert [each.source.partition("有")[0] for each in segments] == ["他", "他们"] * 2, "other and one"
    assert [note.text for note in segments[0].notes if note.kind is NoteKind.CONTEXT] == ["who = male"]


@pytest.mark.parametrize("name", FILES)
def test_message_with_wordless_branches_is_written(name: str) -> None:
    data = FILES[name].format("共 {n, plural, one {#} other {#}} 个").encode()
    (segment,) = read_bytes(data, name).segments
    target = segment.source.replace("共", "In all").replace(" 个", "")
    out = filled(data, name, edited({segment.source: target})).decode()
    assert "In all {n, plural, one {#} other {#}}" in out


def test_branches_with_file_markup_are_written() -> None:
    data = FILES["strings.xml"].format("{n, plural, other {# 个<b>文件</b>}}<i>好</i>").encode()
    around, branch, _ = read_bytes(data, "strings.xml").segments
    targets = {
        around.source: around.source.replace("好", "fine"),
        branch.source: branch.source.replace(" 个", " ").replace("文件", "files"),
    }
    out = filled(data, "strings.xml", edited(targets)).decode()
    assert ">{n, plural, other {# <b>files</b>}}<i>fine</i></string>" in out


def test_other_braces_are_not_changed() -> None:
    for text in ("{count, plural, one {没有结尾", "用 {a, plural} 写", "集合 {a, b, c}"):
        (segment,) = read_bytes(FILES["a.xliff"].format(text).encode(), "a.xliff").segments
        assert segment.source == text
    assert json.loads(filled(FILES["a.json"].format("一").encode(), "a.json", edited({"一": "A"}))) == {
        "open": "A"
    }


def test_target_with_endless_branches_is_not_a_message() -> None:
    source = f"{{n, plural, other {{{{m, plural, other {{words {'y' * 10_000}}}}}}}}}"
    inner = "{m, plural, " + " ".join(f"k{number} {{t}}" for number in range(60)) + "}"
    target = "{n, plural, " + " ".join(f"k{number} {{{inner}}}" for number in range(60)) + "}"
    unit = (
        '<xliff version="1.2"><file original="a" source-language="en" target-language="de"><body>'
        f'<trans-unit id="1"><source>{source}</source><target>{target}</target></trans-unit>'
        "</body></file></xliff>"
    ).encode()
    blocks = open_bytes(unit, "xliff", ReadOptions("en")).blocks
    assert [block.unit.source for block in blocks if block.unit is not None] == [source]
