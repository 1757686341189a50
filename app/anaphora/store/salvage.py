"""Reading what is left of a table whose pages are damaged."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

MOST = 10**6
"""Rows by number at the most: a damaged page may name a last row that never was."""
_DAMAGED = (sqlite3.Error, UnicodeError, ValueError)
_TABLE_PAGES = (b"\x05", b"\x0d")
"""First bytes of a page of a table, after the file format of sqlite, section 1.6."""


def readable_rows(
    connection: sqlite3.Connection, table: str, columns: str, most: int = 10**5
) -> list[tuple[object, ...]]:
    """The rows of a table that can be reached, in their order; a damaged page hides its own rows only.

    It is read from both ends up to the damage, and from there row by row: each of those costs an error.

    Args:
        most: the row to go to where the file does not tell its last one.
    """
    found: dict[tuple[int, tuple[object, ...]], None] = {}
    if not _begins(connection, table):
        return []
    for order in ("ASC", "DESC"):
        try:
            for number, *row in connection.execute(
                f"SELECT rowid, {columns} FROM {table} NOT INDEXED ORDER BY rowid {order}"
            ):
                found[number, tuple(row)] = None
            break
        except _DAMAGED:
            continue
    else:
        found.update(dict.fromkeys(_one_by_one(connection, table, columns, most, {n for n, _ in found})))
    return [row for _, row in sorted(found, key=lambda each: each[0])]


def _begins(connection: sqlite3.Connection, table: str) -> bool:
    """Whether the table's first page is a table's: without it no row can be reached."""
    path = Path(connection.execute("PRAGMA database_list").fetchone()[2])
    try:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        found = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    except _DAMAGED:
        return False
    if found is None:
        return False
    if path.with_name(f"{path.name}-wal").exists():
        return True  # The log may hold the page.
    with path.open("rb") as file:
        file.seek((found[0] - 1) * size)
        return file.read(1) in _TABLE_PAGES


def _one_by_one(
    connection: sqlite3.Connection, table: str, columns: str, most: int, known: set[int]
) -> Iterator[tuple[int, tuple[object, ...]]]:
    """Rows by their numbers but those that are known."""
    for number in range(1, min(_last(connection, table, most), MOST) + 1):
        if number not in known:
            with contextlib.suppress(*_DAMAGED):
                row = connection.execute(
                    f"SELECT {columns} FROM {table} NOT INDEXED WHERE rowid = ?", (number,)
                ).fetchone()
                if row is not None:
                    yield number, row


def _last(connection: sqlite3.Connection, table: str, most: int) -> int:
    """The number of the last row: by the table, or else by its indexes; `most` where neither tells it."""
    with contextlib.suppress(*_DAMAGED):
        return int(connection.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0] or 0)
    indexes = [row[1] for row in connection.execute(f"PRAGMA index_list({table})")]
    for index in indexes:
        with contextlib.suppress(*_DAMAGED):
            numbers = connection.execute(f"SELECT max(+rowid) FROM {table} INDEXED BY {index}")
            return int(numbers.fetchone()[0] or 0)
    return most
