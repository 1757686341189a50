"""Recovery of the readable parts of a project that cannot be opened, as a new project.

The project may be damaged, untrusted, or of an early version. Only known columns of tables are read, never
views. A row must have the correct checksum. In a table without checksums, the row's values must be valid.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from anaphora.core import draft_report
from anaphora.core.document import SourceDocument
from anaphora.core.reading_choices import AS_SUGGESTED, ReadingChoices
from anaphora.core.segment import Segment
from anaphora.project.store import records
from anaphora.project.store.checked_tables import (
    MAX_SETTING,
    CheckedTable,
    is_sound_row,
    limited_rows,
    maintain_checksums,
    row_checksum,
    state_checksum,
    value_limit,
)
from anaphora.project.store.files import connect, has_log
from anaphora.project.store.queries import insert_document, read_notes_and_tags, read_place, read_state
from anaphora.project.store.records import COLUMNS
from anaphora.project.store.schema import create_tables

_DOCUMENT_TYPES = {
    "id": int, "name": str, "path": str, "format": str, "encoding": str, "sha256": str, "modified": int,
    "language": str, "choices": str,
}  # fmt: skip
_TEXT_TYPES = {
    "id": str, "document": int, "block": str, "source": str, "notes": str, "tags": str, "given": str
}  # fmt: skip
_SEGMENT_TYPES = _TEXT_TYPES | {
    "position": int, "target": str, "status": int, "report": str, "text_checksum": int, "state_checksum": int
}  # fmt: skip
_ONLY_DOCUMENT = 1
"""Id for the document of an early project, whose table `original` has a single row without an id."""
Row = dict[str, Any]


def write_readable(source: sqlite3.Connection, path: Path) -> None:
    """Write the readable documents, segments, comments and history to a new file.

    Raises:
        sqlite3.Error: the new file cannot be written, or the schema of `source` cannot be read.
        ValueError: no document can be read.
    """
    # With this setting, one damaged table definition does not make the other tables unreadable.
    source.execute("PRAGMA writable_schema = ON")
    with closing(connect(path, "rwc")) as copy:
        copy.execute("BEGIN")
        create_tables(copy)
        maintain_checksums(copy)
        segments: dict[str, list[Segment]] = defaultdict(list)
        for segment in readable_segments(source):
            id_in_file = segment.id.removeprefix(f"{segment.document}/")
            segments[segment.document].append(replace(segment, id=id_in_file))
        for number, document in _documents(source):
            insert_document(copy, replace(document, segments=tuple(segments[str(number)])), number)
        if copy.execute("SELECT 1 FROM documents").fetchone() is None:
            raise ValueError("no document can be read")
        for table in records.TABLE_NAMES:
            records.add_records(copy, table, readable_records(source, table))
        copy.execute("COMMIT")


def _documents(source: sqlite3.Connection) -> Iterator[tuple[int, SourceDocument]]:
    read_numbers = set()
    for row in [*_rows(source, "documents", _DOCUMENT_TYPES), *_rows(source, "original", _DOCUMENT_TYPES)]:
        number = row.get("id", _ONLY_DOCUMENT)
        data = _original(source, number)
        if number in read_numbers or data is None or hashlib.sha256(data).hexdigest() != row.get("sha256"):
            continue
        with contextlib.suppress(KeyError, ValueError):
            document = SourceDocument(
                row["name"],
                Path(row["path"]) if row["path"] else None,
                row["format"],
                row["encoding"],
                data,
                (),
                modified=row.get("modified", 0),
                language=row.get("language", ""),
                choices=ReadingChoices.from_text(row["choices"]) if "choices" in row else AS_SUGGESTED,
            )
            read_numbers.add(number)
            yield number, document


def _original(source: sqlite3.Connection, number: int) -> bytes | None:
    for table, condition in (("originals", f"WHERE document = {number}"), ("original", "")):
        if "data" in stored_columns(source, table):
            with contextlib.suppress(sqlite3.Error):
                row = source.execute(f"SELECT data FROM {table} {condition}").fetchone()
                return row[0] if row is not None and isinstance(row[0], bytes) else None
    return None


def readable_segments(source: sqlite3.Connection) -> list[Segment]:
    """The segments with a readable source, in order; a segment without a readable state is not started."""
    found: dict[str, Segment] = {}
    for row in sorted(_rows(source, "segments", _SEGMENT_TYPES), key=lambda row: row.get("position", 0)):
        text = row_checksum(*(row[name] for name in _TEXT_TYPES if name in row))
        if row.get("text_checksum", text) == text:
            with contextlib.suppress(KeyError):
                found.setdefault(row["id"], _segment(row))
    return [*found.values()]


def _segment(row: Row) -> Segment:
    document = str(row.get("document", _ONLY_DOCUMENT))
    segment = Segment(row["id"], row["source"], document=document, file_target=row.get("given", ""))
    with contextlib.suppress(TypeError, ValueError):
        block, span = read_place(row.get("block", ""))
        notes, tags = read_notes_and_tags(row.get("notes", ""), row.get("tags", ""))
        segment = replace(segment, block=block, span=span, notes=notes, tags=tags)
    target, report = row["target"], row.get("report", "")
    checksum = state_checksum(row["id"], target, row["status"], report)
    with contextlib.suppress(ValueError):
        if row.get("state_checksum", checksum) == checksum:
            segment = segment.with_state(read_state(target, row["status"]))
            known = draft_report.unpack(report, row["source"], target)
            segment = segment.with_state(replace(segment.state, report=known))
    return segment


def _rows(source: sqlite3.Connection, table: str, columns: Mapping[str, type]) -> Iterator[Row]:
    stored = stored_columns(source, table)
    names = [name for name in columns if name in stored]
    for values in readable_rows(source, table, ", ".join(names)) if names else ():
        row = dict(zip(names, values, strict=True))
        if all(isinstance(value, columns[name]) for name, value in row.items()):
            yield row


_ROOT = "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?"
MAX_ROWS = 10**6
"""Maximum number of rows and of queries for a table; a damaged page may give a wrong last row number."""
_GUESSED_ROWS = 10**5
"""Highest row number that is tried if the last row number is unknown."""
_READ_ERRORS = (sqlite3.Error, UnicodeError, ValueError)
_FIRST_BYTES = (b"\x02", b"\x05", b"\x0a", b"\x0d")
"""The possible first bytes of a table's first page (sqlite's file format, section 1.6)."""


def readable_rows(connection: sqlite3.Connection, table: str, columns: str) -> list[tuple[object, ...]]:
    """The readable rows of a table, in order. If a page is damaged, only the rows on it are missing."""
    rows: list[tuple[object, ...]] = []
    if _is_reachable(connection, table, columns):
        with contextlib.suppress(ValueError), value_limit(connection, MAX_SETTING):
            for row in islice(limited_rows(_rows_by_number(connection, table, columns)), MAX_ROWS):
                rows.append(row)
    return rows


def _rows_by_number(connection: sqlite3.Connection, table: str, columns: str) -> Iterator[tuple[object, ...]]:
    selected = f"SELECT rowid, {columns} FROM {table} NOT INDEXED WHERE rowid > ? ORDER BY rowid"
    number, last = -1, _last_number(connection, table)
    for _ in range(MAX_ROWS):
        try:
            for row in connection.execute(selected, (number,)):
                number = max(number, row[0])
                yield row[1:]
            return
        except _READ_ERRORS:
            number += 1
        if number >= last:
            return


def readable_keyed_rows(
    connection: sqlite3.Connection, table: str, columns: str, key: Sequence[str], values: Iterable[object]
) -> list[tuple[object, ...]]:
    """The readable rows of a table without row numbers.

    The table is read from its start. If that ends with an error, the table is also read backwards from its
    end. If that fails, too, the rows for each of `values` are looked up.

    Args:
        key: the columns of the primary key.
        values: values of the first of these columns, to find rows between two damaged places.
    """
    if not _is_reachable(connection, table, columns):
        return []
    found: dict[tuple[object, ...], None] = {}
    for order in ("ASC", "DESC"):
        orders = ", ".join(f"{column} {order}" for column in key)
        # The limit is necessary because damaged pages may form a cycle and return rows without end.
        selected = f"SELECT {columns} FROM {table} NOT INDEXED ORDER BY {orders} LIMIT {MAX_ROWS}"
        with contextlib.suppress(*_READ_ERRORS), value_limit(connection, MAX_SETTING):
            for row in limited_rows(connection.execute(selected)):
                found[row] = None
            return [*found]
    for value in values:
        with contextlib.suppress(*_READ_ERRORS):
            for row in connection.execute(f"SELECT {columns} FROM {table} WHERE {key[0]} = ?", (value,)):
                found[row] = None
    return [*found]


def stored_columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns of a table, except computed ones, which are not safe to read; empty for a view."""
    try:
        if connection.execute(_ROOT, (table,)).fetchone() is None:
            return frozenset()
        columns = connection.execute(f"PRAGMA table_xinfo({table})").fetchall()
    except _READ_ERRORS:
        return frozenset()
    return frozenset(str(row[1]) for row in columns if not row[6])


def _is_reachable(connection: sqlite3.Connection, table: str, columns: str) -> bool:
    """True if a table has the columns and its first page seems valid; otherwise no row can be read."""
    path = Path(connection.execute("PRAGMA database_list").fetchone()[2])
    if not stored_columns(connection, table).issuperset(columns.split(", ")):
        return False
    try:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        found = connection.execute(_ROOT, (table,)).fetchone()
    except _READ_ERRORS:
        return False
    if has_log(path):
        return True  # The log may contain the page.
    with path.open("rb") as file:
        file.seek((found[0] - 1) * size)
        return file.read(1) in _FIRST_BYTES


def _last_number(connection: sqlite3.Connection, table: str) -> int:
    with contextlib.suppress(*_READ_ERRORS):
        return int(connection.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0] or 0)
    indexes = [row[1] for row in connection.execute(f"PRAGMA index_list({table})")]
    for index in indexes:
        with contextlib.suppress(*_READ_ERRORS):
            numbers = connection.execute(f"SELECT max(+rowid) FROM {table} INDEXED BY {index}")
            return int(numbers.fetchone()[0] or 0)
    return _GUESSED_ROWS


def sound_rows(
    connection: sqlite3.Connection, table: CheckedTable, values: Iterable[object] = ()
) -> list[tuple[object, ...]]:
    """The readable rows of a table whose checksums are correct; each row has the table's `columns`.

    Tables of early versions have no checksums. Their rows are sound unless a value is bytes.

    Args:
        values: see `readable_keyed_rows`.
    """
    is_checked = "checksum" in stored_columns(connection, table.name)
    columns = f"{table.column_list}, checksum" if is_checked else table.column_list
    if table.key == ("id",):
        rows = readable_rows(connection, table.name, columns)
    else:
        rows = readable_keyed_rows(connection, table.name, columns, table.key, values)
    if not is_checked:
        return [row for row in rows if bytes not in map(type, row)]
    return [row[:-1] for row in rows if is_sound_row(row)]


def readable_records(connection: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    rows = readable_rows(connection, table, COLUMNS[table])
    return [row for row in rows if row[-1] == row_checksum(*row[:-1])]
