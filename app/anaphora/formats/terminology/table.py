"""Tables of terms: CSV and TSV as spreadsheets and other editors write them.

Written is a row for each target term under the names of `HEADER`. Read is any table whose columns are named
so or alike, in English or Chinese, or by the project's languages ("de", "German", "zh-CN", "中文"); without
names the first column holds the term, the second its translation, the third a note (OmegaT's glossaries).
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from anaphora.core.errors import Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.long_work import Step, no_step
from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.tables import delimiter_of, read_rows, roles_of
from anaphora.term_base.entries import Entry, TargetTerm, Usage

HEADER = ("source", "target", "usage", "domain", "note")
_SAMPLE = 50
"""Rows by which columns without names are told."""
_MOST_BYTES = 64 * 2**20
MOST_ROWS = 300_000
_LONGEST_CELL = 2**17
_STEP = 500
"""Rows between two steps."""
_USAGES = {
    **dict.fromkeys(("forbidden", "deprecated", "禁用"), Usage.FORBIDDEN),
    **dict.fromkeys(("admitted", "allowed", "允许", "可用"), Usage.ADMITTED),
}


def read_table(
    path: Path, pair: LanguagePair = CHINESE_TO_ENGLISH, step: Step = no_step
) -> Iterator[Entry | None]:
    """The entries of a file, one a row; None for a row without a term or its translation.

    Args:
        step: how far reading the rows is; what it raises ends it.
    Raises:
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
    roles = _roles(rows[0], pair)
    if roles is None:
        roles = _guessed_roles(rows, pair)
    else:
        rows = rows[1:]
    for row in rows:
        yield _entry(row, roles)


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


def _roles(header: Sequence[str], pair: LanguagePair) -> list[str] | None:
    roles = roles_of(header, pair)
    return roles if "source" in roles and "target" in roles else None


def _guessed_roles(rows: Sequence[Sequence[str]], pair: LanguagePair) -> list[str]:
    """The first two columns hold the term and its translation, in either order if their letters tell it."""
    shown = [row for row in rows[:_SAMPLE] if len(row) > 1]
    turned = sum(not pair.fits(row[0], row[1]) for row in shown)
    both = ["target", "source"] if 2 * turned > len(shown) else ["source", "target"]
    return [*both, "note"]


def _entry(row: Sequence[str], roles: Sequence[str]) -> Entry | None:
    cells: dict[str, list[str]] = {}
    for text, role in zip(row, roles, strict=False):
        if text and role:
            cells.setdefault(role, []).append(text)
    usage = _USAGES.get("".join(cells.get("usage", ())).lower(), Usage.PREFERRED)
    targets = [TargetTerm(text, usage) for text in cells.get("target", ())]
    targets += [TargetTerm(text, Usage.FORBIDDEN) for text in cells.get("forbidden", ())]
    source = "".join(cells.get("source", ())[:1])
    if not source or not targets:
        return None
    return Entry(source, tuple(targets), "\n".join(cells.get("note", ())), " ".join(cells.get("domain", ())))
