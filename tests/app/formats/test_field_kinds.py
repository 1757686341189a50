"""Regression tests with small inputs: lost content, code read as text, wrong counts."""

from __future__ import annotations

import json

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.registry import fill, read_bytes


def read(text: str, name: str) -> SourceDocument:
    return read_bytes(text.encode(), name)


def sources(document: SourceDocument) -> list[str]:
    return [segment.source for segment in document.segments]


def translate(text: str, name: str, *targets: str) -> str:
    document = read(text, name)
    segments = [
        segment.with_state(SegmentState(target, Status.CONFIRMED))
        for segment, target in zip(document.segments, targets, strict=True)
    ]
    return fill(document.data, document.format, segments, ReadOptions("", document.encoding)).decode()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("k=有{0,choice,0#没有|1#一条|1<{0}条}消息\n", "a.properties"),
        ('{"k":"有{0,choice,0#没有|1#一条|1<{0}条}消息"}', "a.json"),
    ],
)
def test_java_choice_branches_are_read_and_limits_stay(text: str, name: str) -> None:
    assert sources(read(text, name)) == ["有{2/}消息", "没有", "一条", "{1/}条"]
    out = translate(text, name, "You have {2/} messages", "no", "one", "{1/}")
    assert "You have {0,choice,0#no|1#one|1<{0}} messages" in out


def test_line_breaks_in_a_field_for_several_lines_stay() -> None:
    text = "<textarea>第一行\n第二行</textarea><p>一\n二</p>"
    assert sources(read(text, "a.html")) == ["第一行\n第二行", "一二"]
    assert translate(text, "a.html", "One\ntwo", "Three") == "<textarea>One\ntwo</textarea><p>Three</p>"


@pytest.mark.parametrize(
    "text",
    [
        "<p>解<math alttext='二次方程'><mi>x</mi></math>。</p>",
        "<p>按<code title='提示'>x</code>。</p>",
        "<pre title='提示'>x</pre>",
    ],
)
def test_titles_of_untranslated_elements_are_read(text: str) -> None:
    document = read(text, "a.html")
    assert any("提示" in source or "二次方程" in source for source in sources(document))


@pytest.mark.parametrize(
    ("name", "unit", "source"),
    [
        (
            "a.sdlxliff",
            '<source>保留删除。</source><seg-source><mrk mtype="seg" mid="1">保留<mrk mtype="x-sdl-deleted">'
            '删除</mrk><mrk mtype="x-sdl-added">增</mrk>。</mrk></seg-source>',
            "保留增。",
        ),
        (
            "a.mqxliff",
            '<source>保留<mrk mtype="x-mq-tc" mq:tctype="del">删<ph id="1"/>除</mrk><mrk mtype="x-mq-tc"'
            ' mq:tctype="ins">增<bpt id="1"/></mrk>加<mrk mtype="x-mq-tc" mq:tctype="ins"><ept id="1"/></mrk>'
            "。</source>",
            "保留增{1}加{/1}。",
        ),
    ],
)
def test_tracked_changes_are_counted_as_read(name: str, unit: str, source: str) -> None:
    document = read(
        '<xliff version="1.2" xmlns:mq="MQXliff"><file original="a" source-language="zh"'
        f' target-language="en"><body><trans-unit id="1">{unit}</trans-unit></body></file></xliff>',
        name,
    )
    assert sources(document) == [source]


def test_escapes_of_programs_in_cells_are_tags_but_paths_are_not() -> None:
    text = "key\tzh\ten\na\t你好\\n世界\t\nb\t在C:\\new里\t\n"
    document = read(text, "a.tsv")
    assert sources(document) == ["你好{1/}世界", "在C:\\new里"]
    assert dict(document.segments[0].tags) == {"{1/}": "\\n"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.properties", "= 文\n: 字\n"),
        ("a.strings", '"" = "文";\n'),
        ("a.yml", "文\n"),
        ("a.resx", '<root><data name=""><value>文</value></data></root>'),
        ("strings.xml", '<resources><string name="">文</string></resources>'),
        ("a.stringsdict", "<plist><string>文</string></plist>"),
        (
            "a.xcstrings",
            '{"sourceLanguage":"zh","strings":{"":{"localizations":{"zh":{"stringUnit":{"value":"文"}}}}}}',
        ),
    ],
)
def test_texts_without_a_key_are_written(name: str, text: str) -> None:
    found = sources(read(text, name))
    targets = [f"Text{number}" for number, _ in enumerate(found)]
    written = translate(text, name, *targets)
    if name.endswith(".xcstrings"):
        added = json.loads(written)["strings"][""]["localizations"]["en"]
        assert [added["stringUnit"]["value"]] == targets
        return
    for source, target in zip(found, targets, strict=True):
        assert written.count(target) == 1
        written = written.replace(target, source)
    assert found and written == text, "each replaces its source, and nothing else changes"
