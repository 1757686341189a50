"""Projects of earlier versions: their segments find their places in the originals, and nothing is lost."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.source import SourceDocument
from anaphora.export.writing import snapshot, summarise, write_export
from anaphora.formats.registry import READER, read_bytes
from anaphora.projects.opening import OpenedProject, open_paths, open_project
from anaphora.projects.rescuing import rescue
from anaphora.reading import locating
from anaphora.store.project import ProjectStore

TESTS = Path(__file__).parents[2]
GOLDEN = TESTS / "golden" / "projects" / "schema-8.zip"
NAMES = [name for name in zipfile.ZipFile(GOLDEN).namelist() if name != "made.json"]


@pytest.fixture(autouse=True)
def samples_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("benchmarks", "app/formats"):
        monkeypatch.syspath_prepend(str(TESTS / folder))


@pytest.mark.parametrize("name", NAMES)
def test_all_work_is_kept_and_exported_as_before(name: str, tmp_path: Path) -> None:
    """Of each format: joined, split, cut by the rules of the first version, without what later ones read."""
    from migrate_projects import problems

    with zipfile.ZipFile(GOLDEN) as golden:
        made = json.loads(golden.read("made.json"))[name]
        golden.extract(name, tmp_path)
    assert problems(tmp_path / name, made) == []


def old_project(folder: Path, name: str, data: bytes, *rows: tuple[str, str, str]) -> Path:
    """A project whose segments (number, source, target) do not know their places."""
    segments = tuple(
        Segment(f"{number}.{n:08x}", source, SegmentState(target, Status.CONFIRMED))
        for n, (number, source, target) in enumerate(rows)
    )
    known = read_bytes(data, name)
    source = SourceDocument(name, None, known.format, known.encoding, data, segments)
    ProjectStore.create(folder / "old.anaphora", source).close()
    return folder / "old.anaphora"


@pytest.fixture
def three_lines(tmp_path: Path) -> Iterator[OpenedProject]:
    """Of a text of three lines the project has the first and last, and one that is not in the file."""
    data = "甲句。再甲。\n乙句。\n丙句。\n".encode()
    rows = ("1.1", "甲句。", "A."), ("1.2", "再甲。", ""), ("7.1", "不在。", "Gone."), ("3.1", "丙句。", "C.")
    opened = open_project(old_project(tmp_path, "a.txt", data, *rows))
    yield opened
    opened.store.close()


def test_new_texts_are_offered_at_their_places(three_lines: OpenedProject) -> None:
    shown = [(each.source, each.target, each.block, each.span) for each in three_lines.document]
    assert shown == [
        ("甲句。", "A.", "#0", (0, 3)),
        ("再甲。", "", "#0", (3, 6)),
        ("不在。", "Gone.", "", None),
        ("乙句。", "", "#7", (0, 3)),
        ("丙句。", "C.", "#11", (0, 3)),
    ]
    assert any("did not read" in note and note.endswith(": 1.") for note in three_lines.notes)
    assert three_lines.documents[0].reader == READER
    assert three_lines.store.shape("1", "#7") == '["乙句。"]'


def test_what_has_no_place_keeps_its_text_and_stays_out_of_an_export_that_says_so(
    three_lines: OpenedProject, tmp_path: Path
) -> None:
    (info,), gone = three_lines.documents, three_lines.document.at(2)
    assert summarise(three_lines.document).without_place == 1, "said before the file is written"
    write_export(three_lines.store, info, snapshot(three_lines.document), tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text("utf-8") == "A.再甲。\n乙句。\nC.\n"
    assert three_lines.store.load_document().get(gone.id).target == "Gone."


def test_word_documents_are_exported_as_version_0_4_read_them(tmp_path: Path) -> None:
    import docx_samples as samples

    ruby = (
        "<w:r><w:ruby><w:rt><w:r><w:t>hàn</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>汉</w:t></w:r>"
        "</w:rubyBase></w:ruby></w:r>"
    )
    body = samples.TEXT.format("学") + ruby + samples.field("REF m", "图甲") + samples.TEXT.format("。")
    data = samples.paragraph(body)
    opened = open_project(old_project(tmp_path, "a.docx", data, ("1.1", "学{1/}。", "Learn {1/}.")))
    try:
        assert opened.document.at(0).block == "word/document.xml#p1 0.4"
        out = write_export(opened.store, opened.documents[0], snapshot(opened.document), tmp_path / "o.docx")
    finally:
        opened.store.close()
    written = samples.entries(out.read_bytes())["word/document.xml"].decode()
    assert "Learn" in written and "<w:ruby>" in written and "图甲" in written


def golden_project(folder: Path, zipped: str, name: str) -> OpenedProject:
    """A project that an earlier version made."""
    with zipfile.ZipFile(GOLDEN.with_name(zipped)) as golden:
        golden.extract(name, folder)
    return open_project(folder / name)


def confirmed_targets(opened: OpenedProject) -> list[str]:
    return [segment.target for segment in opened.document if segment.status is Status.CONFIRMED]


def exported(opened: OpenedProject, path: Path) -> bytes:
    """The first document, as it is written; closes the project."""
    written = write_export(opened.store, opened.documents[0], snapshot(opened.document), path)
    opened.store.close()
    return written.read_bytes()


def test_a_page_with_wiki_links_of_a_reader_that_did_not_know_them_is_exported(tmp_path: Path) -> None:
    """Made before they were read: three sentences confirmed, two of them with such links as text."""
    opened = golden_project(tmp_path, "reader-3.zip", "wiki-links.anaphora")
    assert confirmed_targets(opened) == [
        "See [[安装指南]] for instructions.",
        "Then run it.",
        "See also [[配置|Configuration]] and ![[图.png]].",
    ]
    assert "请看{1}安装指南{/1}的说明。" in [segment.source for segment in opened.document]
    assert summarise(opened.document).without_place == 2, "said before an export"
    text = exported(opened, tmp_path / "out.md").decode()
    assert "Then run it." in text and "[[安装指南]]" in text and "[[toc]]" in text


def test_a_page_with_notes_of_a_reader_that_cut_them_apart_is_exported(tmp_path: Path) -> None:
    """Made by reader 4: the sentence around Pandoc's note was two segments, both confirmed."""
    opened = golden_project(tmp_path, "reader-4.zip", "pandoc-notes.anaphora")
    assert confirmed_targets(opened) == [
        "The first sentence has a note^[The note is here.]",
        "Then it goes on.",
        "The second paragraph has none.",
    ]
    assert "第一句话有注{1}注释在这里。{/1}然后继续。" in [segment.source for segment in opened.document]
    assert summarise(opened.document).without_place == 2, "said before an export"
    text = exported(opened, tmp_path / "out.md").decode()
    assert "第一句话有注^[注释在这里。]然后继续。" in text and "The second paragraph has none." in text


@pytest.mark.parametrize(
    ("name", "sources", "kept"),
    [
        ("tracked.mqxliff", ["保留增加。"], '<mrk mtype="x-mq-tc" mq:tctype="del">删除</mrk>'),
        ("choice.properties", ["有{2/}消息", "没有", "一条", "{1/}条"], "{0,choice,0#没有|1#一条|1<{0}条}"),
    ],
)
def test_units_that_are_read_otherwise_now_are_new_ones_beside_the_old(
    tmp_path: Path, name: str, sources: list[str], kept: str
) -> None:
    """Made by reader 4, all confirmed: the new segments begin and end where old ones did."""
    opened = golden_project(tmp_path, "reader-4.zip", f"{name.partition('.')[0]}.anaphora")
    assert len(confirmed_targets(opened)) == 2 and summarise(opened.document).without_place == 1
    assert [segment.source for segment in opened.document if not segment.target] == sources
    text = exported(opened, tmp_path / name).decode()
    assert kept in text and "Done" in text


def test_a_paragraph_with_fitted_text_of_an_earlier_reader_is_exported(tmp_path: Path) -> None:
    """Made by reader 4, for which text fitted to a width had a look like others."""
    opened = golden_project(tmp_path, "reader-4.zip", "fitted.anaphora")
    assert confirmed_targets(opened) == ["Done {1}{/1}"] and summarise(opened.document).without_place == 0
    with zipfile.ZipFile(BytesIO(exported(opened, tmp_path / "out.docx"))) as made:
        text = made.read("word/document.xml").decode()
    assert "Done" in text and "fitText" not in text, "the rest of a paragraph never gets it"


READ_OTHERWISE: dict[int, list[tuple[str, int, list[str], str]]] = {
    5: [
        ("letter.txt", 0, [], "Dear {{ name }}, done 0\nDone 1"),
        ("lengths.ts", 0, [], "<lengthvariant>Done 0</lengthvariant></translation>"),
        ("entities.json", 0, [], '{"a":"Done 0&amp;","b":"Done 1"}'),
    ],
    6: [
        ("formula.md", 2, [], "Done 0\n\n\\[\n\\begin{aligned}\na &= b \\\\\n\nc &= d"),
        ("deleted.xlf", 1, ["旧新。"], "<target>Done 1</target>"),
        ("mixed.xml", 1, ["{1}一{/1}个{2/}文件", "{2}{4/}{/2}个{1/}文件"], '<string name="b">Done 1 @@x@@'),
    ],
    7: [
        (
            "shortcodes.md",
            2,
            ["第一段", "第二段。", "提示。"],
            '第一段\n{{< figure src="a.png" >}}\n第二段。\n',
        ),
        ("myst.md", 2, ["正文{1/}。"], "(标签)=\n# Done 1\n\n% 注释\n正文{ref}`甲`。\n\nDone 3"),
        ("bytes.ts", 0, [], '<translation>Done 0<byte value="x1f"/></translation>'),
    ],
    8: [
        ("hard.xml", 0, [], '<string name="a">Done 0</string>'),
        (
            "markup.xlf",
            0,
            [],
            '<source>粗&lt;b&gt;体&lt;/b&gt;字</source><target state="final">Done 0</target>',
        ),
        ("soft.ass", 0, [], ",,Done 0\n"),
        ("roles.md", 1, ["见{1}标题{/1}。"], "见{ref}`标题 <my-label>`。\n\nDone 1"),
        (
            "quoted.md",
            2,
            ["引文{1/}见{2}链接{/2}。"],
            '> [^1]: Done 1\n> [a]: https://example.com "标题"\n\nDone 3',
        ),
        ("tabs.md", 1, ["苹果"], "@tab 苹果#apple\n\nDone 1"),
    ],
}
"""By the reader that made a project, all confirmed: a file, how many texts have no place any more, the new
ones, and what the export says.

Of reader 5 looks in rubies, templates, lengths of Qt's and entities; of reader 6 rubies, Mako, formulas,
deletions and own patterns in messages; of reader 7 statements of templates on lines of their own, MyST's
comments, and bytes of Qt's; of reader 8 no-break spaces, markup escaped in XLIFF, the Template Toolkit's
code, soft breaks of subtitles, texts of MyST's roles, definitions of links in quotes, and VuePress's tabs."""


@pytest.mark.parametrize(
    ("reader", "name", "without", "sources", "kept"),
    [(reader, *case) for reader, cases in READ_OTHERWISE.items() for case in cases],
)
def test_what_a_reader_read_otherwise_keeps_its_translation_or_is_new_beside_the_old(
    tmp_path: Path, reader: int, name: str, without: int, sources: list[str], kept: str
) -> None:
    opened = golden_project(tmp_path, f"reader-{reader}.zip", f"{name.partition('.')[0]}.anaphora")
    assert summarise(opened.document).without_place == without
    assert [segment.source for segment in opened.document if not segment.target] == sources
    assert kept in exported(opened, tmp_path / name).decode()


@pytest.mark.parametrize(
    ("name", "source", "part", "kept"),
    [
        ("readings.odt", "爱北京城。", "content.xml", "爱<text:ruby>"),
        ("escaped.xlsx", "叫做_x000D_的键", "xl/worksheets/sheet1.xml", "<t>叫做_x005F_x000D_的键</t>"),
    ],
)
def test_packages_of_reader_5_are_exported(
    tmp_path: Path, name: str, source: str, part: str, kept: str
) -> None:
    opened = golden_project(tmp_path, "reader-5.zip", f"{name.partition('.')[0]}.anaphora")
    assert source in [segment.source for segment in opened.document if not segment.target]
    with zipfile.ZipFile(BytesIO(exported(opened, tmp_path / name))) as made:
        assert kept in made.read(part).decode()


def test_escapes_in_tables_that_have_become_tags_keep_their_translations(tmp_path: Path) -> None:
    """Made by reader 4, which took them for letters."""
    opened = golden_project(tmp_path, "reader-4.zip", "escapes.anaphora")
    assert len(confirmed_targets(opened)) == 2 and summarise(opened.document).without_place == 0
    assert next(segment.source for segment in opened.document) == "你好{1/}世界"
    assert "Done" in exported(opened, tmp_path / "escapes.csv").decode()


def test_a_newer_reader_offers_what_it_has_learned_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("甲句。\n乙句。\n丙句。\n", "utf-8")
    opened = open_paths([path])
    before = [*opened.document]
    with opened.store.writing() as connection:
        connection.execute("DELETE FROM segments WHERE position = 1")
        connection.execute("UPDATE segments SET position = 1 WHERE position = 2")
        connection.execute("DELETE FROM blocks WHERE address = ?", (before[1].block,))
    opened.store.close()
    monkeypatch.setattr(locating, "READER", READER + 1)
    again = open_paths([path])
    assert [*again.document] == before
    assert again.documents[0].reader == READER + 1
    again.store.close()


def test_a_project_of_this_version_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("甲句。\n", "utf-8")
    open_paths([path]).store.close()
    monkeypatch.setattr(locating, "find_blocks", lambda *_: pytest.fail("it was read"))
    open_paths([path]).store.close()


def test_a_project_that_is_saved_from_another_learns_its_places_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("# 题目\n\n账本**很大**。节点[读取](u)它。\n", "utf-8")
    opened = open_paths([path])
    before, shapes = [*opened.document], opened.store.shapes("1")
    opened.store.close()
    saved = open_project(rescue(opened.store.path).project)
    assert [*saved.document] == before and all(each.span for each in before)
    assert saved.store.shapes("1") == shapes != {}
    saved.store.close()


def test_an_original_that_cannot_be_read_any_more_leaves_the_project_usable(tmp_path: Path) -> None:
    source = SourceDocument("a.docx", None, "docx", "", b"no package", (Segment("1.1.0", "甲句。"),))
    ProjectStore.create(tmp_path / "old.anaphora", source).close()
    opened = open_project(tmp_path / "old.anaphora")
    assert [each.source for each in opened.document] == ["甲句。"]
    opened.store.close()
