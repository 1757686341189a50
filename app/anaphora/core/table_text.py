"""Tables as text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(r"[-+]?[0-9][0-9.,]*%?")


def as_table(rows: Iterable[Sequence[object]]) -> str:
    """Rows as text with tabs, to be pasted into a spreadsheet.

    A text that a spreadsheet would calculate (a file may be named `=…`) gets an apostrophe in front. Lines
    of a cell end with a line feed: a carriage return alone would not be quoted, and so begin another row.
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerows([_harmless(str(cell)) for cell in row] for row in rows)
    return out.getvalue()


def _harmless(cell: str) -> str:
    cell = cell.replace("\r\n", "\n").replace("\r", "\n")
    is_formula = cell.lstrip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠")) or cell.startswith(
        "\t"
    )
    return f"'{cell}" if is_formula and not _NUMBER.fullmatch(cell) else cell
