"""Bilingual tables for reviewers as Word documents: their content, and writing them.

A row has a number, source, translation, status and comments. A token in the file's properties identifies the
export in the project; without it, every difference counts as a conflict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from anaphora.core.text import without_controls
from anaphora.system.files import write_atomically

SUFFIX = ".docx"
COLUMNS = 5


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A segment in a review file, with its number from 1 (0 if unknown), and a comment per line."""

    number: int
    source: str
    target: str
    status: str = ""
    comments: str = ""


@dataclass(frozen=True, slots=True)
class ReviewTable:
    """A review file; its token identifies the export ("" if lost)."""

    token: str
    rows: tuple[ReviewRow, ...]
    headings: tuple[str, ...] = ()


def write_table(table: ReviewTable, title: str, destination: Path) -> Path:
    """Write a table.

    Raises:
        ExportError: the file cannot be written; an existing file stays unchanged.
    """
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
