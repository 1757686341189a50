"""Tables of terms: CSV and TSV files of spreadsheets and other translation editors.

An export has a row for each target term, with the column names of `HEADER`. An import accepts any table
whose columns can be recognised by their names or cells; otherwise the user chooses the columns.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product, zip_longest
from pathlib import Path
from typing import NamedTuple, TextIO

from anaphora.core.errors import Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.languages import code_of
from anaphora.core.long_work import Step, no_step
from anaphora.core.reading_choices import Columns
from anaphora.core.table_text import as_table, cell_text
from anaphora.core.term_entries import TargetTerm, TermEntry, Usage
from anaphora.core.text import has_han
from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.base.tables import ROLES, delimiter_of, has_title, language_named, read_rows, words_of
from anaphora.formats.bilingual.csv_table import TablePreview, preview_table
from anaphora.formats.bilingual.languages import nearest
from anaphora.formats.terminology.usages import meaning_of, usage_of, words_about
from anaphora_text.punctuation import SEMICOLONS, WIDE_COMMAS

_SAMPLE = 50
"""Number of rows from which columns without names are recognised."""
_OMEGAT_COLUMNS = 3
"""Number of columns in an OmegaT glossary (term, translation, comment), which has no column names."""
_NOT_LANGUAGES = ("id", "no", "is")  # words of column names that are also codes of languages
_SEPARATOR = re.compile(f"[{SEMICOLONS}{WIDE_COMMAS}|]")
_MAX_REGION_LENGTH = 2
_SIDES = ("source", "target")
_ROLES = list(dict.fromkeys(ROLES.values()))


class TermColumn(NamedTuple):
    """A column with the index `at`.

    Attributes:
        role: "term", "usage", "forbidden", "preferred", "note", "domain" or "language"; "" for none of them.
        side: "source" or "target"; "other" for another language; "" if unknown.
        language: the column's name if it contains a language; otherwise "".
        owner: the index of the term column that this column describes; -1 for all terms of its side.
    """

    at: int
    role: str
    side: str = ""
    language: str = ""
    owner: int = -1


_DEEPL = [TermColumn(at, role, side) for at, (role, side) in enumerate(product(("term", "language"), _SIDES))]
"""The columns of a DeepL glossary, in which each row contains the codes of its languages."""


def columns_of(
    rows: Sequence[Sequence[str]], pair: LanguagePair, chosen: Columns | None
) -> tuple[list[TermColumn], bool] | None:
    """The columns, and True if the first row contains their names; None if the columns are uncertain.

    Args:
        chosen: the columns of term and translation that the user chose.
    """
    if all(len(row) == len(_DEEPL) and all(map(language_named, row[2:])) for row in rows[:_SAMPLE]):
        return _DEEPL, False
    columns, has_header = _named_columns(rows[0], pair), True
    sides = {column.side: column.language for column in columns if column.role == "term"}
    if chosen is not None:
        details = [each for each in columns if chosen.has_header and each.role not in ("", "term")]
        columns, has_header = (
            [*_term_columns((*chosen.sources, *chosen.targets)), *details],
            chosen.has_header,
        )
    elif len(sides.keys() & {*_SIDES, ""}) < 2 or not ("target" in sides or any(sides.values())):
        columns, has_header = _guessed_columns(rows[:_SAMPLE], pair), False
    used = {column.at for column in columns if column.role}
    usages = (TermColumn(at, "usage") for at in _usages(_texts(rows[has_header:_SAMPLE])) if at not in used)
    return ([*columns, *usages], has_header) if columns else None


def _term_columns(places: Iterable[int]) -> list[TermColumn]:
    return [TermColumn(at, "term", side) for at, side in zip(places, _SIDES, strict=True)]


def _named_columns(header: Sequence[str], pair: LanguagePair) -> list[TermColumn]:
    """The columns by their names. If columns share a role and side, each describes the term before it."""
    columns = [_column_named(at, name, pair) for at, name in enumerate(header)]
    terms = [column for column in columns if column.role == "term"]
    sides = {column.side for column in terms if column.language}
    real = [column for column in terms if column.language or column.side not in sides]
    plain = {column.side for column in real if _is_plain(header[column.at])}
    for column in terms:  # columns such as a definition's source, or Crowdin's "Type [en]", have no terms
        if column not in real or (column.side in plain and not _is_plain(header[column.at])):
            columns[column.at] = column._replace(role="")
    kinds = Counter((column.role, column.side) for column in columns)
    owner = -1
    for at, column in enumerate(columns):
        if column.role == "term":
            owner = at
        elif kinds[column.role, column.side] > 1:
            columns[at] = column._replace(owner=owner)
    return columns


def _is_plain(name: str) -> bool:
    return all(
        word in ROLES or language_named(word) or len(word) <= _MAX_REGION_LENGTH for word in words_of(name)
    )


def _texts(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    return [[text for text in column if text] for column in zip_longest(*rows, fillvalue="")]


def _usages(cells: Sequence[Sequence[str]]) -> list[int]:
    return [at for at, texts in enumerate(cells) if texts and {*map(meaning_of, texts)} <= {*Usage}]


def _likely_columns(rows: Sequence[Sequence[str]], pair: LanguagePair) -> tuple[list[int], list[int]]:
    """The indexes of columns with texts other than usages, and of the likely term and translation."""
    cells = _texts(rows)
    usages = _usages(cells)
    texts = [at for at, all_text in enumerate(map("".join, cells)) if any(map(str.isalpha, all_text))]
    texts = [at for at in texts if at not in usages]
    sources = [at for at in texts if 2 * sum(map(pair.needs_translation, cells[at])) > len(cells[at])]
    if pair.share_letters or not pair.target:
        sources = texts[:1]
    return texts, [*sources[:1], *([at for at in texts if at not in sources] or sources[1:])[:1]]


def _guessed_columns(rows: Sequence[Sequence[str]], pair: LanguagePair) -> list[TermColumn]:
    texts, terms = _likely_columns(rows, pair)
    if len(texts) != 2 and not (max(map(len, rows)) == _OMEGAT_COLUMNS and sorted(terms) == [0, 1]):
        return []
    if len({*rows[0]}) > 1 and any(has_title(rows, at, pair) for at in terms):
        return []  # the first row may contain the names of the columns
    return [*_term_columns(terms), *(TermColumn(2, "note") for _ in texts[2:])]


def entry_of(row: Sequence[str], columns: Sequence[TermColumn], pair: LanguagePair) -> TermEntry | None:
    """The entry of a row; None if the row lacks a term in one of the languages, or is for other languages."""
    cells = [(column, row[column.at]) for column in columns if column.at < len(row) and row[column.at]]

    def terms(side: str, wanted: str) -> list[tuple[TermColumn, str]]:
        on_side = [each for each in cells if each[0].role == "term" and each[0].side == side]
        return nearest(on_side, lambda each: each[0].language, wanted)

    # Lokalise's column "term" may be in either language.
    sources = terms("source", pair.source) or terms("", "")
    targets = terms("target", pair.target) or [each for each in terms("", "") if each not in sources]
    codes = [code_of(text) for column, text in cells if column.role == "language"]
    pair_codes = [pair.source_language.code, pair.target_language.code]
    if codes == pair_codes[::-1]:
        sources, targets = targets, sources
    elif not sources or (codes and codes != pair_codes):
        return None
    attributes = [each for each in cells if each[0].side in ("", "target")]
    notes = [text for column, text in cells if column.role == "note" and column.side != "other"]
    target_terms: list[TargetTerm] = []
    for term, text in targets:
        term_cells = (each for each in attributes if each[0].owner in (-1, term.at))
        usage, unknown = usage_of(
            tuple(word for column, cell in term_cells for word in words_about(column.role, cell))
        )
        target_terms += (TargetTerm(each, usage) for each in _separated(text))
        notes += unknown
    words = (text for column, text in attributes if column.role == "forbidden" and not meaning_of(text))
    target_terms += [TargetTerm(each, Usage.FORBIDDEN) for text in words for each in _separated(text)]
    domain = " ".join(text for column, text in cells if column.role == "domain")
    note = "\n".join(dict.fromkeys(notes))
    return TermEntry(sources[0][1], tuple(target_terms), note, domain) if target_terms else None


def _separated(text: str) -> list[str]:
    return [each for each in map(str.strip, _SEPARATOR.split(text)) if each]


def _column_named(at: int, name: str, pair: LanguagePair) -> TermColumn:
    words = words_of(name)
    roles = sorted((ROLES[word] for word in words if word in ROLES), key=_ROLES.index)
    if roles and ROLES.get(words[-1]) != "preferred":
        roles = [role for role in roles if role != "preferred"]  # as in "Approved translation"
    codes = {pair.source_language.code: "source", pair.target_language.code: "target"}
    languages = [(word, language_named(word)) for word in words if word not in _NOT_LANGUAGES]
    side = next((codes[code] for _, code in languages if code in codes), "")
    if not side and any(code and word in (words[0], words[-1]) for word, code in languages):
        side = "other"
    named_side = next((ROLES[word] for word in words if ROLES.get(word) in _SIDES and word != "term"), "")
    role = next((role for role in roles if role not in _SIDES), "term" if roles or side else "")
    if not role and not has_han(name) and meaning_of(name) == Usage.FORBIDDEN:
        role = "forbidden"  # as in "Do not use"
    return TermColumn(at, role, side or named_side, name if side else "")


HEADER = ("source", "target", "usage", "domain", "note")
_MAX_BYTES = 64 * 2**20
MAX_ROWS = 300_000
_MAX_CELL_LENGTH = 2**17
_STEP = 500


class UncertainColumnsError(FormatError):
    """The user must choose the columns of a table; `table` has its first rows and its likely columns."""

    def __init__(self, path: Path, table: TablePreview) -> None:
        super().__init__(
            Message("The columns of “{name}” could not be identified.", name=path.name),
            "Name the columns in the first row: source, target, usage, note.",
        )
        self.path, self.table = path, table


def read_table(
    path: Path, pair: LanguagePair = CHINESE_TO_ENGLISH, step: Step = no_step, chosen: Columns | None = None
) -> Iterator[TermEntry | None]:
    """The entries of a file; None for each row without a term pair, such as a title. Empty rows are skipped.

    Args:
        step: receives the progress; an exception that it raises stops the reading.
        chosen: the columns of term and translation that the user chose.
    Raises:
        UncertainColumnsError: neither names nor cells identify the columns.
        FormatError: the file is too large, damaged or not text, or has fewer than two columns.
        OSError: the file cannot be read.
    """
    if path.stat().st_size > _MAX_BYTES:
        raise FormatError(Message("The table is too large."), "Split it into smaller ones.")
    data = path.read_bytes()
    text = decode(data, pair.source).text
    rows = _rows(text, step)
    if not rows:
        raise FormatError(
            Message("“{name}” is not a table of terms: it has fewer than two columns.", name=path.name),
            "Save it as CSV with a row for each term and a column for each language.",
        )
    first = 0 if chosen else next((at for at, row in enumerate(rows) if sum(map(bool, row)) > 1), 0)
    columns_and_header = columns_of(rows[first:], pair, chosen)
    if columns_and_header is None:
        language = pair.source_language.code
        table = preview_table(data, ReadOptions("" if language == "zh" else language))
        texts, guessed = _likely_columns(table.rows[table.columns.has_header :], pair)
        source, target = [*dict.fromkeys((*guessed, *texts, 0, 1))][:2]
        likely = Columns((source,), (target,), table.columns.has_header)
        raise UncertainColumnsError(path, replace(table, columns=likely))
    columns, has_header = columns_and_header
    yield from (None for _ in rows[:first])  # rows of a title
    for row in rows[first + has_header :]:
        yield entry_of(row, columns, pair)


def write_table(file: TextIO, entries: Iterable[TermEntry]) -> int:
    """Write entries as CSV; return the number of entries."""
    all_entries = list(entries)
    file.write(as_table([HEADER]))
    for entry in all_entries:
        notes = entry.domain, entry.note
        file.write(as_table((entry.source, term.text, term.usage.value, *notes) for term in entry.targets))
    return len(all_entries)


def _rows(text: str, step: Step) -> list[list[str]]:
    rows: list[list[str]] = []
    delimiter = delimiter_of(text)
    for number, row in enumerate(read_rows(text, delimiter) if delimiter else ()):
        if number % _STEP == 0:
            step(row[0].start / len(text))
        cells = [cell_text(cell.text.strip()) for cell in row]
        if max(map(len, cells)) > _MAX_CELL_LENGTH:
            raise FormatError(
                Message("The table is damaged near row {row}.", row=len(rows) + 1),
                "Repair it in a spreadsheet and save it again.",
            )
        if any(cells):
            rows.append(cells)
            if len(rows) > MAX_ROWS:
                raise FormatError(
                    Message("The table has more than {limit} rows.", limit=MAX_ROWS),
                    "Split it into smaller ones.",
                )
    return rows
