"""Writes and reads bilingual tables for reviewers, as Word documents.

A row has a number, source, translation, status and comments. A token in the file's properties identifies the
export in the project. Without the token, every difference counts as a conflict.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

from anaphora.core.errors import Message
from anaphora.core.structure import MAX_TARGET_LENGTH
from anaphora.core.text import without_controls
from anaphora.formats.base import xml
from anaphora.formats.base.format import FormatError, check_markup, check_sentences
from anaphora.formats.base.package import Package
from anaphora.formats.office.opc import W, core_properties, load, relations
from anaphora.formats.registry import content_of
from anaphora.system.files import write_atomically

SUFFIX = ".docx"
COLUMNS = 5


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A segment in a review file, numbered from 1. `comments` has one per line; `status` is only written."""

    number: int
    source: str
    target: str
    status: str = ""
    comments: str = ""


@dataclass(frozen=True, slots=True)
class ReviewTable:
    """A review file. `token` identifies the export ("" if the file lost it); `headings` are only written."""

    token: str
    rows: tuple[ReviewRow, ...]
    headings: tuple[str, ...] = ()


def write_table(table: ReviewTable, title: str, destination: Path) -> Path:
    """Write a table as a Word document. Raises ExportError; an existing file then stays unchanged."""
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
    document.add_heading(without_controls(title), 1)
    grid = document.add_table(rows=1, cols=COLUMNS)
    grid.style = "Table Grid"
    grid.autofit = False
    widths = (Mm(14), Mm(88), Mm(98), Mm(25), Mm(42))
    _fill_row(grid.rows[0], table.headings, widths, True)
    for row in table.rows:
        line = (str(row.number), row.source, row.target, row.status, row.comments)
        _fill_row(grid.add_row(), line, widths, False)
    data = BytesIO()
    document.save(data)
    write_atomically(data.getvalue(), destination)
    return destination


def _fill_row(row: Any, texts: Sequence[str], widths: Sequence[object], bold: bool) -> None:
    for cell, text, width in zip(row.cells, texts, widths, strict=False):
        cell.width = width
        paragraph = cell.paragraphs[0]
        paragraph.paragraph_format.space_after = 0
        paragraph.add_run(without_controls(text)).bold = bold


MAX_ELEMENTS = 5_000_000
"""Maximum number of XML elements in the file's main part; a row that this app writes has 60 elements."""
MAX_ROWS = 300_000
"""Maximum number of rows in a file; reading a row takes about 0.01 ms."""
_EXCLUDED_PARENTS = (f"{W}moveFrom", f"{W}del", f"{W}tabs")

TableRow = tuple[Sequence[str], str]
"""The cells' texts in a row of the Word table, and the row's comments in the margin."""


def read_table(path: Path) -> ReviewTable:
    """Read a reviewed table.

    Raises:
        FormatError: the file cannot be read, has no review table, or exceeds the limits.
    """
    no_table = _no_table_error(path.name)
    data = content_of(path)
    if not zipfile.is_zipfile(BytesIO(data)):
        raise no_table
    package = Package(data)
    links = relations(package, "").values()
    main = next((link.target for link in links if link.kind == "officeDocument"), "")
    if not main:
        raise no_table
    rows = _rows(_table_rows(package, main))
    if not rows:
        raise no_table
    return ReviewTable(_token(package), rows)


def _no_table_error(name: str) -> FormatError:
    return FormatError(
        Message("“{name}” contains no review table.", name=name),
        "Choose the reviewed file that was exported from this project.",
    )


def _token(package: Package) -> str:
    properties = core_properties(package)
    identifier = properties.tree.getroot().findtext("{*}identifier") if properties is not None else ""
    return identifier or ""


def _rows(table_rows: Iterable[TableRow]) -> tuple[ReviewRow, ...]:
    rows = []
    for count, (cells, margin) in enumerate(table_rows):
        check_markup(count, MAX_ROWS)
        number = cells[0].strip().removesuffix(".0") if cells else ""
        if number.isdecimal() and len(cells) >= 3:
            column = cells[4] if len(cells) > 4 else ""
            comments = _joined(part for part in (column.strip(), margin) if part)
            rows.append(ReviewRow(int(number[:9]), cells[1], cells[2], "", comments))
            check_sentences(len(rows))
    return tuple(rows)


def _joined(parts: Iterable[str], separator: str = "\n") -> str:
    joined, length = [], 0
    for part in parts:
        joined.append(part)
        length += len(part) + 1  # empty parts count too, because they take time
        if length > 2 * MAX_TARGET_LENGTH:
            raise FormatError("The table has a cell that is too long.", "Shorten or remove it.")
    return separator.join(joined)


def _table_rows(package: Package, main: str) -> Iterator[TableRow]:
    links = relations(package, main).values()
    comments = {}
    for link in links:
        if link.kind == "comments":
            for comment in load(package, link.target).tree.iter(f"{W}comment"):
                author, text = comment.get(f"{W}author") or "", _text_of(comment)
                comments[comment.get(f"{W}id") or ""] = f"{author}: {text}" if author else text
    data = package.read(main)
    check_markup(data.count(b"<") - data.count(b"</"), MAX_ELEMENTS)
    for row in xml.stream(data, (f"{W}tr",), main):
        cells = [_text_of(cell) for cell in islice(row.iterchildren(f"{W}tc"), COLUMNS)]
        keys = dict.fromkeys(node.get(f"{W}id") for node in row.iter(f"{W}commentReference"))
        yield cells, _joined(comments[key] for key in keys if key in comments)


def _text_of(cell: xml.Element) -> str:
    """The text of a cell with all tracked changes accepted."""
    return _joined(_pieces(cell), "").strip()


def _pieces(cell: xml.Element) -> Iterator[str]:
    for number, paragraph in enumerate(cell.iter(f"{W}p")):
        yield "\n" if number else ""
        for node in paragraph.iter(f"{W}t", f"{W}tab", f"{W}br", f"{W}cr", f"{W}noBreakHyphen"):
            if any(parent.tag in _EXCLUDED_PARENTS for parent in node.iterancestors()):
                yield ""
                continue
            tag = node.tag.removeprefix(W)
            yield node.text or "" if tag == "t" else {"noBreakHyphen": "-", "tab": "\t"}.get(tag, "\n")
