"""Reads reviewed tables, which are untrusted, row by row and within limits.

Finds tracked and untracked changes, and comments in the column and in the margin.
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

MAX_ELEMENTS = 5_000_000
"""Maximum number of elements in a part; a row written by this app has 60."""
MAX_LINES = 300_000
"""Maximum number of rows; reading one takes about 0.01 ms."""
_GONE = (f"{W}moveFrom", f"{W}del", f"{W}tabs")

Line = tuple[Sequence[str], str]
"""The texts of a row's cells, and its comments in the margin."""


def read_table(path: Path) -> ReviewTable:
    """Read a reviewed table.

    Raises:
        FormatError: the file cannot be read, has no review table, or exceeds the limits.
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
    """The rows that begin with a number."""
    found = []
    for line, (cells, margin) in enumerate(lines):
        check_markup(line, MAX_LINES)
        number = cells[0].strip().removesuffix(".0") if cells else ""
        if number.isdecimal() and len(cells) >= 3:
            column = cells[4] if len(cells) > 4 else ""
            comments = _joined(part for part in (column.strip(), margin) if part)
            found.append(ReviewRow(int(number[:9]), cells[1], cells[2], "", comments))
            check_sentences(len(found))
    return tuple(found)


def _joined(parts: Iterable[str], separator: str = "\n") -> str:
    """Join the parts of a cell or of its comments; raise FormatError if the text is too long."""
    found, length = [], 0
    for part in parts:
        found.append(part)
        length += len(part) + 1  # empty parts count too, as they take time
        if length > 2 * MOST_TARGET:
            raise FormatError("The table has a cell that is too long.", "Shorten or remove it.")
    return separator.join(found)


def _lines(package: Package, main: str) -> Iterator[Line]:
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
            if any(parent.tag in _GONE for parent in node.iterancestors()):
                yield ""
                continue
            tag = node.tag.removeprefix(W)
            yield node.text or "" if tag == "t" else {"noBreakHyphen": "-", "tab": "\t"}.get(tag, "\n")
