"""Tables of terms: CSV and TSV as spreadsheets and other editors write them.

Written is a row for each target term under the names of `HEADER`. Read is any table whose columns are told by
their names or their cells (`columns`); where they are not, somebody chooses them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from anaphora.core.errors import Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.long_work import Step, no_step
from anaphora.core.reading_choices import MOST_COLUMNS, Columns
from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.tables import delimiter_of, read_rows
from anaphora.formats.bilingual.csv_table import Shown
from anaphora.formats.terminology.columns import (
    Column,
    deepl_columns,
    entry_of,
    guessed_columns,
    name_both,
    named_columns,
)
from anaphora.term_base.entries import Entry

HEADER = ("source", "target", "usage", "domain", "note")
_SHOWN, _LONGEST_SHOWN = 20, 200
"""Rows, and characters of a cell, for somebody who chooses columns."""
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
) -> Iterator[Entry | None]:
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
    text = decode(path.read_bytes(), pair.source).text
    rows = _rows(text, step)
    if not rows:
        raise FormatError(
            Message("“{name}” is no table of terms: it has no two columns.", name=path.name),
            "Save it as CSV: a row for each term, with a column for each language.",
        )
    columns, has_header = _columns(path, rows, pair, chosen)
    for row in rows[has_header:]:
        yield entry_of(row, columns, pair)


def _columns(
    path: Path, rows: Sequence[Sequence[str]], pair: LanguagePair, chosen: Columns | None
) -> tuple[list[Column], bool]:
    """The columns, and whether the first row names them."""
    if chosen is None and (columns := deepl_columns(rows)):
        return columns, False
    columns = named_columns(rows[0], pair)
    if chosen is None and name_both(columns):
        return columns, True
    guessed, is_certain = guessed_columns(rows, pair)
    if chosen is None and is_certain:
        return guessed, False
    source, target = (column.at for column in guessed[:2])
    if chosen is None:
        shown = tuple(tuple(cell[:_LONGEST_SHOWN] for cell in row[:MOST_COLUMNS]) for row in rows[:_SHOWN])
        raise UncertainColumnsError(path, Shown(shown, Columns((source,), (target,))))
    terms = Column(chosen.sources[0], "term", "source"), Column(chosen.targets[0], "term", "target")
    taken = {column.at for column in terms}
    others = [*(columns if chosen.has_header else ()), *guessed]
    about = (column for column in others if column.role != "term" and column.at not in taken)
    return [*terms, *about], chosen.has_header


def write_table(file: TextIO, entries: Iterable[Entry]) -> int:
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
