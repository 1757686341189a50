"""Tables as CSV text that spreadsheets do not evaluate as formulas."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

_FORMULA = re.compile(r"'*(?:\t|\s*[=+\-@＝＋－＠])")
_NUMBER = re.compile(r"[-+]?[0-9][0-9.,]*%?")


def as_table(rows: Iterable[Sequence[object]], separator: str = ",") -> str:
    """Rows as CSV. With a tab as the separator, the text can be pasted into a spreadsheet.

    A cell that a spreadsheet would evaluate as a formula (a file may be named `=…`) gets an apostrophe at its
    start; a number such as -5 does not. Lines in a cell end with a line feed, because an unquoted carriage
    return would begin another row.
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerows([_without_formula(str(cell)) for cell in row] for row in rows)
    return out.getvalue()


def cell_text(cell: str) -> str:
    """The text of a cell from `as_table`, without the added apostrophe."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def _without_formula(cell: str) -> str:
    cell = cell.replace("\r\n", "\n").replace("\r", "\n")
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell
