"""Limits for reading a project: bounds of sqlite, and a deadline with cancellation."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from anaphora.core.untrusted import MOST_JSON

MOST_ORIGINAL = 257 * 2**20
"""Bytes of one row with an original of at most 256 MiB (`formats.registry.MAX_BYTES`)."""
MOST_CELL = 16 * 2**20
"""Bytes of one value of a segment, a unit or a term."""
MOST_SETTING = MOST_JSON + 2**20
"""Bytes of one setting."""
MOST_LOADED = 600 * 2**20
"""Approximate bytes of memory for rows that are loaded together."""
_ROW = 1500
"""Bytes of memory for a row and its objects, without its texts."""
_SECONDS = 10.0
_SECONDS_A_MEBIBYTE = 0.1
_STEPS = 10_000
"""Steps of sqlite's virtual machine between two checks of the time: about a millisecond."""

_LIMITS = {sqlite3.SQLITE_LIMIT_LENGTH: MOST_ORIGINAL, sqlite3.SQLITE_LIMIT_SQL_LENGTH: 2**20}

TOO_MUCH = "the project holds more than can be loaded"
"""The message of a ValueError about rows that do not fit into the memory."""
Cancelled = Callable[[], bool]


def confine(connection: sqlite3.Connection) -> None:
    """Set the bounds for a connection to an untrusted file, without reading it."""
    for limit, most in _LIMITS.items():
        connection.setlimit(limit, most)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


@contextmanager
def at_most(connection: sqlite3.Connection, length: int) -> Iterator[None]:
    """A context in which reading a value of more than `length` bytes raises sqlite3.DataError."""
    before = connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, length)
    try:
        yield
    finally:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)


@contextmanager
def within(connection: sqlite3.Connection, seconds: float, cancelled: Cancelled = bool) -> Iterator[None]:
    """A context that limits the statements' total processor time in this thread, or ends on `cancelled()`.

    They raise sqlite3.OperationalError with the code SQLITE_INTERRUPT. Waiting for a disk does not count.
    """
    end = time.thread_time() + seconds
    connection.set_progress_handler(lambda: time.thread_time() > end or cancelled(), _STEPS)
    try:
        yield
    finally:
        connection.set_progress_handler(None, 0)


def seconds_for(path: Path) -> float:
    """Limit of processor time to read a whole project, by its size: ten times the usual time."""
    try:
        return _SECONDS + _SECONDS_A_MEBIBYTE * path.stat().st_size / 2**20
    except OSError:
        return _SECONDS


def is_interrupted(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT


def loaded(rows: Iterable[Any], most: int = MOST_LOADED) -> list[Any]:
    """All rows, if they fit into the memory limit.

    Raises:
        ValueError: they do not.
    """
    return list(bounded(rows, most))


def bounded(rows: Iterable[Any], most: int = MOST_LOADED) -> Iterator[Any]:
    """Rows while they fit into the memory limit; raises as `loaded` does."""
    size = 0
    for row in rows:
        size += _ROW
        for value in row:
            if isinstance(value, (str, bytes)):
                size += 2 * len(value)
        if size > most:
            raise ValueError(TOO_MUCH)
        yield row
