"""Reading the tables of reviewers, which are untrusted: each row by itself, within bounds.

Changes are found whether they were tracked or typed over, and comments whether they stand in the column or in
a margin.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import islice
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.core.shortening import MOST_TARGET
from anaphora.features.review.files import COLUMNS, ReviewRow, ReviewTable
from anaphora.formats.base import xml
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.limits import check_markup, check_sentences
from anaphora.formats.base.package import Package
from anaphora.formats.office.opc import W, core_properties, load, relations
from anaphora.formats.registry import content_of

MOST_ELEMENTS = 5_000_000
"""Elements of a part. A row of a table that this app wrote has sixty; other elements all stay in memory."""
MOST_LINES = 300_000
"""Rows with and without a segment; one takes some 0.01 ms."""
_GONE = (f"{W}moveFrom", f"{W}del", f"{W}tabs")

Line = tuple[Sequence[str], str]
"""The texts of a row's cells, and what is said beside them."""


def read_table(path: Path) -> ReviewTable:
    """Read a table that came back.

    Raises:
        FormatError: it cannot be read, holds no such table, or more than one has.
    """
    table = _no_table(path.name)
    data = content_of(path)
    if not zipfile.is_zipfile(BytesIO(data)):
        raise table
    package = Package(data)
    links = relations(package, "").values()
    main = next((link.target for link in links if link.kind == "officeDocument"), "")
    if not main:
        raise table
    rows = _rows(_lines(package, main))
    if not rows:
        raise table
    return ReviewTable(_token(package), rows)


def _no_table(name: str) -> FormatError:
    return FormatError(
        Message("“{name}” contains no review table.", name=name),
        "Choose the reviewed file that was exported from this project.",
    )


def _token(package: Package) -> str:
    properties = core_properties(package)
    found = properties.tree.getroot().findtext("{*}identifier") if properties is not None else ""
    return found or ""


def _rows(lines: Iterable[Line]) -> tuple[ReviewRow, ...]:
    """The lines of a table that begin with a number."""
    found = []
    for line, (cells, beside) in enumerate(lines):
        check_markup(line, MOST_LINES)
        number = cells[0].strip().removesuffix(".0") if cells else ""
        if number.isdecimal() and len(cells) >= 3:
            column = cells[4] if len(cells) > 4 else ""
            comments = _joined(part for part in (column.strip(), beside) if part)
            found.append(ReviewRow(int(number[:9]), cells[1], cells[2], "", comments))
            check_sentences(len(found))
    return tuple(found)


def _joined(parts: Iterable[str], between: str = "\n") -> str:
    """Joined parts of a cell or of its comments, at most as long as a translation."""
    found, length = [], 0
    for part in parts:
        found.append(part)
        length += len(part) + 1  # parts without a letter take time, too
        if length > 2 * MOST_TARGET:
            raise FormatError("The table has a cell that is too long.", "Shorten or remove it.")
    return between.join(found)


def _lines(package: Package, main: str) -> Iterator[Line]:
    links = relations(package, main).values()
    said = {}
    for link in links:
        if link.kind == "comments":
            for comment in load(package, link.target).tree.iter(f"{W}comment"):
                author, text = comment.get(f"{W}author") or "", _said_in(comment)
                said[comment.get(f"{W}id") or ""] = f"{author}: {text}" if author else text
    data = package.read(main)
    check_markup(data.count(b"<") - data.count(b"</"), MOST_ELEMENTS)
    for row in xml.stream(data, (f"{W}tr",), main):
        cells = [_said_in(cell) for cell in islice(row.iterchildren(f"{W}tc"), COLUMNS)]
        keys = dict.fromkeys(node.get(f"{W}id") for node in row.iter(f"{W}commentReference"))
        yield cells, _joined(said[key] for key in keys if key in said)


def _said_in(cell: xml.Element) -> str:
    """The text of a cell with all tracked changes accepted: deleted and moved text is gone."""
    return _joined(_pieces(cell), "").strip()


def _pieces(cell: xml.Element) -> Iterator[str]:
    for number, paragraph in enumerate(cell.iter(f"{W}p")):
        yield "\n" if number else ""
        for node in paragraph.iter(f"{W}t", f"{W}tab", f"{W}br", f"{W}cr", f"{W}noBreakHyphen"):
            if any(parent.tag in _GONE for parent in node.iterancestors()):
                yield ""
                continue
            tag = node.tag.removeprefix(W)
            yield node.text or "" if tag == "t" else {"noBreakHyphen": "-", "tab": "\t"}.get(tag, "\n")
