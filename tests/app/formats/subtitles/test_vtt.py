"""WebVTT: texts change; ids, times, settings, comments, styles and regions stay."""

from __future__ import annotations

import pytest
from rendering import render

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import read_bytes

FILE = """WEBVTT - 标题
Kind: captions

STYLE
::cue(.中文) { color: red }

REGION
id:fred
width:40%

NOTE 说话人
是老师

开场
00:01.000 --> 00:04.000 line:0 position:20% align:start
<v 老师>同学们，<c.loud>你们</c>好！

2
00:00:05.000 --> 00:00:09.000
- 老师<00:00:06.000>好 &amp; 再见，1 &lt; 2&nbsp;完
- 请<i>坐</i>

NOTE
TODO: 校对

100:00:10.000 --> 100:00:12.000
<v.first 小明>我来</v>

00:13.000 --> 00:14.000

3
00:15.000 --> 00:16.000
♪
"""
EMPTY = "WEBVTT\n\n00:01.000 --> 00:02.000\n"


def opened(text: str, end: str = "\n"):
    return read_bytes(text.replace("\n", end).encode(), "t.vtt")


def put(document, *targets: str) -> str:
    wanted = {segment.id: text for segment, text in zip(document.segments, targets, strict=True)}
    return render(document.data, "vtt", wanted).decode()


def test_only_cues_are_read() -> None:
    document = opened(FILE)
    assert [segment.source for segment in document.segments] == [
        "同学们，{1}你们{/1}好！",
        "- 老师{1/}好 & 再见，1 < 2\u00a0完\n- 请{2}坐{/2}",
        "我来",
    ]
    assert document.segments[0].notes == (
        Note(NoteKind.TIME, "00:01.000 → 00:04.000"),
        Note(NoteKind.SPEAKER, "老师"),
        Note(NoteKind.COMMENT, "说话人 是老师"),
    )
    assert document.segments[2].notes[1:] == (
        Note(NoteKind.SPEAKER, "小明"),
        Note(NoteKind.COMMENT, "TODO: 校对"),
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_only_texts_change(end: str) -> None:
    document = opened(FILE, end)
    assert render(document.data, "vtt", {}) == document.data
    text = put(
        document, "Hello, {1}all{/1} <of> you!", "- A{1/}B --> C & D\n\n- {2}Sit{/2}\u00a0down", "I do"
    )
    expected = (
        FILE.replace(
            "同学们，<c.loud>你们</c>好！",
            "Hello, <c.loud>all</c> &lt;of> you!",
        )
        .replace(
            "- 老师<00:00:06.000>好 &amp; 再见，1 &lt; 2&nbsp;完\n- 请<i>坐</i>",
            "- A<00:00:06.000>B --&gt; C &amp; D\n- <i>Sit</i>&nbsp;down",
        )
        .replace("我来", "I do")
    )
    assert text == expected.replace("\n", end)
    assert [segment.source for segment in read_bytes(text.encode(), "t.vtt").segments][1:] == [
        "- A{1/}B --> C & D\n- {2}Sit{/2}\u00a0down",
        "I do",
    ]


def test_other_files_are_refused() -> None:
    for text in ("", "1\n00:01.000 --> 00:02.000\n文字\n", "WEBVTTX\n\n文字"):
        with pytest.raises(FormatError, match="not a WebVTT file") as caught:
            opened(text)
        assert caught.value.advice
    assert opened("WEBVTT").segments == ()
    assert opened("\ufeffWEBVTT\n\n00:01.000 --> 00:02.000\n文字").segments[0].source == "文字"


@pytest.mark.parametrize(
    ("source", "target", "written"),
    [
        ("甲 > 乙", "A > B", "A > B"),
        ("甲", "A > B -> C --> D", "A > B -> C --&gt; D"),
        ("甲 &gt; 乙", "A > B", "A &gt; B"),
        ("甲 &gt; 乙 > 丙", "A > B", "A > B"),
        ("R&amp;D 甲", "R&D < A", "R&amp;D &lt; A"),
        ("甲&#8212;乙", "A—B", "A&#8212;B"),
        ("甲\u00a0乙", "A\u00a0B", "A\u00a0B"),
    ],
)
def test_text_is_escaped_like_its_cue(source: str, target: str, written: str) -> None:
    document = opened(EMPTY + source + "\n")
    assert put(document, target) == EMPTY + written + "\n"
    (again,) = read_bytes((EMPTY + written + "\n").encode(), "t.vtt").segments
    assert again.source == target.replace("→", "–")
