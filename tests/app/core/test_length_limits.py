"""Length limits of translations, from notes and comments of files."""

from __future__ import annotations

import pytest

from anaphora.core.length_limits import LengthLimit, is_unchecked_limit, length_limit
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.engine.jobs import source_segment
from anaphora.features.checks.quality import check_segment
from anaphora.features.checks.registry import check_name
from anaphora.formats.registry import read_bytes


def segment(kind: NoteKind, text: str, target: str = "") -> Segment:
    notes = (Note(kind, text),)
    return Segment("1", "保存{1/}", SegmentState(target, Status.EDITED), notes=notes, tags=(("{1/}", "%s"),))


@pytest.mark.parametrize(
    ("kind", "text", "limit"),
    [
        (NoteKind.LENGTH_LIMIT, "80 char", LengthLimit(80)),
        (NoteKind.LENGTH_LIMIT, "80 byte", LengthLimit(80, True)),
        (NoteKind.LENGTH_LIMIT, "1,20", LengthLimit(20)),
        (NoteKind.LENGTH_LIMIT, "80 pixel", None),
        (NoteKind.COMMENT, "Button. Max 20 characters.", LengthLimit(20)),
        (NoteKind.COMMENT, "maximum length: 12 chars", LengthLimit(12)),
        (NoteKind.COMMENT, "CHARACTER_LIMIT=30", LengthLimit(30)),
        (NoteKind.COMMENT, "@maxlen 5", LengthLimit(5)),
        (NoteKind.FLAGS, "c-format, max-length:9", LengthLimit(9)),
        (NoteKind.COMMENT, "按钮，最多 8 个字", LengthLimit(8)),
        (NoteKind.COMMENT, "shown at most 20 times", None),
        (NoteKind.REFERENCES, "max 20 characters", None),
    ],
)
def test_limits_are_read_from_files(kind: NoteKind, text: str, limit: LengthLimit | None) -> None:
    assert length_limit(segment(kind, text)) == limit


def test_placeholders_count_in_full_and_bytes_in_utf8() -> None:
    assert LengthLimit(9).length(segment(NoteKind.NAME, "", "Save {1/}")) == len("Save %s")
    assert LengthLimit(9, True).length(segment(NoteKind.NAME, "", "Größe")) == 7


def test_drafts_get_the_length_that_placeholders_leave() -> None:
    """The engine counts a draft's text without its tags."""
    limited = source_segment(segment(NoteKind.LENGTH_LIMIT, "9 char"))
    assert limited.most == 9 - len("%s")
    assert source_segment(segment(NoteKind.LENGTH_LIMIT, "1 char")).most == 1
    assert source_segment(segment(NoteKind.NAME, "")).most == 0


@pytest.mark.parametrize(
    ("limit", "issue"),
    [("7 char", "Too long: 8 characters (at most 7)."), ("7 byte", "Too long: 8 bytes (at most 7).")],
)
def test_a_longer_target_is_an_issue(limit: str, issue: str) -> None:
    def too_long(target: str) -> list[str]:
        remarks = check_segment(segment(NoteKind.LENGTH_LIMIT, limit, target))
        return [remark for remark in remarks if check_name(remark) == "length-limit"]

    assert too_long("Save {1/}") == [] and too_long("Saves {1/}") == [issue]


XLIFF = (
    '<xliff version="1.2" xmlns:mq="MQXliff" xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0">'
    '<doc-info><cmt-defs><cmt-def id="c1"><Comments><Comment user="Li">看图</Comment></Comments></cmt-def>'
    '</cmt-defs></doc-info><file original="a" source-language="zh" target-language="en"><body>'
    '<trans-unit id="1" mq:maxlengthchars="12"><source>保存</source><target>Save</target><mq:comments>'
    '<mq:comment creatoruser="Ana">Button</mq:comment><mq:comment deleted="true">Gone</mq:comment>'
    '</mq:comments></trans-unit><trans-unit id="2" maxwidth="9" size-unit="char"><source>'
    '<mrk mtype="x-sdl-comment" sdl:cid="c1">打开</mrk></source></trans-unit></body></file></xliff>'
)


def test_comments_and_limits_of_memoq_and_trados_become_notes() -> None:
    first, second = read_bytes(XLIFF.encode(), "a.xliff").segments
    assert first.notes == (Note(NoteKind.LENGTH_LIMIT, "12 char"), Note(NoteKind.NOTE, "Button", ("Ana",)))
    assert second.notes == (Note(NoteKind.LENGTH_LIMIT, "9 char"), Note(NoteKind.NOTE, "看图", ("Li",)))
    assert (length_limit(first), length_limit(second)) == (LengthLimit(12), LengthLimit(9))


@pytest.mark.parametrize(
    ("rule", "limit"),
    [
        ('m:max-length="12"', LengthLimit(12)),
        ('m:max-length="0"', None),
        ('m:max-length=""', None),
        ('maxbytes="30"', LengthLimit(30, True)),
    ],
)
def test_limits_of_phrase_and_in_bytes_become_notes(rule: str, limit: LengthLimit | None) -> None:
    text = (
        '<xliff version="1.2" xmlns:m="http://www.memsource.com/mxlf/2.0"><file original="a" source-language='
        f'"zh" target-language="en"><body><trans-unit id="1" {rule}><source>保存</source></trans-unit></body>'
        "</file></xliff>"
    )
    (segment,) = read_bytes(text.encode(), "a.mxliff").segments
    assert length_limit(segment) == limit
    assert len([note for note in segment.notes if note.kind is NoteKind.LENGTH_LIMIT]) == (limit is not None)


PIXELS = (
    '<xliff version="1.2"><file original="a" source-language="zh" target-language="en"><body>'
    '<group font="SimSun;9"><trans-unit id="1" maxwidth="60" size-unit="pixel"><source>保存</source>'
    "</trans-unit>"
    '<trans-unit id="2" maxwidth="80"><source>打开</source></trans-unit></group>'
    '<trans-unit id="3" maxwidth="8" size-unit="char"><source>关闭</source></trans-unit></body>'
    "</file></xliff>"
)


def test_limits_in_pixels_become_notes_with_the_font_marked_as_unchecked() -> None:
    """Only the program that shows the text has its font."""
    segments = read_bytes(PIXELS.encode(), "a.mqxliff").segments
    notes = [note for each in segments for note in each.notes if note.kind is NoteKind.LENGTH_LIMIT]
    assert notes[0] == Note(NoteKind.LENGTH_LIMIT, "60 pixel", ("SimSun;9",))
    assert notes[1] == Note(NoteKind.LENGTH_LIMIT, "80 pixel", ("SimSun;9",))  # the unit that XLIFF means
    assert [is_unchecked_limit(note) for note in notes] == [True, True, False]
    assert [length_limit(each) for each in segments] == [None, None, LengthLimit(8)]


@pytest.mark.parametrize(
    ("general", "limit"), [("xliff:codepoints", LengthLimit(20)), ("", LengthLimit(20)), ("x-pixels", None)]
)
def test_the_profile_decides_what_limits_of_xliff_2_count(general: str, limit: LengthLimit | None) -> None:
    data = (
        '<xliff version="2.1" srcLang="zh" trgLang="en"'
        ' xmlns:slr="urn:oasis:names:tc:xliff:sizerestriction:1.0">'
        f'<file id="f"><slr:profiles generalProfile="{general}" storageProfile="xliff:utf8"/>'
        '<unit id="1" slr:sizeRestriction="1,20"><segment><source>保存</source></segment></unit>'
        '<unit id="2" slr:storageRestriction="30"><segment><source>打开</source></segment></unit>'
        "</file></xliff>"
    )
    first, second = read_bytes(data.encode(), "a.xlf").segments
    assert length_limit(first) == limit and length_limit(second) == LengthLimit(30, True)
