"""Strings and cues in rare positions and spellings: none is left out, and none joins another."""

from __future__ import annotations

import pytest
from rendering import render

from anaphora.cli.pseudo_translation import pseudo_translation
from anaphora.core.segment import SegmentState, Status
from anaphora.features.checks.quality import check_segment
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.registry import fill, read_bytes

TS = '<!DOCTYPE TS><TS language="en"><context><name>C</name>{}</context></TS>'
EVENTS = (
    "[Script Info]\n[V4+ Styles]\n\ufeff[Events]\n"
    "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
)
LINE = "0,0:00:01.00,0:00:02.00,Default,,0,0,0,,"
FILES = {
    "strings.xml": (
        '<resources><item type="string" name="h">项</item><item type="id" name="i">号</item></resources>',
        ["项"],
    ),
    "a.resx": (
        '<root><data name="s" type="System.String, mscorlib"><value>字</value></data>'
        '<data name="b" type="System.Drawing.Bitmap, System.Drawing"><value>图</value></data></root>',
        ["字"],
    ),
    "a.ts": (TS.format("<message><source>开</source></message>"), ["开"]),
    "a.ass": (
        f"{EVENTS}\ufeffDialogue: {LINE}一\n\u200fDialogue : {LINE}二\nComment : {LINE}注\n",
        ["一", "二"],
    ),
    "numbers.srt": (
        "#1\n00:00:01,000 --> 00:00:02,000\n一\n\n2.\n00:00:02,000 --> 00:00:03,000\n二\n(3)\n\n"
        "(4)\n00:00:04,000 --> 00:00:05,000\n四\n",
        ["一", "二\n(3)", "四"],
    ),
    "times.srt": (
        "1\n-00:00:01,000 --> 00:00:02,000\n一\n\n2\n00;00;02,000 --> 00;00;03,000\n二\n\n"
        "3\n００：００：０３，０００ -- > ００：００：０４，０００\n三\n\n"
        "第四\n00:00:05,000 --> 00:00:06,000\n五\n",
        ["一", "二", "三\n\n第四", "五"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_each_string_is_read_counted_and_written(name: str) -> None:
    text, sources = FILES[name]
    document = read_bytes(text.encode(), name)
    assert [segment.source for segment in document.segments] == sources
    assert render(document.data, document.format, {}) == document.data
    segments = [
        each.with_state(SegmentState(pseudo_translation(each.source), Status.CONFIRMED))
        for each in document.segments
    ]
    data = fill(document.data, document.format, segments, ReadOptions("", document.encoding))
    again = read_bytes(data, name)
    wanted = [each.target.replace("\n\n", "\n") for each in segments]
    assert [each.target or each.source for each in again.segments] == wanted


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.strings", '"k" = "%@的%d个文件";', '"%2$d files for %1$@"'),
        ("a.stringsdict", "<plist><dict><key>k</key><string>%#@a@的%@</string></dict></plist>", "%1$#@a@<"),
        ("strings.xml", '<resources><string name="k"><g>%s</g>的%d</string></resources>', "<g>%1$s</g><"),
        ("a.xcstrings", '{"sourceLanguage":"zh","strings":{"%@的%lld个":{}}}', '"%2$lld files for %1$@"'),
        ("a.po", '#, c-format\nmsgid "%s的%d个文件"\nmsgstr ""\n', '"%2$d files for %1$s"'),
        ("a.po", '#, python-format\nmsgid "%s的%d个文件"\nmsgstr ""\n', '"%d files for %s"'),
        ("a.json", '{"k": "{}的{}个文件"}', '"{} files for {}"'),
    ],
)
def test_moved_arguments_get_numbers_or_are_reported(name: str, text: str, expected: str) -> None:
    document = read_bytes(text.encode(), name)
    moved = document.segments[0].with_state(SegmentState("{2/} files for {1/}", Status.CONFIRMED))
    assert bool(check_segment(moved)) is ("$" not in expected)
    data = fill(document.data, document.format, [moved], ReadOptions("", document.encoding))
    assert expected in data.decode()
    assert read_bytes(data, name).segments[0].target in ("", moved.target)


def test_a_message_of_qt_without_a_translation_gets_one() -> None:
    data = TS.format("<message><source>开</source></message>").encode()
    (segment,) = read_bytes(data, "a.ts").segments
    done = segment.with_state(SegmentState("Open", Status.EDITED))
    draft = segment.with_state(SegmentState("Open", Status.DRAFT))
    message = b"<message><source>\xe5\xbc\x80</source>%s</message>"
    assert message % b"<translation>Open</translation>" in fill(data, "qt", [done])
    assert message % b'<translation type="unfinished">Open</translation>' in fill(data, "qt", [draft])
