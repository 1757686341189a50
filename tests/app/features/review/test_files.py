"""Review files are written and read; only a reviewer's changes are found."""

from __future__ import annotations

import copy
import zipfile
from pathlib import Path

import pytest
from docx import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.features.review.changes import Exported, ReviewKind, compare
from anaphora.features.review.files import ReviewRow, ReviewTable, read_table, write_table
from anaphora.formats.base.format import FormatError

TARGETS = (
    "The ledger.",
    "=1+1 is two",
    "Line one\nline two",
    "A {1}bold{/1} word & <tag>",
    "",
    "结尾 \U0001f600",
)
ROWS = tuple(
    ReviewRow(number, f"原文 {number}。", text, "Edited", "Sure?" if number == 1 else "")
    for number, text in enumerate(TARGETS, 1)
)
TABLE = ReviewTable("token-1", ROWS, ("No.", "Source", "Translation", "Status", "Comments"))
SEGMENTS = tuple(
    Segment(f"1/{row.number}", row.source, SegmentState(row.target, Status.EDITED)) for row in ROWS
)
EXPORTED = {row.number: Exported(f"1/{row.number}", row.target, row.comments) for row in ROWS}


def write_sample(folder: Path) -> Path:
    return write_table(TABLE, "指南.zh.docx", folder / "review.docx")


def test_written_tables_are_read_back_unchanged(tmp_path: Path) -> None:
    back = read_table(write_sample(tmp_path))
    assert back.token == "token-1"
    assert [(row.number, row.source, row.target, row.comments) for row in back.rows] == [
        (row.number, row.source, row.target, row.comments) for row in ROWS
    ]
    assert compare(back.rows, SEGMENTS, EXPORTED) == []


def track(paragraph, old: str, new: str) -> None:
    """Replace a paragraph's text with tracked changes."""
    run = paragraph.runs[0]._r
    text = run.find(qn("w:t"))
    before, after = text.text.split(old)
    text.text = before
    text.set(qn("xml:space"), "preserve")
    deleted, inserted = OxmlElement("w:del"), OxmlElement("w:ins")
    for holder, kind, said in ((deleted, "w:delText", old), (inserted, "w:t", new)):
        new_run, piece = OxmlElement("w:r"), OxmlElement(kind)
        piece.text = said
        new_run.append(piece)
        holder.append(new_run)
    rest = copy.deepcopy(run)
    rest.find(qn("w:t")).text = after
    for element in (rest, inserted, deleted):
        run.addnext(element)


def test_tracked_changes_and_comments_in_the_margin_are_found(tmp_path: Path) -> None:
    path = write_sample(tmp_path)
    document = Document(str(path))
    cells = document.tables[0].rows[1].cells
    track(cells[2].paragraphs[0], "ledger", "account book")
    commented = document.tables[0].rows[4].cells[2].paragraphs[0].runs
    document.add_comment(commented, text="Really bold?", author="Rita")
    document.save(str(path))
    found = compare(read_table(path).rows, SEGMENTS, EXPORTED)
    assert [(each.kind, each.segment, each.after, each.comments) for each in found] == [
        (ReviewKind.CHANGED, "1/1", "The account book.", ""),
        (ReviewKind.COMMENT, "1/4", TARGETS[3], "Rita: Really bold?"),
    ]


def test_changes_on_both_sides_are_conflicts() -> None:
    here = list(SEGMENTS)
    here[0] = Segment("1/1", "原文 1。", SegmentState("Mine.", Status.CONFIRMED))
    here[1] = Segment("1/2", "原文 2。", SegmentState(TARGETS[1], Status.LOCKED))
    theirs = [ReviewRow(row.number, row.source, f"Theirs {row.number}.") for row in ROWS[:3]]
    found = compare([*theirs, ReviewRow(9, "没有这句。", "Nowhere.")], here, EXPORTED)
    assert [(each.kind, each.number) for each in found] == [
        (ReviewKind.CONFLICT, 1),
        (ReviewKind.LOCKED, 2),
        (ReviewKind.CHANGED, 3),
        (ReviewKind.MISSING, 9),
    ]
    assert [each.is_applicable for each in found] == [True, False, True, False]
    untouched = compare(ROWS, here, EXPORTED)
    assert untouched == [], "changes in the project only are not the reviewer's"


def test_without_its_token_every_difference_is_a_conflict() -> None:
    here = (Segment("1/1", "原文 1。", SegmentState("Mine.", Status.EDITED)), *SEGMENTS[1:])
    assert [each.kind for each in compare(ROWS, here, {})] == [ReviewKind.CONFLICT]


def test_rows_are_found_again_when_segments_have_moved() -> None:
    moved = (Segment("1/0", "新的一句。", SegmentState("New.", Status.EDITED)), *SEGMENTS)
    theirs = [ReviewRow(2, "原文 2。", "Two.")]
    assert [each.segment for each in compare(theirs, moved, {})] == ["1/2"]
    assert [each.segment for each in compare(theirs, moved, EXPORTED)] == ["1/2"]


@pytest.mark.parametrize("damage", ["empty", "text", "zip", "cut", "other"])
def test_a_file_that_is_not_a_review_is_refused_with_a_message(tmp_path: Path, damage: str) -> None:
    path = write_sample(tmp_path)
    data = path.read_bytes()
    match damage:
        case "empty":
            path.write_bytes(b"")
        case "text":
            path.write_text("no package")
        case "zip":
            with zipfile.ZipFile(path, "w") as package:
                package.writestr("a.txt", "nothing")
        case "cut":
            path.write_bytes(data[: len(data) // 2])
        case "other":
            write_table(ReviewTable("", (), TABLE.headings), "x", path)
    with pytest.raises(FormatError, match="review table"):
        read_table(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"</w:tbl>", b"</w:tbl>" + b"<w:p/>" * 5_000_001, "tags and texts"),
        (b"The ledger.", b"x" * 200_000, "cell that is too long"),
        (b"<w:t>The ledger.</w:t>", b"<w:t/>" * 200_000, "cell that is too long"),
    ],
)
def test_a_table_that_exceeds_the_limits_is_refused(
    tmp_path: Path, old: bytes, new: bytes, message: str
) -> None:
    path = write_sample(tmp_path)
    with zipfile.ZipFile(path) as package:
        parts = {each: package.read(each) for each in package.namelist()}
    parts["word/document.xml"] = parts["word/document.xml"].replace(old, new)
    with zipfile.ZipFile(path, "w") as package:  # not packed, because a high compression ratio is refused too
        for each, content in parts.items():
            package.writestr(each, content)
    with pytest.raises(FormatError, match=message):
        read_table(path)
