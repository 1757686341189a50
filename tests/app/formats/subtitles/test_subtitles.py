"""SubRip and Substation Alpha subtitles: texts change, times, styles and everything else stay."""

from __future__ import annotations

from pathlib import Path

import bilingual_samples as samples
import pysubs2
import pytest
from rendering import render

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.format import FormatError, UnknownSegmentsError
from anaphora.formats.registry import read, read_bytes
from anaphora.formats.subtitles.cues import break_lines

FILES = [*samples.golden("srt", ".srt"), *samples.golden("ass", ".ass", ".ssa")]
TIMES = "00:00:01,000 --> 00:00:02,500"
EVENTS = (
    "[Script Info]\nTitle: 缓存\n\n[Events]\n"
    "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
)
FIELDS = "0,0:00:01.00,0:00:02.00,Default,,0,0,0,,"


def srt(*texts: str, end: str = "\n"):
    cues = (f"{number}\n{TIMES}\n{text}\n" for number, text in enumerate(texts, start=1))
    return read_bytes("\n".join(cues).replace("\n", end).encode(), "t.srt")


def ass(*lines: str):
    return read_bytes((EVENTS + "\n".join(lines) + "\n").encode(), "t.ass")


def put(document, *targets: str) -> str:
    wanted = {segment.id: text for segment, text in zip(document.segments, targets, strict=False)}
    return render(document.data, document.format, wanted).decode()


def subtitles(data: bytes, encoding: str, kind: str) -> pysubs2.SSAFile:
    return pysubs2.SSAFile.from_string(data.decode(encoding).lstrip("\ufeff"), format_=kind)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_real_subtitles_survive_round_trip(path: Path) -> None:
    document = read(path)
    assert samples.put(document, {}) == document.data
    assert render(document.data, document.format, {}) == document.data
    assert all(segment.span is None and segment.notes for segment in document.segments)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_only_texts_change(path: Path) -> None:
    document = read(path)
    wanted = {segment.id: samples.english(segment).replace("<more>", "more") for segment in document.segments}
    data = render(document.data, document.format, wanted)
    encoding = document.encoding if not document.encoding.startswith("utf-16") else "utf-16"
    kind = path.suffix[1:]
    before, after = (subtitles(raw, encoding, kind) for raw in (document.data, data))
    assert [(e.start, e.end, e.style, e.name, e.effect, e.type) for e in before] == [
        (e.start, e.end, e.style, e.name, e.effect, e.type) for e in after
    ]
    assert before.styles == after.styles
    assert {**before.info, "Title": ""} == {**after.info, "Title": ""}
    again = read_bytes(data, path.name)
    assert len(again.segments) == len(document.segments)
    for old, new in zip(document.segments, again.segments, strict=True):
        assert wanted[old.id].split()[0] in new.source and new.notes == old.notes
        assert sorted(label for _, label in new.tags) == sorted(label for _, label in old.tags)


def test_a_cue_is_a_segment_of_any_length() -> None:
    document = srt("第一句。第二句还没", "说完。")
    assert [segment.source for segment in document.segments] == ["第一句。第二句还没", "说完。"]
    assert document.segments[0].notes == (Note(NoteKind.TIME, "00:00:01,000 → 00:00:02,500"),)


def test_line_breaks_and_line_ends() -> None:
    document = srt("第一行\n第二行", "完", end="\r\n")
    assert document.segments[0].source == "第一行\n第二行"
    text = put(document, "The first line\nthe second\n\n\nthe third")
    assert f"{TIMES}\r\nThe first line\r\nthe second\r\nthe third\r\n\r\n2\r\n" in text
    assert (
        text.replace("The first line\r\nthe second\r\nthe third", "第一行\r\n第二行").encode()
        == document.data
    )


def test_a_long_target_gets_the_line_breaks_of_its_source() -> None:
    words = "The oldest records leave the cache before it is full, and the newest ones stay."
    assert break_lines(words, "一行") == words
    assert break_lines("Short enough", "一\n二") == "Short enough"
    broken = break_lines(words, "一\n二").split("\n")
    assert broken == ["The oldest records leave the cache before", "it is full, and the newest ones stay."]
    assert all(len(line) <= 42 for line in broken)
    assert (
        break_lines("- Are you ready? - Not yet.", "- 好了吗？\n- 还没有。") == "- Are you ready?\n- Not yet."
    )
    assert break_lines("My\nown", "一\n二") == "My\nown"


def test_chinese_and_japanese_lines_are_shorter_and_end_after_marks() -> None:
    source = "The oldest records\nleave the cache"
    words = "最旧的记录离开缓存，最新的就一直留下来不动。"
    assert break_lines(words, source).split("\n") == ["最旧的记录离开缓存，", "最新的就一直留下来不动。"]
    assert break_lines("最旧的记录离开缓存。", source) == "最旧的记录离开缓存。"
    japanese = "最も古い記録はキャッシュから消えます。"
    lines = break_lines(japanese, source).split("\n")
    assert "".join(lines) == japanese and len(lines) == 2 and lines[1][0] not in "ー。ュ、"


def test_markup_and_positions_are_protected() -> None:
    document = srt(r"{\an8}<i>全部斜体</i>", "一<b>粗</b>二<font color=red>红", "三</i>四")
    assert [segment.source for segment in document.segments] == [
        "全部斜体",
        "一{1}粗{/1}二{2/}红",
        "三{1/}四",
    ]
    text = put(document, "all", "{1}bold{/1} lost", "{1/}four")
    assert r"{\an8}<i>all</i>" in text
    assert "<b>bold</b> lost<font color=red>\n" in text
    assert "</i>four" in text


def test_only_texts_change_in_ass() -> None:
    document = ass(
        f"Comment: {FIELDS}不译",
        f"Dialogue: {FIELDS}" + r"{\pos(1,2)}你{\i1}好{\i0}，\N世\h界{译注}",
        f"Dialogue: {FIELDS}" + r"{\p1}m 0 0 l 1 1{\p0}",
        f"Dialogue: {FIELDS}逗号,也是,文字",
    )
    assert [segment.source for segment in document.segments] == [
        "缓存",
        "你{1}好{/1}，\n世\u00a0界",
        "逗号,也是,文字",
    ]
    text = put(document, "缓存", "Hel{1}lo{/1},\nwide\u00a0{world}", "commas, too")
    assert text == EVENTS + "\n".join(
        [
            f"Comment: {FIELDS}不译",
            f"Dialogue: {FIELDS}" + r"{\pos(1,2)}Hel{\i1}lo{\i0},\Nwide\h\{world\}{译注}",
            f"Dialogue: {FIELDS}" + r"{\p1}m 0 0 l 1 1{\p0}",
            f"Dialogue: {FIELDS}commas, too\n",
        ]
    )


def test_speaker_and_style_are_notes() -> None:
    document = ass("Dialogue: 0,0:00:01.00,0:00:02.00,旁白,小明,0,0,0,,你好")
    assert document.segments[1].notes == (
        Note(NoteKind.TIME, "0:00:01.00 → 0:00:02.00"),
        Note(NoteKind.SPEAKER, "小明"),
        Note(NoteKind.STYLE, "旁白"),
    )


@pytest.mark.parametrize(("name", "text"), [("t.srt", "no times"), ("t.ass", "[Script Info]\nTitle: x\n")])
def test_other_files_are_refused(name: str, text: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_bytes(text.encode(), name)
    assert caught.value.advice


def test_translations_without_a_place_are_refused() -> None:
    document = srt("文字")
    with pytest.raises(UnknownSegmentsError):
        render(document.data, "srt", {"7.1.00000000": "text"})


JOINED = (Path(__file__).parents[3] / "golden" / "fields" / "concat.srt").read_bytes()


def test_invisible_marks_are_kept_and_join_no_cues() -> None:
    document = read_bytes(JOINED, "a.srt")
    assert [segment.source for segment in document.segments] == ["第一个", "第二个", "最后"]
    assert put(document, "One", "Two", "Last").encode() == (
        JOINED.replace("第一个".encode(), b"One")
        .replace("第二个".encode(), b"Two")
        .replace("最后".encode(), b"Last")
    )
    loose = (
        "\u200f1\n\u200f00 : 00:01, 000 --> \u200e00:00:02,000\n一。\n\n"
        " 2 \n00:00:03,000-->00:00:04,000\n二。\n"
    )
    assert put(read_bytes(loose.encode(), "a.srt"), "A.", "B.") == loose.replace("一。", "A.").replace(
        "二。", "B."
    )
