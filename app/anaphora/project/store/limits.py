"""Limits for reading a project: bounds of sqlite, and a deadline that can be cut short."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from anaphora.core.untrusted import MOST_JSON

MOST_ORIGINAL = 257 * 2**20
"""Bytes of one value: an original, which is 256 MiB at most (`formats.registry.MAX_BYTES`), and its row."""
MOST_CELL = 16 * 2**20
"""Bytes of one value of a segment, a unit or a term."""
MOST_SETTING = MOST_JSON + 2**20
"""Bytes of one setting."""
MOST_LOADED = 600 * 2**20
"""Bytes of memory, roughly, for rows that are held together."""
_ROW = 1500
"""Bytes of memory for a row and what is made of it, its texts aside."""
_SECONDS = 10.0
_SECONDS_A_MEBIBYTE = 0.1
_STEPS = 10_000
"""Steps of sqlite's machine between two looks at the clock: about a millisecond."""

_LIMITS = {sqlite3.SQLITE_LIMIT_LENGTH: MOST_ORIGINAL, sqlite3.SQLITE_LIMIT_SQL_LENGTH: 2**20}

TOO_MUCH = "the project holds more than can be loaded"
"""The message of a ValueError about rows that do not fit into the memory."""
Cancelled = Callable[[], bool]


def confine(connection: sqlite3.Connection) -> None:
    """Set the bounds for a connection to an untrusted file; nothing is read yet."""
    for limit, most in _LIMITS.items():
        connection.setlimit(limit, most)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


@contextmanager
def at_most(connection: sqlite3.Connection, length: int) -> Iterator[None]:
    """Inside, no value of more than `length` bytes is read: sqlite3.DataError."""
    before = connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, length)
    try:
        yield
    finally:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)


@contextmanager
def within(connection: sqlite3.Connection, seconds: float, cancelled: Cancelled = bool) -> Iterator[None]:
    """Inside, statements end after so much processor time of this thread in all, or once `cancelled()`.

    They raise sqlite3.OperationalError, with the code SQLITE_INTERRUPT. A slow disk costs no such time.
    """
    end = time.thread_time() + seconds
    connection.set_progress_handler(lambda: time.thread_time() > end or cancelled(), _STEPS)
    try:
        yield
    finally:
        connection.set_progress_handler(None, 0)


def seconds_for(path: Path) -> float:
    """Processor time that reading all of a project may take, by its size: ten times what it takes."""
    try:
        return _SECONDS + _SECONDS_A_MEBIBYTE * path.stat().st_size / 2**20
    except OSError:
        return _SECONDS


def is_interrupted(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT


def loaded(rows: Iterable[Any], most: int = MOST_LOADED) -> list[Any]:
    """All rows, if they fit into the memory.

    Raises:
        ValueError: they do not.
    """
    return list(bounded(rows, most))


def bounded(rows: Iterable[Any], most: int = MOST_LOADED) -> Iterator[Any]:
    """Rows, as far as they fit into the memory together; see `loaded`."""
    size = 0
    for row in rows:
        size += _ROW
        for value in row:
            if isinstance(value, (str, bytes)):
                size += 2 * len(value)
        if size > most:
            raise ValueError(TOO_MUCH)
        yield row
