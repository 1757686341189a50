"""Bounded reading of a project's tables, and the checksums of their rows."""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anaphora.core.untrusted import MAX_JSON

MAX_ORIGINAL = 257 * 2**20
"""Maximum size in bytes of one row; an original has at most 256 MiB (`formats.registry.MAX_BYTES`)."""
MAX_CELL = 16 * 2**20
"""Maximum size in bytes of one value of a segment, a unit or a term."""
MAX_SETTING = MAX_JSON + 2**20
"""Maximum size in bytes of one setting."""
MAX_LOADED = 600 * 2**20
"""Approximate maximum memory in bytes for rows that are loaded together."""
_ROW_BYTES = 1500
"""Bytes of memory for a row and its objects, without the texts."""
_BASE_SECONDS = 10.0
_SECONDS_PER_MEBIBYTE = 0.1
"""Reading a project may use `_BASE_SECONDS` of processor time, and `_SECONDS_PER_MEBIBYTE` more per MiB."""
_CHECK_INTERVAL = 10_000
"""Steps of sqlite's virtual machine between two checks of the time: about a millisecond."""

_LIMITS = {sqlite3.SQLITE_LIMIT_LENGTH: MAX_ORIGINAL, sqlite3.SQLITE_LIMIT_SQL_LENGTH: 2**20}

TOO_MUCH = "the project contains more data than can be loaded"
"""The message of a ValueError about rows that do not fit into memory."""
Cancelled = Callable[[], bool]
"""Returns True once the user has cancelled the work."""


def confine(connection: sqlite3.Connection) -> None:
    """Limit the sizes and functions that sqlite accepts in an untrusted file; the file is not read yet."""
    for limit, maximum in _LIMITS.items():
        connection.setlimit(limit, maximum)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


@contextmanager
def value_limit(connection: sqlite3.Connection, length: int) -> Iterator[None]:
    """A context in which reading a value of more than `length` bytes raises sqlite3.DataError."""
    before = connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, length)
    try:
        yield
    finally:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)


@contextmanager
def time_limit(connection: sqlite3.Connection, seconds: float, cancelled: Cancelled = bool) -> Iterator[None]:
    """A context that interrupts statements after `seconds` or once `cancelled` returns True.

    An interrupted statement raises sqlite3.OperationalError (SQLITE_INTERRUPT). Only the processor time of
    this thread counts.
    """
    deadline = time.thread_time() + seconds
    connection.set_progress_handler(lambda: time.thread_time() > deadline or cancelled(), _CHECK_INTERVAL)
    try:
        yield
    finally:
        connection.set_progress_handler(None, 0)


def seconds_for(path: Path) -> float:
    """Maximum processor time in seconds to read a whole project: ten times the usual time for its size."""
    try:
        return _BASE_SECONDS + _SECONDS_PER_MEBIBYTE * path.stat().st_size / 2**20
    except OSError:
        return _BASE_SECONDS


def is_interrupted(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT


def load_rows(rows: Iterable[Any], max_bytes: int = MAX_LOADED) -> list[Any]:
    """All rows; raises ValueError if they exceed the memory limit."""
    return list(limited_rows(rows, max_bytes))


def limited_rows(rows: Iterable[Any], max_bytes: int = MAX_LOADED) -> Iterator[Any]:
    """Rows one by one; raises ValueError once the rows so far exceed the memory limit."""
    size = 0
    for row in rows:
        size += _ROW_BYTES
        for value in row:
            if isinstance(value, (str, bytes)):
                size += 2 * len(value)
        if size > max_bytes:
            raise ValueError(TOO_MUCH)
        yield row


_FUNCTION = "anaphora_row_checksum"


@dataclass(frozen=True, slots=True)
class CheckedTable:
    """A table with a column `checksum`.

    Attributes:
        key: the columns that identify a row.
        columns: all columns except `checksum`, in the order in which they are hashed.
        max_rows: maximum number of rows.
        max_bytes: maximum length of a value in bytes.
    """

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    max_rows: int = 3 * 10**5
    max_bytes: int = MAX_CELL

    @property
    def column_list(self) -> str:
        return ", ".join(self.columns)


UNITS = CheckedTable(
    "memory_units",
    ("id",),
    (
        *("id", "key", "source", "target", "marks", "source_language", "target_language", "created"),
        *("changed", "author", "origin", "previous", "following", "folded"),
    ),
    max_rows=10**7,
)
ENTRIES = CheckedTable("term_entries", ("id",), ("id", "source", "domain", "note", "changed"))
TARGETS = CheckedTable("term_targets", ("entry", "position"), ("entry", "position", "text", "usage"))
SETTINGS = CheckedTable("settings", ("key",), ("key", "value"), max_bytes=MAX_SETTING)
CHECKED_TABLES = (UNITS, ENTRIES, TARGETS, SETTINGS)


def add_checksums(connection: sqlite3.Connection) -> None:
    """Add the column `checksum` to the checked tables, which must be empty; call this in a transaction."""
    for table in CHECKED_TABLES:
        connection.execute(f"ALTER TABLE {table.name} ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0")


def maintain_checksums(connection: sqlite3.Connection) -> None:
    """Make this connection update the checksum of each row that it writes."""
    connection.create_function(_FUNCTION, -1, row_checksum, deterministic=True)
    for table in CHECKED_TABLES:
        values = ", ".join(f"NEW.{column}" for column in table.columns)
        condition = " AND ".join(f"{column} IS NEW.{column}" for column in table.key)
        for event in ("INSERT", f"UPDATE OF {table.column_list}"):
            connection.execute(
                f"CREATE TEMP TRIGGER {table.name}_{event[:6].lower()} AFTER {event} ON main.{table.name} "
                f"BEGIN UPDATE {table.name} SET checksum = {_FUNCTION}({values}) WHERE {condition}; END"
            )


def check_tables(connection: sqlite3.Connection) -> None:
    """Check units, terms and settings by their checksums.

    Raises:
        sqlite3.DatabaseError: a row is damaged; the message names the row.
        ValueError: a table has too many rows, or a text is not UTF-8.
    """
    for table in CHECKED_TABLES:
        with value_limit(connection, table.max_bytes):
            rows = connection.execute(f"SELECT {table.column_list}, checksum FROM {table.name}")
            for number, row in enumerate(rows):
                if not is_sound_row(row):
                    name = " ".join(str(row[table.columns.index(column)]) for column in table.key)
                    raise sqlite3.DatabaseError(f"row {name} of {table.name} is damaged")
                if number >= table.max_rows:
                    raise ValueError(TOO_MUCH)


def is_sound_row(row: Sequence[object]) -> bool:
    """True if a row matches the checksum in its last value. A row with a value of type bytes is not sound."""
    return bytes not in map(type, row) and row[-1] == row_checksum(*row[:-1])


def row_checksum(*values: object) -> int:
    """The CRC-32 of a row's stored values, in order."""
    return zlib.crc32("\x1f".join(map(str, values)).encode("utf-8", "surrogatepass"))


def state_checksum(segment: object, target: object, status: object, report: object) -> int:
    """The checksum of a segment's id and stored state; an empty report does not count."""
    return row_checksum(segment, target, status, *([report] if report else []))
