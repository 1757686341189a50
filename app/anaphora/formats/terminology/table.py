"""Tables of terms: CSV and TSV as spreadsheets and other editors write them.

Written is a row for each target term under the names of `HEADER`. Read is any table whose columns are told by
their names or their cells (`columns`); where they are not, somebody chooses them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from anaphora.core.errors import Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.long_work import Step, no_step
from anaphora.core.reading_choices import Columns
from anaphora.core.term_entries import TermEntry
from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import FormatError, HowRead
from anaphora.formats.base.tables import delimiter_of, read_rows
from anaphora.formats.bilingual.csv_table import Shown, shown
from anaphora.formats.terminology.columns import columns_of, entry_of

HEADER = ("source", "target", "usage", "domain", "note")
_MOST_BYTES = 64 * 2**20
MOST_ROWS = 300_000
_LONGEST_CELL = 2**17
_STEP = 500
"""Rows between two steps."""


class UncertainColumnsError(FormatError):
    """A table whose columns have to be chosen.

    Attributes:
        table: its beginning, and the columns that are likely.
    """

    def __init__(self, path: Path, table: Shown) -> None:
        super().__init__(
            Message("The columns of “{name}” are not certain.", name=path.name),
            "Name them in the first row: source, target, usage, note.",
        )
        self.path, self.table = path, table


def read_table(
    path: Path,
    pair: LanguagePair = CHINESE_TO_ENGLISH,
    step: Step = no_step,
    chosen: Columns | None = None,
) -> Iterator[TermEntry | None]:
    """The entries of a file, one a row; None for a row without a term or its translation.

    Args:
        step: how far reading the rows is; what it raises ends it.
        chosen: the columns of the term and of its translation, where somebody has chosen them.
    Raises:
        UncertainColumnsError: neither names nor cells say which columns hold the terms.
        FormatError: no text, its encoding cannot be told, or no table of at least two columns.
        OSError: it cannot be read.
    """
    if path.stat().st_size > _MOST_BYTES:
        raise FormatError(Message("The table is too large."), "Split it into smaller ones.")
    data = path.read_bytes()
    text = decode(data, pair.source).text
    rows = _rows(text, step)
    if not rows:
        raise FormatError(
            Message("“{name}” is no table of terms: it has no two columns.", name=path.name),
            "Save it as CSV: a row for each term, with a column for each language.",
        )
    found = columns_of(rows, pair, chosen)
    if found is None:
        language = pair.source_language.code
        raise UncertainColumnsError(path, shown(data, HowRead("" if language == "zh" else language)))
    columns, has_header = found
    for row in rows[has_header:]:
        yield entry_of(row, columns, pair)


def write_table(file: TextIO, entries: Iterable[TermEntry]) -> int:
    """Write entries as CSV; returns how many. The file has to be open with `newline=""`."""
    writer = csv.writer(file)
    writer.writerow(HEADER)
    count = 0
    for entry in entries:
        count += 1
        for term in entry.targets:
            writer.writerow((entry.source, term.text, term.usage.value, entry.domain, entry.note))
    return count


def _rows(text: str, step: Step) -> list[list[str]]:
    """The rows that hold anything, split at the delimiter that splits most rows, and most of them alike."""
    rows: list[list[str]] = []
    delimiter = delimiter_of(text)
    for number, row in enumerate(read_rows(text, delimiter) if delimiter else ()):
        if number % _STEP == 0:
            step(row[0].start / len(text))
        cells = [cell.text.strip() for cell in row]
        if max(map(len, cells)) > _LONGEST_CELL:
            raise FormatError(
                Message("The table is damaged near its row {row}.", row=len(rows) + 1),
                "Repair it in a spreadsheet and save it again.",
            )
        if any(cells):
            rows.append(cells)
            if len(rows) > MOST_ROWS:
                raise FormatError(
                    Message("The table has more than {limit} rows.", limit=MOST_ROWS),
                    "Split it into smaller ones.",
                )
    return rows
