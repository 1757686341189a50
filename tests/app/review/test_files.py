"""Review files go out and come back: what a reviewer did is found, and nothing else counts as a change."""

from __future__ import annotations

import copy
import re
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from docx import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from growth import takes_less_than
from openpyxl import load_workbook
from openpyxl.comments import Comment

from anaphora.core.long_work import CancelledError, LongWork
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.formats.base.format import FormatError
from anaphora.review.changes import Finding, Given, compare
from anaphora.review.files import SUFFIXES, ReviewRow, ReviewTable, write_table
from anaphora.review.reading import read_table

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
GIVEN = {row.number: Given(f"1/{row.number}", row.target, row.comments) for row in ROWS}


def written(folder: Path, suffix: str) -> Path:
    return write_table(TABLE, "指南.zh.docx", folder / f"review{suffix}")


@pytest.mark.slow
def test_a_row_takes_no_longer_in_a_long_workbook(tmp_path: Path) -> None:
    def writing(rows: int) -> float:
        table = replace(TABLE, rows=ROWS[:1] * rows)
        begun = time.process_time()
        write_table(table, "a", tmp_path / f"{rows}.xlsx")
        return time.process_time() - begun

    assert takes_less_than(7, lambda: writing(400), lambda: writing(1600))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_written_comes_back_as_it_was(tmp_path: Path, suffix: str) -> None:
    back = read_table(written(tmp_path, suffix))
    assert back.token == "token-1"
    assert [(row.number, row.source, row.target, row.comments) for row in back.rows] == [
        (row.number, row.source, row.target, row.comments) for row in ROWS
    ]
    assert compare(back.rows, SEGMENTS, GIVEN) == []


def test_a_workbooks_changes_and_notes_are_found(tmp_path: Path) -> None:
    path = written(tmp_path, ".xlsx")
    book = load_workbook(path)
    sheet = book.active
    assert sheet["C3"].data_type == "s", "no formula"
    sheet["C2"] = "The account book."
    sheet["E2"] = "Sure?\nYes."
    sheet["C4"].comment = Comment("Why two lines?", "Reviewer")
    book.save(path)
    found = compare(read_table(path).rows, SEGMENTS, GIVEN)
    assert [(each.finding, each.segment, each.after, each.comments) for each in found] == [
        (Finding.CHANGED, "1/1", "The account book.", "Yes."),
        (Finding.COMMENT, "1/3", "Line one\nline two", "Why two lines?"),
    ]


def track(paragraph, old: str, new: str) -> None:
    """Replace a paragraph's text as a word processor does that tracks changes."""
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
    path = written(tmp_path, ".docx")
    document = Document(str(path))
    cells = document.tables[0].rows[1].cells
    track(cells[2].paragraphs[0], "ledger", "account book")
    commented = document.tables[0].rows[4].cells[2].paragraphs[0].runs
    document.add_comment(commented, text="Really bold?", author="Rita")
    document.save(str(path))
    found = compare(read_table(path).rows, SEGMENTS, GIVEN)
    assert [(each.finding, each.segment, each.after, each.comments) for each in found] == [
        (Finding.CHANGED, "1/1", "The account book.", ""),
        (Finding.COMMENT, "1/4", TARGETS[3], "Rita: Really bold?"),
    ]


def test_what_was_changed_on_both_sides_is_asked_about() -> None:
    here = list(SEGMENTS)
    here[0] = Segment("1/1", "原文 1。", SegmentState("Mine.", Status.CONFIRMED))
    here[1] = Segment("1/2", "原文 2。", SegmentState(TARGETS[1], Status.LOCKED))
    theirs = [ReviewRow(row.number, row.source, f"Theirs {row.number}.") for row in ROWS[:3]]
    found = compare([*theirs, ReviewRow(9, "没有这句。", "Nowhere.")], here, GIVEN)
    assert [(each.finding, each.number) for each in found] == [
        (Finding.CONFLICT, 1),
        (Finding.LOCKED, 2),
        (Finding.CHANGED, 3),
        (Finding.MISSING, 9),
    ]
    assert [each.can_be_taken for each in found] == [True, False, True, False]
    untouched = compare(ROWS, here, GIVEN)
    assert untouched == [], "what was changed here alone is no change of the reviewer's"


def test_without_its_token_every_difference_is_asked_about() -> None:
    here = (Segment("1/1", "原文 1。", SegmentState("Mine.", Status.EDITED)), *SEGMENTS[1:])
    assert [each.finding for each in compare(ROWS, here, {})] == [Finding.CONFLICT]


def test_a_table_with_far_more_rows_than_the_project_has_is_of_another_one() -> None:
    rows = [ReviewRow(number, f"没有这句 {number}。", "Nowhere.") for number in range(1, 1014)]
    assert len(compare(rows[:1012], SEGMENTS, {})) == 1012
    with pytest.raises(FormatError, match="1013 rows, and the project 6 segments"):
        compare(rows, SEGMENTS, {})


def test_rows_are_found_again_when_segments_have_moved() -> None:
    moved = (Segment("1/0", "新的一句。", SegmentState("New.", Status.EDITED)), *SEGMENTS)
    theirs = [ReviewRow(2, "原文 2。", "Two.")]
    assert [each.segment for each in compare(theirs, moved, {})] == ["1/2"]
    assert [each.segment for each in compare(theirs, moved, GIVEN)] == ["1/2"]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("damage", ["empty", "text", "zip", "cut", "other"])
def test_a_file_that_is_no_review_is_refused_with_a_message(tmp_path: Path, suffix: str, damage: str) -> None:
    path = written(tmp_path, suffix)
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


def replace_part(path: Path, name: str, change) -> None:
    """Write a package anew with another content of one part."""
    with zipfile.ZipFile(path) as package:
        parts = {each: package.read(each) for each in package.namelist()}
    parts[name] = change(parts.get(name, b""))
    with zipfile.ZipFile(path, "w") as package:  # not packed: what grows a lot is refused as such
        for each, content in parts.items():
            package.writestr(each, content)


SHEET, BODY = "xl/worksheets/sheet1.xml", "word/document.xml"
_FAR = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
_MERGED = b'</sheetData><mergeCells count="1"><mergeCell ref="G1:XFD1048576"/></mergeCells>'


@pytest.mark.parametrize("end", [_FAR, _MERGED], ids=["a far cell", "merged cells"])
def test_a_workbook_costs_what_its_cells_do(tmp_path: Path, end: bytes) -> None:
    path = written(tmp_path, ".xlsx")
    replace_part(path, SHEET, lambda sheet: sheet.replace(b"</sheetData>", end))
    assert len(process_of(path)) == len(ROWS)


def test_strings_that_cells_share_are_read_as_excel_writes_them(tmp_path: Path) -> None:
    path = written(tmp_path, ".xlsx")
    strings: list[bytes] = []

    def share(sheet: bytes) -> bytes:
        def index(match: re.Match[bytes]) -> bytes:
            strings.append(match[2])
            return b'%s t="s"><v>%d</v></c>' % (match[1], len(strings) - 1)

        return re.sub(rb'(<c [^>]*?) t="inlineStr"><is>(.*?)</is></c>', index, sheet, flags=re.DOTALL)

    replace_part(path, SHEET, share)
    assert len(strings) > 3 * len(ROWS)
    pronounced = b'<rPh sb="0" eb="1"><t>yuanwen</t></rPh>'
    items = b"".join(b"<si>%s%s</si>" % (each, pronounced) for each in strings)
    link = b'<Relationship Id="rIdX" Type="%s/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
    kind = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    replace_part(
        path,
        "xl/_rels/workbook.xml.rels",
        lambda links: links.replace(b"</Relationships>", link % kind),
    )
    space = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    replace_part(path, "xl/sharedStrings.xml", lambda _: b'<sst xmlns="%s">%s</sst>' % (space, items))
    assert compare(read_table(path).rows, SEGMENTS, GIVEN) == []


def process_of(path: Path) -> list[int]:
    """The numbers of a table's rows, read in a process that has 1 GiB and 10 s of processor time for it."""
    code = (
        "import resource, sys; from pathlib import Path; from anaphora.review.reading import read_table; "
        "own = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize(); "
        "resource.setrlimit(resource.RLIMIT_AS, (own + 2**30, own + 2**30)); "
        "spent = sum(resource.getrusage(resource.RUSAGE_SELF)[:2]); "
        "resource.setrlimit(resource.RLIMIT_CPU, (int(spent) + 10, int(spent) + 11)); "
        "print(*(row.number for row in read_table(Path(sys.argv[1])).rows))"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [int(number) for number in done.stdout.split()]


@pytest.mark.parametrize(
    ("suffix", "part", "old", "new", "message"),
    [
        (".docx", BODY, b"</w:tbl>", b"</w:tbl>" + b"<w:p/>" * 5_000_001, "tags and texts"),
        (".docx", BODY, b"The ledger.", b"x" * 200_000, "cell that is too long"),
        (".docx", BODY, b"<w:t>The ledger.</w:t>", b"<w:t/>" * 200_000, "cell that is too long"),
        (".xlsx", SHEET, b"</sheetData>", b"<row/>" * 300_001 + b"</sheetData>", "tags and texts"),
        (".xlsx", SHEET, b"The ledger.", b"x" * 200_000, "cell that is too long"),
    ],
)
def test_a_table_with_more_than_one_has_is_refused(
    tmp_path: Path, suffix: str, part: str, old: bytes, new: bytes, message: str
) -> None:
    path = written(tmp_path, suffix)
    replace_part(path, part, lambda content: content.replace(old, new))
    with pytest.raises(FormatError, match=message):
        read_table(path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_reading_a_table_is_given_up_at_its_next_row(tmp_path: Path, suffix: str) -> None:
    rows = tuple(ReviewRow(number, f"第{number}句。", f"Sentence {number}.") for number in range(1, 501))
    path = write_table(ReviewTable("t", rows, TABLE.headings), "x", tmp_path / f"large{suffix}")
    shares: list[float] = []
    assert len(read_table(path, shares.append).rows) == 500
    assert shares == sorted(shares) and len(shares) > 10
    work = LongWork()

    def stop(share: float) -> None:
        if share > shares[len(shares) // 2]:
            work.cancel()
        work.step(share)

    with pytest.raises(CancelledError):
        read_table(path, stop)
