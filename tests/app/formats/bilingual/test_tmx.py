"""Translation memories as bilingual documents."""

from __future__ import annotations

import os
from pathlib import Path

import bilingual_samples as samples
import pytest
from lxml import etree
from rendering import render

from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import read, read_bytes

FILES = samples.golden("tmx", ".tmx")
DTD = Path(os.environ.get("ANAPHORA_SCHEMAS", "/nowhere")) / "tmx14.dtd"
MEMORY = (
    '<?xml version="1.0"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4"><header creationtool="t" '
    'creationtoolversion="1" segtype="sentence" o-tmf="x" adminlang="en" srclang="%s" datatype="plaintext"/>'
    "<body>\n%s\n</body></tmx>\n"
)


def memory(body: str, language: str = "zh"):
    return read_bytes((MEMORY % (language, body)).encode(), "t.tmx")


def put_one(document, target: str, status: Status = Status.CONFIRMED) -> str:
    return samples.put(document, {document.segments[0].id: SegmentState(target, status)}).decode()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_real_memories_survive_round_trip(path: Path) -> None:
    document = read(path)
    assert samples.put(document, {}) == document.data
    assert render(document.data, "tmx", {}) == document.data


@pytest.mark.parametrize("status", [Status.CONFIRMED, Status.DRAFT], ids=lambda each: each.name)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_all_translated(path: Path, status: Status) -> None:
    document = read(path)
    wanted = samples.translate_all(document, status)
    data = samples.put(document, wanted)
    again = samples.reread(document, data)
    assert {s.id: s.target for s in again.segments} == {key: state.target for key, state in wanted.items()}
    assert [s.source for s in again.segments] == [s.source for s in document.segments]
    kept = Status.DRAFT if status is Status.DRAFT else Status.EDITED
    assert {s.status for s in again.segments} == {kept}
    for tuv in etree.fromstring(data).iter("tuv"):
        names = [child.tag for child in tuv]
        assert names[-1] == "seg" and set(names[:-1]) <= {"note", "prop"}
    if DTD.exists():
        grammar = etree.DTD(str(DTD))
        assert grammar.validate(etree.fromstring(data)), grammar.error_log


def test_missing_variant_is_added_after_source() -> None:
    body = (
        '<tu tuid="1">\n <note>注意</note><prop type="domain">数据库</prop>\n'
        ' <tuv xml:lang="de"><seg>x</seg></tuv>\n <tuv xml:lang="zh-CN">\n  <seg>缓存</seg>\n </tuv>\n</tu>'
    )
    document = memory(body)
    segment = document.segments[0]
    assert segment.state == SegmentState()
    assert segment.notes == (Note(NoteKind.NOTE, "注意"), Note(NoteKind.PROPERTY, "数据库", ("domain",)))
    added = '\n <tuv xml:lang="en">\n  <seg>cache &amp; co</seg>\n </tuv>\n</tu>'
    assert body[:-6] + added in put_one(document, "cache & co")
    drafted = put_one(document, "cache", Status.DRAFT)
    assert '<tuv xml:lang="en">\n  <prop type="x-status">draft</prop>\n  <seg>cache</seg>\n </tuv>' in drafted
    again = read_bytes(drafted.encode(), "t.tmx")
    assert again.segments[0].state == SegmentState("cache", Status.DRAFT)
    assert put_one(again, "cache") == put_one(document, "cache")


def test_drafts_in_existing_variants() -> None:
    body = '<tu><tuv lang="zh"><seg>缓存</seg></tuv><tuv lang="en-GB">\n<seg>cash</seg></tuv></tu>'
    document = memory(body)
    assert document.segments[0].state == SegmentState("cash", Status.EDITED)
    drafted = put_one(document, "cache", Status.DRAFT)
    assert '<tuv lang="en-GB">\n<prop type="x-status">draft</prop>\n<seg>cache</seg>' in drafted
    again = read_bytes(drafted.encode(), "t.tmx")
    assert put_one(again, "cash", Status.EDITED).encode() == document.data


def test_inline_markup() -> None:
    source = (
        '点<bpt i="1" x="1">&lt;b></bpt>这<ept i="1">&lt;/b></ept>'
        '<ph x="2" type="lb"/>里<hi type="term">缓存</hi>'
    )
    document = memory(f'<tu><tuv xml:lang="zh"><seg>{source}</seg></tuv></tu>')
    segment = document.segments[0]
    assert segment.source == "点{1}这{/1}{2/}里{3}缓存{/3}"
    assert segment.tags == (("{1}", "<b>"), ("{2/}", "lb"), ("{3}", "term"))
    moved = (
        '<hi type="term">cache</hi> <bpt i="1" x="1">&lt;b></bpt>x<ept i="1">&lt;/b></ept>'
        '<ph x="2" type="lb"/></seg>'
    )
    assert moved in put_one(document, "{3}cache{/3} {1}x{/1}")


def test_escaped_markup_becomes_tags() -> None:
    document = memory("<tu><tuv xml:lang='zh'><seg>&lt;b&gt;粗&lt;/b&gt;&amp;nbsp;字</seg></tuv></tu>")
    assert document.segments[0].source == "{1}粗{/1}{2/}字"
    assert "<seg>&lt;b&gt;B&lt;/b&gt;&amp;nbsp;c</seg>" in put_one(document, "{1}B{/1}{2/}c")


def test_deleted_text_is_ignored_and_added_text_is_read() -> None:
    document = memory(
        '<tu><tuv xml:lang="zh"><seg>甲<hi type="x-sdl-deleted">删</hi><hi type="x-sdl-added">加</hi>乙'
        "</seg></tuv>"
        '<tuv xml:lang="en"><seg>A <hi type="deleted">gone </hi>B</seg></tuv></tu>'
    )
    assert [(s.source, s.target) for s in document.segments] == [("甲加乙", "A B")]
    assert "<seg>New</seg>" in put_one(document, "New")


def test_memory_without_chinese_keeps_its_languages() -> None:
    document = memory(
        '<tu><tuv xml:lang="en-US"><seg>cache</seg></tuv><tuv xml:lang="fr"><seg>cache fr</seg></tuv></tu>'
        '<tu><tuv xml:lang="fr"><seg>seul</seg></tuv></tu>',
        "en-US",
    )
    assert [(s.source, s.target) for s in document.segments] == [("cache", "cache fr")]
    assert document.notes == ("Units without text in the source language (en): 1 of 2.",)


def test_header_language_counts_without_project_language() -> None:
    body = '<tu><tuv xml:lang="en"><seg>cache</seg></tuv><tuv xml:lang="fr"><seg>antémémoire</seg></tuv></tu>'
    for language, pair in (("fr", ("antémémoire", "cache")), ("en", ("cache", "antémémoire"))):
        assert [(s.source, s.target) for s in memory(body, language).segments] == [pair]
    bare = f'<tmx version="1.4"><body>{body.replace("fr", "zh")}</body></tmx>'
    assert [s.source for s in read_bytes(bare.encode(), "t.tmx").segments] == ["antémémoire"]


@pytest.mark.parametrize(
    "text",
    [
        "<tmx>",
        "<xliff/>",
        '<!DOCTYPE tmx [<!ENTITY a "b">]><tmx><body/></tmx>',
        '<!DOCTYPE tmx [<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;]><tmx><body/></tmx>',
    ],
)
def test_hostile_and_broken_files_are_refused(text: str) -> None:
    with pytest.raises(FormatError):
        read_bytes(text.encode(), "t.tmx")
