"""Reading what is left of a table whose pages are damaged."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from anaphora.store.checked_tables import CheckedTable, is_sound_row, row_checksum
from anaphora.store.files import has_log
from anaphora.store.limits import MOST_SETTING, at_most, bounded
from anaphora.store.records import ROWS

_ROOT = "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?"
MOST = 10**6
"""Rows by number at the most: a damaged page may name a last row that never was."""
_GUESSED = 10**5
"""Rows that are looked for where a file does not tell how many there are."""
_DAMAGED = (sqlite3.Error, UnicodeError, ValueError)
_FIRST_BYTES = (b"\x02", b"\x05", b"\x0a", b"\x0d")
"""With one of these the first page of a table begins (the file format of sqlite, section 1.6)."""


def readable_rows(connection: sqlite3.Connection, table: str, columns: str) -> list[tuple[object, ...]]:
    """The rows of a table that can be reached, in their order; a damaged page hides its own rows only."""
    rows: list[tuple[object, ...]] = []
    if _begins(connection, table, columns):
        with contextlib.suppress(ValueError), at_most(connection, MOST_SETTING):
            for row in islice(bounded(_by_number(connection, table, columns)), MOST):
                rows.append(row)
    return rows


def _by_number(connection: sqlite3.Connection, table: str, columns: str) -> Iterator[tuple[object, ...]]:
    """Rows in order; behind a damaged page the next numbers are tried one by one."""
    selected = f"SELECT rowid, {columns} FROM {table} NOT INDEXED WHERE rowid > ? ORDER BY rowid"
    number, last = -1, _last(connection, table)
    for _ in range(MOST):
        try:
            for row in connection.execute(selected, (number,)):
                number = max(number, row[0])
                yield row[1:]
            return
        except _DAMAGED:
            number += 1
        if number >= last:
            return


def readable_keyed_rows(
    connection: sqlite3.Connection, table: str, columns: str, key: Sequence[str], asked: Iterable[object]
) -> list[tuple[object, ...]]:
    """The same of a table without row numbers: from both ends up to the damage, and what is asked for."""
    if not _begins(connection, table, columns):
        return []
    found: dict[tuple[object, ...], None] = {}
    for order in ("ASC", "DESC"):
        places = ", ".join(f"{column} {order}" for column in key)
        # Pages that are reached in many ways would give rows without end.
        selected = f"SELECT {columns} FROM {table} NOT INDEXED ORDER BY {places} LIMIT {MOST}"
        with contextlib.suppress(*_DAMAGED), at_most(connection, MOST_SETTING):
            for row in bounded(connection.execute(selected)):
                found[row] = None
            return [*found]
    for value in asked:
        with contextlib.suppress(*_DAMAGED):
            for row in connection.execute(f"SELECT {columns} FROM {table} WHERE {key[0]} = ?", (value,)):
                found[row] = None
    return [*found]


def stored_columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns of a table that are stored: to read them runs nothing. A view has none."""
    try:
        if connection.execute(_ROOT, (table,)).fetchone() is None:
            return frozenset()
        columns = connection.execute(f"PRAGMA table_xinfo({table})").fetchall()
    except _DAMAGED:
        return frozenset()
    return frozenset(str(row[1]) for row in columns if not row[6])


def _begins(connection: sqlite3.Connection, table: str, columns: str) -> bool:
    """Whether there is such a table, and its first page is one: without it no row can be reached."""
    path = Path(connection.execute("PRAGMA database_list").fetchone()[2])
    if not stored_columns(connection, table).issuperset(columns.split(", ")):
        return False
    try:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        found = connection.execute(_ROOT, (table,)).fetchone()
    except _DAMAGED:
        return False
    if has_log(path):
        return True  # The log may hold the page.
    with path.open("rb") as file:
        file.seek((found[0] - 1) * size)
        return file.read(1) in _FIRST_BYTES


def _last(connection: sqlite3.Connection, table: str) -> int:
    """The number of the last row: by the table, or else by its indexes; a guess where neither tells it."""
    with contextlib.suppress(*_DAMAGED):
        return int(connection.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0] or 0)
    indexes = [row[1] for row in connection.execute(f"PRAGMA index_list({table})")]
    for index in indexes:
        with contextlib.suppress(*_DAMAGED):
            numbers = connection.execute(f"SELECT max(+rowid) FROM {table} INDEXED BY {index}")
            return int(numbers.fetchone()[0] or 0)
    return _GUESSED


def sound_rows(
    connection: sqlite3.Connection, table: CheckedTable, asked: Iterable[object] = ()
) -> list[tuple[object, ...]]:
    """The rows of a damaged file's table that are as they were written: its `columns`.

    Those of early versions have no checksums.

    Args:
        asked: what the first column of a table without row numbers may hold: looked up where damage hides
            rows.
    """
    is_checked = "checksum" in stored_columns(connection, table.name)
    columns = f"{table.listed}, checksum" if is_checked else table.listed
    if table.key == ("id",):
        rows = readable_rows(connection, table.name, columns)
    else:
        rows = readable_keyed_rows(connection, table.name, columns, table.key, asked)
    if not is_checked:
        return [row for row in rows if bytes not in map(type, row)]
    return [row[:-1] for row in rows if is_sound_row(row)]


def readable_records(connection: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    """The rows of a damaged file's comments or history that are as they were written, in their order."""
    rows = readable_rows(connection, table, ROWS[table])
    return [row for row in rows if row[-1] == row_checksum(*row[:-1])]
