"""Bilingual tables for reviewers, as Word documents or workbooks: written, and read when they come back.

A row has a number, source, translation, status and comments. The file carries a token in its properties by
which the project finds what it had written; without it every difference counts as one that was changed on
both sides. Changes are found whether they were tracked or typed over, and comments whether they stand in the
column, in a margin or in a cell's note.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from lxml import etree

from anaphora.core.errors import Message
from anaphora.core.files import write_atomically
from anaphora.core.open_files import refuse_open_file
from anaphora.core.text import without_controls
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import MAX_BYTES

WORD, WORKBOOK = ".docx", ".xlsx"
SUFFIXES = (WORD, WORKBOOK)
COLUMNS = 5
MOST_UNPACKED = 512 * 2**20
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_GONE = (f"{_W}moveFrom", f"{_W}del", f"{_W}tabs")
_COMMENTS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments"


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A segment in a review file.

    Attributes:
        number: in the document, from 1; 0 where the cell holds none.
        comments: of the column, and those that a reviewer put beside it, one below the other.
    """

    number: int
    source: str
    target: str
    status: str = ""
    comments: str = ""


@dataclass(frozen=True, slots=True)
class ReviewTable:
    """A review file.

    Attributes:
        token: by which the project knows what it wrote; "" where the file has lost it.
        headings: of the columns.
    """

    token: str
    rows: tuple[ReviewRow, ...]
    headings: tuple[str, ...] = ()


def write_table(table: ReviewTable, title: str, destination: Path) -> Path:
    """Write a table; the suffix says as what.

    Raises:
        ExportError: it cannot be written; what stood there is as it was.
    """
    data = BytesIO()
    writer = _write_word if destination.suffix.lower() == WORD else _write_workbook
    writer(table, title, data)
    write_atomically(data.getvalue(), destination)
    return destination


def read_table(path: Path) -> ReviewTable:
    """Read a table that came back.

    Raises:
        FormatError: it cannot be read, or holds no such table.
    """
    name = path.name
    refuse_open_file(path)
    try:
        if path.stat().st_size > MAX_BYTES or _unpacked(path) > MOST_UNPACKED:
            raise FormatError(
                Message("“{name}” is too large.", name=name), "Split it into smaller documents."
            )
        table = (_read_word if path.suffix.lower() == WORD else _read_workbook)(path)
    except FormatError:
        raise
    except OSError as error:
        raise FormatError(
            Message("“{path}” could not be read: {error}.", path=path, error=error),
            "Check the drive or the network.",
        ) from error
    except (
        KeyError,
        ValueError,
        TypeError,
        AttributeError,
        IndexError,
        zipfile.BadZipFile,
        etree.XMLSyntaxError,
        ParseError,
        NotImplementedError,
    ) as error:
        # What the libraries raise at files that are no such packages.
        raise _no_table(name) from error
    if not table.rows:
        raise _no_table(name)
    return table


def _no_table(name: str) -> FormatError:
    return FormatError(
        Message("“{name}” holds no review table.", name=name),
        "Choose the file that was exported for review and has come back.",
    )


def _unpacked(path: Path) -> int:
    with zipfile.ZipFile(path) as package:
        return sum(entry.file_size for entry in package.infolist())


# Word


def _write_word(table: ReviewTable, title: str, data: BytesIO) -> None:
    from docx import Document
    from docx.enum.section import WD_ORIENT
    from docx.shared import Mm, Pt

    document: Any = Document()
    section = document.sections[0]
    section.orientation = WD_ORIENT.LANDSCAPE
    section.page_width, section.page_height = Mm(297), Mm(210)
    for side in ("left_margin", "right_margin", "top_margin", "bottom_margin"):
        setattr(section, side, Mm(15))
    document.core_properties.identifier = table.token
    document.core_properties.title = title[:255]
    document.styles["Normal"].font.size = Pt(10)
    document.add_heading(_clean(title), 1)
    grid = document.add_table(rows=1, cols=COLUMNS)
    grid.style = "Table Grid"
    grid.autofit = False
    widths = (Mm(14), Mm(88), Mm(98), Mm(25), Mm(42))
    _fill_word_row(grid.rows[0], table.headings, widths, True)
    for row in table.rows:
        line = (str(row.number), row.source, row.target, row.status, row.comments)
        _fill_word_row(grid.add_row(), line, widths, False)
    document.save(data)


def _fill_word_row(row: Any, texts: Sequence[str], widths: Sequence[object], bold: bool) -> None:
    for cell, text, width in zip(row.cells, texts, widths, strict=False):
        cell.width = width
        paragraph = cell.paragraphs[0]
        paragraph.paragraph_format.space_after = 0
        paragraph.add_run(_clean(text)).bold = bold


def _read_word(path: Path) -> ReviewTable:
    from docx import Document

    document: Any = Document(str(path))
    said = _word_comments(document)
    rows = []
    for grid in document.tables:
        for row in grid._tbl.tr_lst:
            cells = [_word_text(cell) for cell in row.tc_lst]
            beside = "\n".join(said[key] for key in _references(row) if key in said)
            rows.append((cells, beside))
    return ReviewTable(str(document.core_properties.identifier or ""), _rows(rows))


def _word_text(cell: Any) -> str:
    """What a cell says once all tracked changes are taken: what was deleted or moved away is not there."""
    paragraphs = []
    for paragraph in cell.iter(f"{_W}p"):
        parts = []
        for node in paragraph.iter(f"{_W}t", f"{_W}tab", f"{_W}br", f"{_W}cr", f"{_W}noBreakHyphen"):
            if any(parent.tag in _GONE for parent in node.iterancestors()):
                continue
            tag = node.tag.removeprefix(_W)
            parts.append(
                node.text or "" if tag == "t" else {"noBreakHyphen": "-", "tab": "\t"}.get(tag, "\n")
            )
        paragraphs.append("".join(parts))
    return "\n".join(paragraphs).strip()


def _references(row: Any) -> list[str]:
    return [node.get(f"{_W}id") for node in row.iter(f"{_W}commentReference")]


def _word_comments(document: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for relation in document.part.rels.values():
        if relation.reltype == _COMMENTS:
            parser = etree.XMLParser(resolve_entities=False, no_network=True)
            root = etree.fromstring(relation.target_part.blob, parser)
            for comment in root.iter(f"{_W}comment"):
                author, text = comment.get(f"{_W}author") or "", _word_text(comment)
                found[comment.get(f"{_W}id") or ""] = f"{author}: {text}" if author else text
    return found


# Workbooks


def _write_workbook(table: ReviewTable, title: str, data: BytesIO) -> None:
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font

    book = Workbook()
    book.properties.identifier = table.token
    book.properties.title = title[:255]
    sheet: Any = book.active
    sheet.append(list(table.headings))
    for row in table.rows:
        sheet.append([row.number])
        for column, text in enumerate((row.source, row.target, row.status, row.comments), 2):
            cell = sheet.cell(sheet.max_row, column)
            # A text that begins with "=" is no formula.
            cell.value, cell.data_type = _clean(text), "s"
    for letter, width in zip("ABCDE", (7, 55, 65, 16, 34), strict=True):
        sheet.column_dimensions[letter].width = width
    for cells in sheet.iter_rows():
        for cell in cells:
            cell.alignment = Alignment(wrap_text=True, vertical="top")
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    sheet.freeze_panes = "A2"
    book.save(data)


def _read_workbook(path: Path) -> ReviewTable:
    from openpyxl import load_workbook

    book = load_workbook(path, data_only=True)
    rows = []
    for cells in book.worksheets[0].iter_rows():
        texts = ["" if cell.value is None else str(cell.value).strip() for cell in cells]
        beside = "\n".join(cell.comment.text.strip() for cell in cells if cell.comment is not None)
        rows.append((texts, beside))
    return ReviewTable(str(book.properties.identifier or ""), _rows(rows))


def _rows(lines: Iterable[tuple[Sequence[str], str]]) -> tuple[ReviewRow, ...]:
    """The lines of a table that begin with a number."""
    found = []
    for cells, beside in lines:
        number = cells[0].strip().removesuffix(".0") if cells else ""
        if number.isdecimal() and len(cells) >= 3:
            column = cells[4] if len(cells) > 4 else ""
            comments = "\n".join(part for part in (column.strip(), beside) if part)
            found.append(ReviewRow(int(number[:9]), cells[1], cells[2], "", comments))
    return tuple(found)


def _clean(text: str) -> str:
    return without_controls(text)
