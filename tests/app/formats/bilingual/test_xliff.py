"""XLIFF 1.2 and 2: targets and states change, everything else keeps its bytes."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import bilingual_samples as samples
import pytest
from lxml import etree
from rendering import render

from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import read, read_bytes

FILES = samples.golden("xliff", ".xlf", ".xliff", ".sdlxliff")
SCHEMAS = Path(
    os.environ.get("ANAPHORA_SCHEMAS", "/usr/share/php/Symfony/Component/Translation/Resources/schemas")
)
needs_schemas = pytest.mark.skipif(
    not (SCHEMAS / "xliff-core-2.0.xsd").exists(), reason="no schemas (Debian: php-symfony-translation)"
)
VERSION_1 = (
    '<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><file original="a" datatype="x"\n'
    ' source-language="zh" target-language="en"><body>\n%s\n</body></file></xliff>'
)
VERSION_2 = (
    '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="zh"%s><file id="f">\n'
    "%s\n</file></xliff>"
)


def read_version_1(body: str):
    return read_bytes((VERSION_1 % body).encode(), "t.xlf")


def read_version_2(body: str, language: str = ' trgLang="en"'):
    return read_bytes((VERSION_2 % (language, body)).encode(), "t.xliff")


def put_one(document, target: str, status: Status = Status.CONFIRMED, row: int = 0) -> str:
    """The document's body with one state changed."""
    segment = document.segments[row]
    text = samples.put(document, {segment.id: SegmentState(target, status)}).decode()
    return text[text.index("\n", text.index("<file")) :]


def schema(name: str) -> etree.XMLSchema:
    text = (SCHEMAS / name).read_text(encoding="utf-8")
    local = str(SCHEMAS / "xml.xsd")
    for place in ("http://www.w3.org/2001/xml.xsd", "informativeCopiesOf3rdPartySchemas/w3c/xml.xsd"):
        text = text.replace(place, local)
    return etree.XMLSchema(etree.fromstring(text.encode()))


def errors(data: bytes) -> set[str]:
    tree = etree.fromstring(data)
    is_two = tree.get("version").startswith("2")
    known = schema("xliff-core-2.0.xsd" if is_two else "xliff-core-1.2-strict.xsd")
    known.validate(tree)
    return {error.message for error in known.error_log}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@pytest.mark.slow
def test_real_files_survive_round_trip(path: Path) -> None:
    document = read(path)
    assert samples.put(document, {}) == document.data
    assert render(document.data, "xliff", {}) == document.data


@pytest.mark.parametrize(
    "status", [Status.CONFIRMED, Status.EDITED, Status.DRAFT], ids=lambda each: each.name
)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_all_translated(path: Path, status: Status) -> None:
    document = read(path)
    wanted = samples.translate_all(document, status)
    again = samples.reread(document, samples.put(document, wanted))
    assert [(s.id, s.source, s.tags, s.notes) for s in again.segments] == [
        (s.id, s.source, s.tags, s.notes) for s in document.segments
    ]
    assert {s.id: s.target for s in again.segments if s.id in wanted} == {
        key: state.target for key, state in wanted.items()
    }
    locked = any(s.status is Status.LOCKED for s in document.segments)
    if not locked or path.suffix != ".sdlxliff":
        assert {s.status for s in again.segments if s.id in wanted} == {status}


@needs_schemas
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_translated_files_satisfy_the_schema(path: Path) -> None:
    document = read(path)
    before = errors(document.data)
    assert not before or path.suffix == ".sdlxliff"  # its own elements are not in the schema
    for status in (Status.CONFIRMED, Status.EDITED, Status.DRAFT):
        assert errors(samples.put(document, samples.translate_all(document, status))) <= before


def test_missing_target_is_added_after_source() -> None:
    document = read_version_1('<trans-unit id="1">\n  <source>缓存 &amp; 账本</source>\n</trans-unit>')
    assert document.segments[0].source == "缓存 & 账本"
    after = (
        '<trans-unit id="1" approved="yes">\n  <source>缓存 &amp; 账本</source>\n'
        '  <target state="final">cache &lt; ledger</target>\n</trans-unit>'
    )
    assert after in put_one(document, "cache < ledger")


@pytest.mark.parametrize(
    ("attributes", "state", "status"),
    [
        (' translate="no"', "", Status.LOCKED),
        ("", ' state="new"', Status.DRAFT),
        ("", ' state="needs-review-translation"', Status.DRAFT),
        ("", "", Status.EDITED),
        ("", ' state="x-checked"', Status.EDITED),
        ("", ' state="signed-off"', Status.CONFIRMED),
        (' approved="yes"', "", Status.CONFIRMED),
    ],
)
def test_states_of_version_1(attributes: str, state: str, status: Status) -> None:
    body = f'<trans-unit id="1"{attributes}><source>缓存</source><target{state}>cache</target></trans-unit>'
    approved = "signed-off" in state
    assert read_version_1(body).segments[0].state == SegmentState("cache", status, approved=approved)
    copied = read_version_1(body.replace("cache", "缓存")).segments[0].state
    is_open = status is Status.DRAFT or not attributes + state
    assert copied == (SegmentState() if is_open else SegmentState("缓存", status, approved=approved))


@pytest.mark.parametrize(
    ("confirmed", "approved"),
    [
        (
            '<trans-unit id="1" approved="yes"><source>缓存</source><target state="final">c</target>',
            '<trans-unit id="1" approved="yes"><source>缓存</source><target state="signed-off">c</target>',
        ),
        (
            '<trans-unit id="1" approved="yes" xmlns:mq="m" mq:status="ManuallyConfirmed">'
            '<source>缓存</source><target state="final">c</target>',
            '<trans-unit id="1" approved="yes" xmlns:mq="m" mq:status="Proofread"><source>缓存</source>'
            '<target state="signed-off">c</target>',
        ),
        (
            '<trans-unit id="1" approved="yes"><source>缓存</source>'
            '<seg-source><mrk mtype="seg" mid="1">缓存</mrk></seg-source>'
            '<target state="final"><mrk mtype="seg" mid="1">c</mrk></target>'
            '<sdl:seg-defs xmlns:sdl="s"><sdl:seg id="1" conf="ApprovedTranslation"/></sdl:seg-defs>',
            '<trans-unit id="1" approved="yes"><source>缓存</source>'
            '<seg-source><mrk mtype="seg" mid="1">缓存</mrk></seg-source>'
            '<target state="signed-off"><mrk mtype="seg" mid="1">c</mrk></target>'
            '<sdl:seg-defs xmlns:sdl="s"><sdl:seg id="1" conf="ApprovedSignOff"/></sdl:seg-defs>',
        ),
    ],
    ids=["XLIFF", "memoQ", "Studio"],
)
def test_approval_is_read_and_written(confirmed: str, approved: str) -> None:
    for before, after in ((confirmed, approved), (approved, confirmed)):
        document = read_version_1(f"{before}</trans-unit>")
        state = document.segments[0].state
        assert (state.status, state.approved) == (Status.CONFIRMED, before is approved)
        changed = replace(state, approved=after is approved)
        assert f"{after}</trans-unit>" in samples.put(document, {document.segments[0].id: changed}).decode()


def test_states_are_written_in_version_1() -> None:
    body = (
        '<trans-unit id="1" approved="yes"><source>缓存</source>'
        '<target state="final" state-qualifier="tm">x</target></trans-unit>'
    )
    document = read_version_1(body)
    assert 'approved="no"><source>缓存</source><target state="translated">y<' in put_one(
        document, "y", Status.EDITED
    )
    assert 'target state="needs-review-translation">x<' in put_one(document, "x", Status.DRAFT)
    assert 'target state="needs-translation"></target>' in put_one(document, "", Status.NOT_STARTED)


def test_locked_segments_are_never_written() -> None:
    document = read_version_1(
        '<group translate="no"><trans-unit id="1"><source>缓存</source></trans-unit></group>'
    )
    segment = document.segments[0]
    assert segment.status is Status.LOCKED
    assert samples.put(document, {segment.id: SegmentState("cache", Status.LOCKED)}) == document.data


def test_moved_and_missing_markup_is_restored() -> None:
    source = '点<g id="1" ctype="bold">这里</g>，<x id="2" equiv-text="{name}"/><ph id="3">%s</ph>好'
    document = read_version_1(f'<trans-unit id="1"><source>{source}</source></trans-unit>')
    segment = document.segments[0]
    assert segment.source == "点{1}这里{/1}，{2/}{3/}好"
    assert segment.tags == (("{1}", "bold"), ("{2/}", "{name}"), ("{3/}", "%s"))
    moved = '<ph id="3">%s</ph> well, <g id="1" ctype="bold">here</g><x id="2" equiv-text="{name}"/>'
    assert f">{moved}</target>" in put_one(document, "{3/} well, {1}here{/1}")
    assert '<x id="2" equiv-text="{name}"/>!' in put_one(document, "{/1}Crossed {1}{2/}!")


def test_the_targets_own_markup_stays() -> None:
    """A target that lacks one tag of the source and has a different one."""
    body = (
        '<trans-unit id="1"><source>一<x id="1"/>二<x id="2"/></source>'
        '<target>two <x id="2"/> own <x id="9"/></target></trans-unit>'
    )
    document = read_version_1(body)
    assert document.segments[0].target == "two {2/} own {3/}"
    assert '<target>second <x id="2"/> own <x id="9"/></target>' in put_one(
        document, "second {2/} own {3/}", Status.EDITED
    )
    assert '<target>second<x id="2"/></target>' in put_one(document, "second", Status.EDITED)


def test_overlapping_pairs_become_standalone_tags() -> None:
    source = '<bpt id="1">b</bpt>一<bpt id="2">i</bpt>二<ept id="1">/b</ept>三<ept id="2">/i</ept>'
    document = read_version_1(f'<trans-unit id="1"><source>{source}</source></trans-unit>')
    assert document.segments[0].source == "{1/}一{2}二{3/}三{/2}"
    back = put_one(document, "{1/}一{2}二{3/}三{/2}")
    assert f">{source}</target>" in back


def test_segments_of_version_1_keep_their_mrk_elements() -> None:
    inner = '<g id="9"><mrk mtype="seg" mid="1">一。</mrk> <mrk mtype="seg" mid="2">二。</mrk></g>'
    document = read_version_1(
        '<trans-unit id="1"><source><g id="9">一。 二。</g></source>'
        f"<seg-source>{inner}</seg-source></trans-unit>"
    )
    assert [segment.source for segment in document.segments] == ["一。", "二。"]
    half = put_one(document, "One.", row=0)
    assert (
        '<target><g id="9"><mrk mtype="seg" mid="1">One.</mrk> <mrk mtype="seg" mid="2"></mrk></g></target>'
        in half
    )
    again = read_bytes((VERSION_1.partition("%s")[0] + half.partition("<body>\n")[2]).encode(), "t.xlf")
    assert [segment.target for segment in again.segments] == ["One.", ""]
    full = put_one(again, "Two.", row=1)
    assert '<mrk mtype="seg" mid="1">One.</mrk> <mrk mtype="seg" mid="2">Two.</mrk>' in full


def test_sdl_states() -> None:
    body = (
        '<trans-unit id="1" xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0"><source>一。二。</source>'
        '<seg-source><mrk mtype="seg" mid="1">一。</mrk><mrk mtype="seg" mid="2">二。</mrk></seg-source>'
        '<target><mrk mtype="seg" mid="1">One.</mrk><mrk mtype="seg" mid="2">Two.</mrk></target>'
        '<sdl:seg-defs><sdl:seg id="1" conf="Draft"/><sdl:seg id="2" locked="true"/></sdl:seg-defs>'
        "</trans-unit>"
    )
    document = read_version_1(body)
    assert [segment.status for segment in document.segments] == [Status.DRAFT, Status.LOCKED]
    assert '<sdl:seg id="1" conf="ApprovedTranslation"/>' in put_one(document, "One.", Status.CONFIRMED)


def test_notes_of_version_1() -> None:
    body = (
        '<trans-unit id="1" resname="title" maxwidth="20" size-unit="char"><source>缓存</source>'
        '<note from="dev">短 些</note><context-group><context context-type="x-file">a.c</context>'
        "</context-group><alt-trans><source>别的</source><target>other</target></alt-trans></trans-unit>"
    )
    document = read_version_1(body)
    assert len(document.segments) == 1
    assert document.segments[0].notes == (
        Note(NoteKind.NAME, "title"),
        Note(NoteKind.LENGTH_LIMIT, "20 char"),
        Note(NoteKind.NOTE, "短 些", ("dev",)),
        Note(NoteKind.CONTEXT, "a.c", ("file",)),
    )


@pytest.mark.parametrize(
    ("state", "status"),
    [
        ("", Status.EDITED),
        (' state="initial"', Status.DRAFT),
        (' state="translated"', Status.EDITED),
        (' state="reviewed"', Status.CONFIRMED),
        (' state="final" subState="x:y"', Status.CONFIRMED),
    ],
)
def test_states_of_version_2(state: str, status: Status) -> None:
    body = f'<unit id="1"><segment{state}><source>缓存</source><target>cache</target></segment></unit>'
    document = read_version_2(body)
    assert document.segments[0].state == SegmentState("cache", status)
    copied = read_version_2(body.replace("cache", "缓存")).segments[0].status
    assert copied is (status if state and status is not Status.DRAFT else Status.NOT_STARTED)
    wanted = Status.DRAFT if status is not Status.DRAFT else Status.CONFIRMED
    state = "initial" if wanted is Status.DRAFT else "final"
    assert f'<segment state="{state}"><source>' in put_one(document, "cache", wanted)


def test_version_2_with_its_markup_segments_and_notes() -> None:
    body = (
        '<unit id="1" name="n"><notes><note category="c">请注意</note></notes>\n'
        ' <segment><source>一<pc id="1" subType="xlf:b">二</pc><ph id="2" disp="%s"/><cp hex="001b"/>'
        "</source></segment>\n"
        " <ignorable><source> </source></ignorable>\n"
        ' <segment><source><sc id="3"/>三</source></segment>'
        '<segment><source>四<ec startRef="3"/></source></segment></unit>\n'
        '<unit id="2" translate="no"><segment><source>锁</source></segment></unit>'
    )
    document = read_version_2(body, "")
    first, second, third, locked = document.segments
    assert first.source == "一{1}二{/1}{2/}{3/}"
    assert first.notes == (Note(NoteKind.NAME, "n"), Note(NoteKind.NOTE, "请注意", ("c",)))
    assert first.tags == (("{1}", "xlf:b"), ("{2/}", "%s"), ("{3/}", "cp"))
    assert (second.source, third.source) == ("{1/}三", "四{1/}")
    assert locked.status is Status.LOCKED
    data = samples.put(document, {first.id: SegmentState("1{1}2{/1}{2/}{3/}", Status.EDITED)}).decode()
    assert 'srcLang="zh" trgLang="en"><file' in data
    assert (
        '</source><target>1<pc id="1" subType="xlf:b">2</pc><ph id="2" disp="%s"/><cp hex="001b"/></target>'
        in data
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no XML",
        "<xliff version='1.2'>",
        "<html/>",
        '<!DOCTYPE x [<!ENTITY a "b">]><xliff version="1.2"/>',
        '<!DOCTYPE x SYSTEM "file:///etc/passwd"><xliff version="1.2"/>',
        '<?xml version="1.0" encoding="nonsense"?><xliff version="1.2"/>',
        "<xliff>" + "<g>" * 2000 + "</g>" * 2000 + "</xliff>",
    ],
)
def test_hostile_and_broken_files_are_refused(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_bytes(text.encode(), "t.xlf")
    assert caught.value.advice


@pytest.mark.parametrize("codec", ["utf-16", "utf-8-sig", "gb18030", "iso-8859-1"])
def test_encodings_stay(codec: str) -> None:
    declared = {"utf-8-sig": "utf-8"}.get(codec, codec)
    text = "缓存" if codec != "iso-8859-1" else "&#32531;&#23384;"
    body = VERSION_1 % f'<trans-unit id="1"><source>{text}</source></trans-unit>'
    data = f'<?xml version="1.0" encoding="{declared}"?>\n{body}'.encode(codec)
    document = read_bytes(data, "t.xlf")
    assert document.segments[0].source == "缓存"
    out = samples.put(document, {document.segments[0].id: SegmentState("“é” 存", Status.EDITED)})
    assert len(out.decode(codec)) > len(data.decode(codec))
    assert read_bytes(out, "t.xlf").segments[0].target == "“é” 存"


def test_repeated_segment_numbers_keep_separate_translations() -> None:
    marks = "".join(f'<mrk mtype="seg" mid="1">{text}</mrk>' for text in ("甲句。", "乙句。"))
    held = '<target><mrk mtype="seg" mid="1">Old</mrk><mrk mtype="seg" mid="1">Older</mrk></target>'
    unit = f'<trans-unit id="1"><source>甲句。乙句。</source><seg-source>{marks}</seg-source>%s</trans-unit>'
    for target in ("", held):
        document = read_version_1(unit % target)
        wanted = {s.id: SegmentState(f"New {n}", Status.CONFIRMED) for n, s in enumerate(document.segments)}
        again = samples.reread(document, samples.put(document, wanted))
        assert [segment.target for segment in again.segments] == ["New 0", "New 1"]


def test_deleted_text_is_ignored_and_added_text_is_read() -> None:
    data = (Path(__file__).parents[3] / "golden" / "fields" / "track.sdlxliff").read_bytes()
    first = read_bytes(data, "a.sdlxliff").segments[0]
    assert (first.source, first.target) == ("点{1}保存{/1}{2/}按钮。", "Click {1}Save{/1}{2/} button.")
    assert samples.put(read_bytes(data, "a.sdlxliff"), {}) == data
    changed = samples.put(
        read_bytes(data, "a.sdlxliff"), {first.id: SegmentState("Press {1}Save{/1}{2/}.", Status.EDITED)}
    )
    assert b'<mrk mtype="seg" mid="1">Press <g id="0">Save</g><x id="pt1"/>.</mrk>' in changed


def test_escaped_markup_becomes_tags_in_source_and_target() -> None:
    body = (
        "<trans-unit id='1'><source>&lt;p&gt;按 &lt;Enter&gt;，&lt;b&gt;粗&lt;/b&gt;<x id='1'/>&amp;nbsp;"
        "a &lt; b</source></trans-unit>"
        "<trans-unit id='2'><source>好&lt;br/&gt;的<![CDATA[<i class='a'>斜</i>]]></source>"
        "<target>ok&lt;br/&gt; &lt;i class='a'&gt;i&lt;/i&gt; &lt;u&gt;</target></trans-unit>"
    )
    document = read_version_1(body)
    assert [each.source for each in document.segments] == [
        "<p>按 <Enter>，<b>粗</b>{1/}{2/}a < b",
        "好{1/}的{2}斜{/2}",
    ]
    assert document.segments[1].target == "ok{1/} {2}i{/2} <u>"
    assert document.segments[1].tags == (("{1/}", "<br/>"), ("{2}", "<i class='a'>"))
    assert '<target state="final">{2}'.replace("{2}", "&lt;i class='a'&gt;I&lt;/i&gt;&lt;br/&gt;") in put_one(
        document, "{2}I{/2}{1/}", row=1
    )
    (segment,) = read_version_2(
        "<unit id='1'><segment><source>&lt;b&gt;粗&lt;/b&gt;的&#160;字</source></segment></unit>"
    ).segments
    assert segment.source == "{1}粗{/1}的\xa0字"
