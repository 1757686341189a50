"""Reading what is left of a table whose pages are damaged."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from anaphora.store.limits import MOST_SETTING, at_most, bounded
from anaphora.store.log_file import has_log

_ROOT = "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?"
MOST = 10**6
"""Rows by number at the most: a damaged page may name a last row that never was."""
_GUESSED = 10**5
"""Rows that are looked for where a file does not tell how many there are."""
_DAMAGED = (sqlite3.Error, UnicodeError, ValueError)
_FIRST_BYTES = (b"\x02", b"\x05", b"\x0a", b"\x0d")
"""With one of these the first page of a table begins (the file format of sqlite, section 1.6)."""


def readable_rows(connection: sqlite3.Connection, table: str, columns: str) -> list[tuple[object, ...]]:
    """The rows of a table that can be reached, in their order; a damaged page hides its own rows only.

    It is read from both ends up to the damage, and from there row by row: each of those costs an error.
    """
    if not _begins(connection, table, columns):
        return []
    rows, is_whole = _from_both_ends(connection, table, f"rowid, {columns}", ("rowid",))
    found = {(int(str(row[0])), row[1:]): None for row in rows}
    if not is_whole:
        found.update(dict.fromkeys(_one_by_one(connection, table, columns, {n for n, _ in found})))
    return [row for _, row in sorted(found, key=lambda each: each[0])]


def readable_keyed_rows(
    connection: sqlite3.Connection, table: str, columns: str, key: Sequence[str], asked: Iterable[object]
) -> list[tuple[object, ...]]:
    """The same of a table without row numbers.

    Args:
        key: its primary key.
        asked: what the key's first column may hold: asked for where the rows cannot be read to their end.
    """
    if not _begins(connection, table, columns):
        return []
    rows, is_whole = _from_both_ends(connection, table, columns, key)
    found = dict.fromkeys(rows)
    for value in () if is_whole else asked:
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


def _from_both_ends(
    connection: sqlite3.Connection, table: str, columns: str, key: Sequence[str]
) -> tuple[list[tuple[object, ...]], bool]:
    """Rows from either end up to the first damage, and whether these are all."""
    rows: list[tuple[object, ...]] = []
    for order in ("ASC", "DESC"):
        places = ", ".join(f"{column} {order}" for column in key)
        try:
            # Pages that are reached in many ways would give rows without end.
            selected = f"SELECT {columns} FROM {table} NOT INDEXED ORDER BY {places} LIMIT {MOST}"
            with at_most(connection, MOST_SETTING):
                for row in bounded(connection.execute(selected)):
                    rows.append(row)
        except _DAMAGED:
            continue
        return rows, True
    return rows, False


def _one_by_one(
    connection: sqlite3.Connection, table: str, columns: str, known: set[int]
) -> Iterator[tuple[int, tuple[object, ...]]]:
    """Rows by their numbers but those that are known."""
    for number in range(1, min(_last(connection, table), MOST) + 1):
        if number not in known:
            with contextlib.suppress(*_DAMAGED):
                row = connection.execute(
                    f"SELECT {columns} FROM {table} NOT INDEXED WHERE rowid = ?", (number,)
                ).fetchone()
                if row is not None:
                    yield number, row


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
