"""Gettext catalogues: only what was translated changes, and gettext agrees."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import bilingual_samples as samples
import polib
import pytest
from rendering import render

from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.features.checks.quality import check_target
from anaphora.formats.base.format import FormatError, UnknownSegmentsError
from anaphora.formats.bilingual.po import parse_plurals
from anaphora.formats.registry import read, read_bytes

FILES = samples.golden("po", ".po", ".pot")
HEADER = (
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: en\\n"\n'
    '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
)
needs_gettext = pytest.mark.skipif(shutil.which("msgfmt") is None, reason="GNU gettext is not installed")


def catalogue(body: str, header: str = HEADER):
    return read_bytes((header + body).encode(), "t.po")


def put_one(document, segment: Segment, target: str, status: Status = Status.CONFIRMED) -> str:
    return samples.put(document, {segment.id: SegmentState(target, status)}).decode()


def msgfmt(data: bytes, folder: Path) -> str:
    path = folder / "out.po"
    path.write_bytes(data)
    done = subprocess.run(
        ["msgfmt", "-c", "-o", str(folder / "out.mo"), str(path)], capture_output=True, text=True, check=False
    )
    return done.stderr if done.returncode else ""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_real_catalogues_survive_round_trip(path: Path) -> None:
    document = read(path)
    assert document.segments
    assert samples.put(document, {}) == document.data
    assert render(document.data, "po", {}) == document.data


@needs_gettext
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_translated_catalogues_satisfy_gettext(path: Path, tmp_path: Path) -> None:
    document = read(path)
    wanted = samples.translate_all(document)
    data = samples.put(document, wanted)
    assert msgfmt(data, tmp_path) == ""
    again = samples.reread(document, data)
    assert [s.source for s in again.segments] == [s.source for s in document.segments] or again.name.endswith(
        ".pot"
    )
    assert {s.id: s.target for s in again.segments if s.id in wanted} == {
        key: state.target for key, state in wanted.items()
    }
    before, after = (polib.pofile("\n" + raw.decode()) for raw in (document.data, data))
    assert [e.occurrences for e in before] == [e.occurrences for e in after]
    assert [(e.comment, e.tcomment, e.msgctxt) for e in before] == [
        (e.comment, e.tcomment, e.msgctxt) for e in after
    ]
    assert not any(entry.fuzzy for entry in after)


@needs_gettext
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_lines_wrap_like_gettext(path: Path, tmp_path: Path) -> None:
    document = read(path)
    data = samples.put(document, samples.translate_all(document))
    (tmp_path / "a.po").write_bytes(data)
    done = subprocess.run(["msgcat", str(tmp_path / "a.po")], capture_output=True, check=True)
    theirs = {e.msgid: str(e) for e in polib.pofile("\n" + done.stdout.decode())}
    ours = data.decode().splitlines()
    lines = [line for line in done.stdout.decode().splitlines() if line.startswith(('"', "msgstr"))]
    missing = [line for line in lines if line not in ours and "English" in line]
    assert len(missing) <= max(1, len(theirs) * 0.02), missing[:5]


def test_a_draft_is_fuzzy_and_a_confirmed_message_is_not() -> None:
    document = catalogue('#, c-format\n#: a.c:1\nmsgid "你好 %s"\nmsgstr ""\n')
    segment = document.segments[0]
    assert segment.source == "你好 {1/}" and segment.status is Status.NOT_STARTED and segment.span is None
    assert segment.tags == (("{1/}", "%s"),)
    drafted = put_one(document, segment, "Hello {1/}", Status.DRAFT)
    assert '#, fuzzy, c-format\n#: a.c:1\nmsgid "你好 %s"\nmsgstr "Hello %s"\n' in drafted
    again = read_bytes(drafted.encode(), "t.po")
    assert again.segments[0].state == SegmentState("Hello {1/}", Status.DRAFT)
    assert again.segments[0].file_target == "Hello {1/}"
    confirmed = put_one(again, again.segments[0], "Hello {1/}")
    assert '\n#, c-format\n#: a.c:1\nmsgid "你好 %s"\nmsgstr "Hello %s"\n' in confirmed


def test_message_loses_previous_text_with_fuzzy_flag() -> None:
    body = '# 注\n#, fuzzy\n#| msgid "旧"\nmsgid "新的"\nmsgstr "old"\n\n#~ msgid "无用"\n#~ msgstr "gone"\n'
    document = catalogue(body)
    assert len(document.segments) == 1
    after = put_one(document, document.segments[0], "new")
    assert after == HEADER + '# 注\nmsgid "新的"\nmsgstr "new"\n\n#~ msgid "无用"\n#~ msgstr "gone"\n'


def test_a_cleared_target_is_cleared_in_the_file() -> None:
    document = catalogue('msgid "新的"\nmsgstr "new"\n')
    cleared = samples.put(document, {document.segments[0].id: SegmentState("", Status.NOT_STARTED)})
    assert cleared.decode() == HEADER + 'msgid "新的"\nmsgstr ""\n'


def test_every_plural_form_is_a_segment() -> None:
    body = '#, c-format\nmsgid "%d 个文件"\nmsgid_plural "共 %d 个文件"\nmsgstr[0] ""\nmsgstr[1] ""\n'
    document = catalogue(body)
    one, other = document.segments
    assert (one.source, other.source) == ("{1/} 个文件", "共 {1/} 个文件")
    assert one.notes[0] == Note(NoteKind.PLURAL_FORM, "n = 1", ("1", "2"))
    assert other.notes[0] == Note(NoteKind.PLURAL_FORM, "n = 0, 2, 3, 4, 5…", ("2", "2"))
    assert other.notes[1] == Note(NoteKind.SINGULAR, "%d 个文件")
    after = samples.put(
        document,
        {
            one.id: SegmentState("One file", Status.CONFIRMED),
            other.id: SegmentState("files", Status.CONFIRMED),
        },
    ).decode()
    # The form for one may omit its number; other forms get a missing placeholder back.
    assert 'msgstr[0] "One file"\nmsgstr[1] "files%d"\n' in after


def test_missing_plural_forms_are_added() -> None:
    document = catalogue('msgid "文件"\nmsgid_plural "些文件"\nmsgstr[0] ""\n\nmsgid "完"\nmsgstr ""\n')
    assert len(document.segments) == 3
    after = put_one(document, document.segments[1], "files")
    assert 'msgstr[0] ""\nmsgstr[1] "files"\n\nmsgid' in after


def test_plural_rules() -> None:
    russian = parse_plurals(
        "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && "
        "(n%100<10 || n%100>=20) ? 1 : 2);"
    )
    assert russian is not None and russian.examples[0][:3] == (1, 21, 31) and not russian.takes_singular(0)
    assert parse_plurals("nplurals=INTEGER; plural=EXPRESSION;") is None
    assert parse_plurals("nplurals=1; plural=n/0;") is None
    assert parse_plurals("nplurals=2; plural=__import__('os');") is None
    assert parse_plurals("nplurals=2; plural=" + "(" * 300 + ";") is None


def test_well_formed_markup_becomes_tags() -> None:
    document = catalogue(
        'msgid "点<b>开始</b><br/>。"\nmsgstr ""\n\nmsgid "用法：<文件> <file>"\nmsgstr ""\n'
    )
    assert [segment.source for segment in document.segments] == ["点{1}开始{/1}{2/}。", "用法：<文件> <file>"]
    assert 'msgstr "Click <b>Start</b>.<br/>"' in put_one(
        document, document.segments[0], "Click {1}Start{/1}.{2/}"
    )


def test_escapes_line_ends_and_white_space() -> None:
    body = 'msgid "\\n第一行\\n第二行\\t\\"引\\"\\n"\r\nmsgstr ""\r\n'
    document = read_bytes((HEADER.replace("\n", "\r\n") + body).encode(), "t.po")
    segment = document.segments[0]
    assert segment.source == '第一行\n第二行\t"引"'
    after = put_one(document, segment, 'First\nsecond\\ "x"')
    assert after.endswith('msgstr ""\r\n"\\n"\r\n"First\\n"\r\n"second\\\\ \\"x\\"\\n"\r\n')
    assert read_bytes(after.encode(), "t.po").segments[0].target == 'First\nsecond\\ "x"'


def test_context_comments_and_references_are_notes() -> None:
    body = '# 译注\n#. 说明\n#: a.c:1 b.c:2\n#, c-format\nmsgctxt "菜单"\nmsgid "打开"\nmsgstr ""\n'
    notes = catalogue(body).segments[0].notes
    assert notes == (
        Note(NoteKind.CONTEXT, "菜单"),
        Note(NoteKind.TRANSLATOR_COMMENT, "译注"),
        Note(NoteKind.COMMENT, "说明"),
        Note(NoteKind.REFERENCES, "a.c:1 b.c:2"),
        Note(NoteKind.FLAGS, "c-format"),
    )


def test_a_template_becomes_english() -> None:
    document = read(samples.GOLDEN / "po" / "cache-tool.pot")
    after = samples.put(document, samples.translate_all(document)).decode()
    header = after[: after.index("#: src/main.c:40")]
    assert '"Language: en\\n"' in header and '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"' in header
    assert "fuzzy" not in header and '"Language-Team: LANGUAGE <LL@li.org>\\n"' in header


def test_legacy_encoding_stays_unless_translation_needs_utf8() -> None:
    header = HEADER.replace("UTF-8", "GB2312").replace("Language: en", "Language: xx")
    data = (header + 'msgid "缓存"\nmsgstr ""\n').encode("gb2312")
    document = read_bytes(data, "t.po")
    segment = document.segments[0]
    assert segment.source == "缓存"
    assert samples.put(document, {segment.id: SegmentState("cache", Status.EDITED)}) == data.replace(
        b'msgid "\xbb\xba\xb4\xe6"\nmsgstr ""', b'msgid "\xbb\xba\xb4\xe6"\nmsgstr "cache"'
    )
    beyond = samples.put(document, {segment.id: SegmentState("café ☕", Status.EDITED)}).decode("utf-8")
    assert "charset=UTF-8" in beyond and "缓存" in beyond and "café ☕" in beyond


@pytest.mark.parametrize(
    "body",
    [
        'msgid "a"\n',
        'msgid "a\nmsgstr ""\n',
        'msgstr "a" msgid\n',
        "no catalogue at all\n",
        'msgid "a"\nmsgstr "b"\nmsgstr "c"\n',
        'msgid "a"\nmsgstr[999999999] "c"\n',
    ],
)
def test_damaged_catalogues_are_refused_with_a_reason(body: str) -> None:
    with pytest.raises(FormatError) as caught:
        catalogue(body)
    assert caught.value.advice


def test_unknown_segments_are_not_lost_silently() -> None:
    with pytest.raises(UnknownSegmentsError):
        render(HEADER.encode(), "po", {"9.00000000": "text"})


def test_target_may_contain_characters_of_its_source() -> None:
    data = (Path(__file__).parents[3] / "golden" / "fields" / "escapes.po").read_bytes()
    document = read_bytes(data, "a.po")
    first, second = document.segments
    states = {
        first.id: SegmentState("a \a \v \f \b\x01", Status.CONFIRMED),
        second.id: SegmentState("a\x85b\u2028c\u2029d", Status.CONFIRMED),
    }
    written = samples.put(document, states).decode()
    assert r'msgstr "a \a \v \f \b"' in written
    assert 'msgstr ""\n"a\x85b\u2028c\\n"\n"d"\n' in written
    assert not check_target(second.source, states[second.id].target.replace("\u2029", ""))
