"""Tables (.csv, .tsv): some columns are translated; the rest of the file stays.

Translations are written to separate columns, which makes the table a bilingual file, or replace their
sources. The format has no states: an existing target counts as edited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from anaphora.core.errors import Message
from anaphora.core.language_pair import LanguagePair
from anaphora.core.notes import Note, NoteKind
from anaphora.core.reading_choices import MAX_COLUMNS, Columns
from anaphora.core.segment import Status
from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import ReadOptions, check_sentences
from anaphora.formats.base.pieces import text_of
from anaphora.formats.base.placeholders import TABLE, UNTRANSLATABLE
from anaphora.formats.base.tables import Cell, delimiter_of, has_title, language_named, read_rows, roles_of
from anaphora.formats.bilingual.languages import pair_to_read
from anaphora.formats.bilingual.unit_format import States, TextUnits, UnitFormat
from anaphora.formats.bilingual.units import UnitSlot, has_letters, unit_from_texts

_SAMPLE = 200
"""Number of rows from which columns are guessed."""
_MAJORITY = 0.5
"""More than this share of a column's filled cells must be in the expected language."""
_MIN_SPACED_SHARE = 0.3
"""More than this share of the cells in a column of texts must have spaces, if the language has them."""
_IDENTIFIER = re.compile(r"[A-Za-z_][\w .:/()-]{0,60}")
_MAX_NAME = 80
"""Maximum number of characters of a column's name, or of a row's first cell, in a note."""
_MAX_SHOWN = 200


@dataclass(frozen=True, slots=True)
class _CellSlot(UnitSlot):
    row: Sequence[Cell]
    column: int


@dataclass(frozen=True, slots=True)
class TablePreview:
    """The first rows of a table, and the suggested columns."""

    rows: tuple[tuple[str, ...], ...]
    columns: Columns


def preview_table(data: bytes, options: ReadOptions, max_rows: int = 20) -> TablePreview:
    """The first rows of a table, with shortened cells, for the user's choice of columns."""
    table = _Table(data, options)
    rows = (tuple(cell.text[:_MAX_SHOWN] for cell in row[:MAX_COLUMNS]) for row in table.rows[:max_rows])
    return TablePreview(tuple(rows), table.columns)


class _Table(TextUnits[_CellSlot]):
    def __init__(self, data: bytes, options: ReadOptions) -> None:
        super().__init__(decode(data, options.language, options.encoding))
        text = self.decoded.text
        self._delimiter = delimiter_of(text) or ","
        self._line_end = "\r\n" if "\r\n" in text else "\n"
        self.rows: list[list[Cell]] = []
        for row in read_rows(text, self._delimiter):
            self.rows.append(row)
            check_sentences(len(self.rows))
        self._pair = pair_to_read(options.language)
        self.columns = options.choices.columns or _guessed_columns(self.rows, self._pair)
        self.choices = replace(options.choices, columns=self.columns)
        self._chosen_columns = frozenset((*self.columns.sources, *self.columns.targets))
        roles = roles_of([cell.text for cell in self.rows[0][:MAX_COLUMNS]], self._pair)
        self._note_columns = [
            at for at, role in enumerate(roles) if role == "note" and at and at not in self._chosen_columns
        ]
        quoted = [cell.is_quoted for row in self.rows[:_SAMPLE] for cell in row if cell.text]
        self._quotes_all = bool(quoted) and all(quoted)

    def slots(self) -> Iterator[_CellSlot]:
        for number, row in enumerate(self.rows[self.columns.has_header :], start=self.columns.has_header):
            for source, target in zip(self.columns.sources, self.columns.targets, strict=True):
                if source >= len(row) or UNTRANSLATABLE.fullmatch(row[source].text.strip()):
                    continue
                slot = self._slot(number, row, source, target)
                if has_letters(slot.unit.sentence.source):
                    yield slot

    def remarks(self, slots: Sequence[_CellSlot]) -> tuple[Message, ...]:
        names = ", ".join(self._column_label(column) for column in self.columns.sources)
        targets = ", ".join(self._column_label(column) for column in self.columns.targets if column >= 0)
        source_note = Message("Columns to translate: {names}.", names=names)
        target_note = Message("Columns for the translation: {names}.", names=targets)
        return (source_note, target_note) if targets else (source_note,)

    def write(self, slots: Sequence[_CellSlot], changed: States, pair: LanguagePair) -> None:
        target = slots[0].state_in(changed).target
        if target != slots[0].unit.target:
            self.splices.append(self._splice(slots[0], target))

    def _splice(self, slot: _CellSlot, target: str) -> tuple[int, int, str]:
        text = text_of(slot.unit.fill(target))
        if slot.column < len(slot.row):
            cell = slot.row[slot.column]
            is_quoted = cell.is_quoted or (self._quotes_all and not cell.text)
            return cell.start, cell.end, self._cell_source(text, is_quoted)
        end = slot.row[-1].end
        delimiters = self._delimiter * (slot.column - len(slot.row) + 1)
        return end, end, delimiters + self._cell_source(text, self._quotes_all)

    def _slot(self, number: int, row: Sequence[Cell], source: int, target: int) -> _CellSlot:
        text = _with_line_feeds(row[target].text) if 0 <= target < len(row) else ""
        unit = unit_from_texts(f"{number}:{source}", _with_line_feeds(row[source].text), text, TABLE)
        status = Status.EDITED if unit.target else Status.NOT_STARTED
        return _CellSlot(unit, status, self._notes(row, source), row, source if target < 0 else target)

    def _notes(self, row: Sequence[Cell], source: int) -> tuple[Note, ...]:
        notes = []
        if self.columns.has_header:
            header = self.rows[0]
            if 0 not in self._chosen_columns and row[0].text.strip():
                notes.append(Note(NoteKind.CONTEXT, row[0].text.strip()[:_MAX_NAME], (header[0].text,)))
            if source < len(header) and len(self.columns.sources) > 1:
                notes.append(Note(NoteKind.NAME, header[source].text))
            for column in self._note_columns:
                if column < len(row) and row[column].text.strip():
                    notes.append(Note(NoteKind.COMMENT, row[column].text.strip()))
        return tuple(notes)

    def _column_label(self, column: int) -> str:
        name = self.rows[0][column].text if self.columns.has_header and column < len(self.rows[0]) else ""
        return f"{column + 1} ({name[:_MAX_NAME]})" if name else str(column + 1)

    def _cell_source(self, text: str, is_quoted: bool) -> str:
        text = text.replace("\n", self._line_end)
        if is_quoted or self._delimiter in text or re.search(r"[\"\r\n]|\A\s|\s\Z", text):
            return '"' + text.replace('"', '""') + '"'
        return text


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _guessed_columns(rows: Sequence[Sequence[Cell]], pair: LanguagePair) -> Columns:
    names = [cell.text.strip() for cell in rows[0][:MAX_COLUMNS]]
    roles = roles_of(names, pair)
    if "source" in roles:
        source = roles.index("source")
        if "target" in roles:
            return Columns((source,), (roles.index("target"),), True)
        codes = [language_named(name) for name in names]
        targets = [at for at, code in enumerate(codes) if code and code != pair.source_language.code]
        return Columns((source,), (targets[0] if len(targets) == 1 else -1,), True)
    body = rows[1:_SAMPLE] or rows
    columns = [
        at for at in range(min(MAX_COLUMNS, max(map(len, body)))) if _contains_texts(body, at, pair)
    ] or [0]
    titles = [names[at] if at < len(names) else "" for at in columns]
    if pair.share_letters or not pair.target:
        has_header = all(_IDENTIFIER.fullmatch(name) and " " not in name for name in titles)
    else:
        has_header = not any(pair.needs_translation(name) for name in titles) and len(rows) > 1
    texts = [[cell.text.strip() for cell in row] for row in rows[:_SAMPLE]]
    titled = any(pair.needs_translation(name) and has_title(texts, at, pair) for at, name in enumerate(names))
    if not has_header and len(columns) == 1 and max(map(len, body)) == 2 and pair.target:
        target = 1 - columns[0]
        translations = [row[target].text for row in body if len(row) > target]
        count = sum(pair.target_language.has_letter_in(text) for text in translations)
        if count > _MAJORITY * len(translations):
            return Columns((columns[0],), (target,), titled)
    return Columns(tuple(columns), (-1,) * len(columns), has_header or titled)


def _contains_texts(rows: Sequence[Sequence[Cell]], column: int, pair: LanguagePair) -> bool:
    texts = [row[column].text for row in rows if column < len(row) and row[column].text.strip()]
    if sum(pair.needs_translation(text) for text in texts) <= _MAJORITY * len(texts):
        return False
    return not pair.source_language.is_spaced or (
        sum(" " in text.strip() for text in texts) > _MIN_SPACED_SHARE * len(texts)
    )


FORMAT = UnitFormat("csv", "Table", (".csv", ".tsv"), _Table)
