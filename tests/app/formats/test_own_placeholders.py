"""User-defined placeholders are tags in every format, and are written unchanged."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.reading_choices import MAX_PATTERNS, ReadingChoices
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.base.own_placeholders import OwnPlaceholders, PatternError
from anaphora.formats.base.placeholders import presets
from anaphora.formats.registry import fill, read_bytes

CHOICES = ReadingChoices(placeholders=(r"@@\w+@@", "第.号&件"))
GOLDEN = Path(__file__).parents[2] / "golden"
FILES = {
    "a.txt": "打开@@文件@@吧。关上门。\n",
    "a.md": "打开@@文件@@吧。**关上**门。\n",
    "a.html": "<p>打开@@文件@@吧。<b>关上</b>门。</p>",
    "a.srt": "1\n00:00:01,000 --> 00:00:02,000\n打开@@文件@@吧。\n",
    "a.json": '{"a": "打开@@文件@@吧。"}',
    "a.properties": "a=打开@@文件@@吧。\n",
    "strings.xml": '<resources><string name="a">打开@@文件@@吧。</string></resources>',
    "a.csv": "id,zh,en\n1,打开@@文件@@吧。,\n",
    "a.po": 'msgid ""\nmsgstr "Language: en\\n"\n\nmsgid "打开@@文件@@吧。"\nmsgstr ""\n',
    "a.xliff": '<xliff version="1.2"><file original="a" source-language="zh" target-language="en"><body>'
    '<trans-unit id="1"><source>打开@@文件@@吧。</source></trans-unit></body></file></xliff>',
}  # fmt: skip


def written(document: SourceDocument, targets: dict[str, str]) -> str:
    segments = [
        each.with_state(SegmentState(targets[each.source], Status.EDITED)) if each.source in targets else each
        for each in document.segments
    ]
    reading = ReadOptions("", document.encoding, document.choices)
    return fill(document.data, document.format, segments, reading).decode()


@pytest.mark.parametrize("name", FILES)
def test_placeholders_are_tags_in_every_format(name: str) -> None:
    document = read_bytes(FILES[name].encode(), name, choices=CHOICES)
    assert document.segments[0].source == "打开{1/}吧。"
    assert document.segments[0].tags == (("{1/}", "@@文件@@"),)
    assert written(document, {}) == FILES[name]
    done = written(document, {"打开{1/}吧。": "Open {1/}."})
    assert "Open @@文件@@." in done
    if name[-4:] in (".txt", "html"):
        assert "关上" in done


def test_placeholders_are_kept_in_docx() -> None:
    data = (GOLDEN / "docx" / "privacy.docx").read_bytes()
    plain = read_bytes(data, "a.docx")
    document = read_bytes(data, "a.docx", choices=ReadingChoices(placeholders=("信息",)))
    found = next(each for each in document.segments if [label for _, label in each.tags] == ["信息"])
    assert len(document.segments) == len(plain.segments)
    done = SegmentState("About {1/}", Status.EDITED)
    segments = [each.with_state(done) if each == found else each for each in document.segments]
    filled = fill(data, "docx", segments, ReadOptions("", "", document.choices))
    assert any("About 信息" in each.source for each in read_bytes(filled, "a.docx").segments)


@pytest.mark.parametrize("pattern", ["(", "[a", "(?P<a", "a{99999999999}", "x" * 401])
def test_invalid_patterns_are_refused_with_a_message(pattern: str) -> None:
    with pytest.raises(PatternError) as refused:
        OwnPlaceholders((pattern,))
    assert str(refused.value)
    with pytest.raises(PatternError):
        OwnPlaceholders(("a",) * (MAX_PATTERNS + 1))


def test_slow_patterns_are_stopped() -> None:
    own = OwnPlaceholders((r"(?:a|aa)+$",), seconds=0.3)
    begun = time.monotonic()
    with pytest.raises(PatternError) as refused:
        own.spans("a" * 20_000 + "b")
    assert "takes too long" in str(refused.value)
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("printf", "有 %1$s 和 %(a)s", ["%1$s", "%(a)s"]),
        ("ICU", "{0} 与 {n, number}", ["{0}", "{n, number}"]),
        ("Jinja", "{{ x }} 与 {% if n > 1 %}", ["{{ x }}", "{% if n > 1 %}"]),
        ("Vue", "看 @:a.b 与 $t(k)", ["@:a.b", "$t(k)"]),
        ("Hugo", '{{< ref "a" >}}', ['{{< ref "a" >}}']),
        ("Android", '<xliff:g id="x">%1$s</xliff:g>', ['<xliff:g id="x">', "%1$s", "</xliff:g>"]),
        ("Qt", "第 %1 个，%L2，%n", ["%1", "%L2", "%n"]),
        ("ERB", "<%= a %> ${b}", ["<%= a %>", "${b}"]),
    ],
)
def test_presets_match_what_their_names_promise(name: str, text: str, found: list[str]) -> None:
    pattern = next(pattern for label, pattern in presets() if label.startswith(name))
    assert [text[slice(*span)] for span in OwnPlaceholders((pattern,)).spans(text)] == found


def test_placeholders_in_targets_are_found_between_tags() -> None:
    unit = (
        '<xliff version="1.2"><file original="a" source-language="en" target-language="de"><body>'
        '<trans-unit id="1"><source>from 2 to 1 or 12 <g id="1">here</g></source>'
        '<target>von 2 bis 1 oder 12 <g id="1">hier</g></target></trans-unit></body></file></xliff>'
    )
    document = read_bytes(unit.encode(), "a.xliff", choices=ReadingChoices(placeholders=(r"\d+",)))
    (segment,) = document.segments
    assert segment.source == "from {2/} to {3/} or {4/} {1}here{/1}"
    assert segment.target == segment.file_target == "von {2/} bis {3/} oder {4/} {1}hier{/1}"
    assert written(document, {}) == unit


@pytest.mark.parametrize(
    "text",
    [
        "这本书卖 $5，那本卖 {5} 元。",
        "样式是 h1 { color: red; }，正文是 body{margin:0}。",
        r"公式 \frac{a}{b} 与 x^{2} 相等，集合是 {x | x > 0}。",
        "<张三> 你来吗？ <李四> 不来，a < b 且 c > d。",
        "他说{好的}，然后{走了}。",
        "第{#1}名，占{%5}，{else 不然}再说。",
        "title = {{基于注意力的神经机器翻译}}, 题目在此",
        "他写道：{{这是一句完整的话，应该翻译。}}",
        "请填：${请在这里写上你的名字}、#{好的，谢谢}",
        "甲 <%这是说明，不是代码%> 乙 <?这也是说明，不是代码?> 丙",
        "<@Tom 你好，你今天来吗？ 我算过，3 > 2",
    ],
)
def test_braces_of_an_ordinary_sentence_are_text(text: str) -> None:
    (segment,) = read_bytes(text.encode(), "a.txt").segments[:1]
    assert not segment.tags and segment.source in text
