"""The project file's tables, and how older ones become newer ones."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

APPLICATION_ID = 0x414E5048
"""Marks a sqlite file as an Anaphora project ("ANPH")."""

VERSION = 1
"""Raise it with every change of the tables, and add the step to `MIGRATIONS`."""

_TABLES = (
    """
    CREATE TABLE original (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        name TEXT NOT NULL,
        path TEXT NOT NULL,
        format TEXT NOT NULL,
        encoding TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        data BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE segments (
        position INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        source TEXT NOT NULL,
        target TEXT NOT NULL,
        status INTEGER NOT NULL
    )
    """,
    "CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)

MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {}
"""For each old version, the step that makes the next one of it."""


def create_tables(connection: sqlite3.Connection) -> None:
    """Lay out an empty project; belongs in a transaction."""
    for statement in _TABLES:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def migrate(
    connection: sqlite3.Connection,
    version: int,
    steps: dict[int, Callable[[sqlite3.Connection], None]] = MIGRATIONS,
    goal: int = VERSION,
) -> None:
    """Bring an older project up to date, in one transaction."""
    if version == goal:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for old in range(version, goal):
            steps[old](connection)
        connection.execute(f"PRAGMA user_version = {goal}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
