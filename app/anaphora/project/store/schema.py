"""The definitions of the project file's tables, and migrations from older versions."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache

from anaphora.project.store import records
from anaphora.project.store.checked_tables import add_checksums
from anaphora.project.store.terms import table as terms
from anaphora.project.store.units import file as memory
from anaphora.system.database_file import transaction

APPLICATION_ID = 0x414E504A
"""Marks a sqlite file as an Anaphora project ("ANPJ")."""

EARLY_ID = 0x414E5048
"""Marks projects from before the first release ("ANPH"), which are not opened but rescued."""

VERSION = 1
"""Version of the tables. With every change to the tables, add 1 and a function in `MIGRATIONS`."""

MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {}
"""Functions by version number: each changes the tables of that version to those of the next version."""

# The originals have a separate table, so that a change to a document's row does not copy the original.
_TABLES = (
    """
    CREATE TABLE documents (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        position INTEGER NOT NULL,
        name TEXT NOT NULL,
        path TEXT NOT NULL,
        format TEXT NOT NULL,
        encoding TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        size INTEGER NOT NULL,
        modified INTEGER NOT NULL,
        language TEXT NOT NULL,
        choices TEXT NOT NULL,
        checksum INTEGER NOT NULL
    )
    """,
    "CREATE TABLE originals (document INTEGER PRIMARY KEY, data BLOB NOT NULL)",
    """
    CREATE TABLE segments (
        id TEXT NOT NULL PRIMARY KEY,
        document INTEGER NOT NULL,
        position INTEGER NOT NULL,
        block TEXT NOT NULL,
        source TEXT NOT NULL,
        target TEXT NOT NULL,
        status INTEGER NOT NULL,
        notes TEXT NOT NULL,
        tags TEXT NOT NULL,
        given TEXT NOT NULL,
        report TEXT NOT NULL,
        text_checksum INTEGER NOT NULL,
        state_checksum INTEGER NOT NULL
    )
    """,
    "CREATE INDEX segments_in_order ON segments (document, position)",
    """
    CREATE TABLE blocks (
        document INTEGER NOT NULL,
        address TEXT NOT NULL,
        shape TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (document, address)
    )
    """,
    "CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)


def create_tables(connection: sqlite3.Connection, version: int | None = None) -> None:
    """Create the first version's tables and migrate them, by default to this version; needs a transaction."""
    version = version or VERSION
    for statement in (*_TABLES, *memory.TABLES, *terms.TABLES, *records.TABLES):
        connection.execute(statement)
    add_checksums(connection)
    _change_tables(connection, 1, version)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Change the tables of an older `version` to those of this version, in one transaction."""
    with transaction(connection):
        _change_tables(connection, version, VERSION)
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _change_tables(connection: sqlite3.Connection, version: int, new_version: int) -> None:
    for old in range(version, new_version):
        MIGRATIONS[old](connection)


Statements = frozenset[tuple[str, str, str, str]]
"""Name, kind, table and SQL statement of each table and index; sqlite's own indexes have no statement."""


class ForeignTablesError(sqlite3.DatabaseError):
    """The tables are not those that Anaphora creates."""


def check_statements(connection: sqlite3.Connection) -> int:
    """Check that the tables are exactly those of the version that the file states; returns the version.

    Raises:
        ForeignTablesError: the tables differ, or the version number is damaged.
        sqlite3.DatabaseError: the tables cannot be read.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    known = _statements(version) if 1 <= version <= VERSION else frozenset()
    if _stored_statements(connection, len(known) + 1) != known:
        raise ForeignTablesError(f"the project's tables are not those of version {version}")
    return version


@cache
def _statements(version: int) -> Statements:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        create_tables(connection, version)
        return _stored_statements(connection)


def _stored_statements(connection: sqlite3.Connection, limit: int = -1) -> Statements:
    """The statements that created a database, with single spaces, because indentation may change."""
    rows = connection.execute("SELECT name, type, tbl_name, sql FROM sqlite_master LIMIT ?", (limit,))
    return frozenset(
        (str(name), str(kind), str(table), " ".join(str(sql or "").split()))
        for name, kind, table, sql in rows
    )
