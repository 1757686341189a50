"""Checksums of a project's memory units, terms and settings.

Memory and term base write the same tables into a project and into separate files, which have no checksums.
So the project's connection adds them by temporary triggers.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from anaphora.project.store.limits import MOST_CELL, MOST_SETTING, TOO_MUCH, at_most

_FUNCTION = "anaphora_row_checksum"
_MANY, _TERMS = 10**7, 3 * 10**5


@dataclass(frozen=True, slots=True)
class CheckedTable:
    """A table with a column `checksum`.

    Attributes:
        most: maximum number of rows.
        longest: maximum length of a value in bytes.
    """

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    most: int = _MANY
    longest: int = MOST_CELL

    @property
    def listed(self) -> str:
        return ", ".join(self.columns)


UNITS = CheckedTable(
    "memory_units",
    ("id",),
    (
        *("id", "key", "source", "target", "marks", "source_language", "target_language", "created"),
        *("changed", "author", "origin", "previous", "following", "folded"),
    ),
)
ENTRIES = CheckedTable("term_entries", ("id",), ("id", "source", "domain", "note", "changed"), _TERMS)
TARGETS = CheckedTable("term_targets", ("entry", "position"), ("entry", "position", "text", "usage"), _TERMS)
SETTINGS = CheckedTable("settings", ("key",), ("key", "value"), _TERMS, MOST_SETTING)
CHECKED_TABLES = (UNITS, ENTRIES, TARGETS, SETTINGS)


def add_checksums(connection: sqlite3.Connection) -> None:
    """Add a column for checksums to the empty tables; call it in a transaction."""
    for table in CHECKED_TABLES:
        connection.execute(f"ALTER TABLE {table.name} ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0")


def follow_changes(connection: sqlite3.Connection) -> None:
    """Update the checksums with every write of this connection."""
    connection.create_function(_FUNCTION, -1, row_checksum, deterministic=True)
    for table in CHECKED_TABLES:
        values = ", ".join(f"NEW.{column}" for column in table.columns)
        place = " AND ".join(f"{column} IS NEW.{column}" for column in table.key)
        for event in ("INSERT", f"UPDATE OF {table.listed}"):
            connection.execute(
                f"CREATE TEMP TRIGGER {table.name}_{event[:6].lower()} AFTER {event} ON main.{table.name} "
                f"BEGIN UPDATE {table.name} SET checksum = {_FUNCTION}({values}) WHERE {place}; END"
            )


def check_tables(connection: sqlite3.Connection) -> None:
    """Check memory, terms and settings by their checksums.

    Raises:
        sqlite3.DatabaseError, ValueError: a row is damaged; the message names it.
    """
    for table in CHECKED_TABLES:
        with at_most(connection, table.longest):
            rows = connection.execute(f"SELECT {table.listed}, checksum FROM {table.name}")
            for number, row in enumerate(rows):
                if not is_sound_row(row):
                    name = " ".join(str(row[table.columns.index(column)]) for column in table.key)
                    raise sqlite3.DatabaseError(f"row {name} of {table.name} is damaged")
                if number >= table.most:
                    raise ValueError(TOO_MUCH)


def is_sound_row(row: Sequence[object]) -> bool:
    """True if a row matches its checksum. Bytes, which Anaphora never writes here, are refused."""
    return bytes not in map(type, row) and row[-1] == row_checksum(*row[:-1])


def row_checksum(*values: object) -> int:
    """The CRC-32 of a row's stored values, in the given order."""
    return zlib.crc32("\x1f".join(map(str, values)).encode("utf-8", "surrogatepass"))


def state_checksum(segment: object, target: object, status: object, report: object) -> int:
    """The checksum of a segment's state; an empty report is left out."""
    return row_checksum(segment, target, status, *([report] if report else []))
