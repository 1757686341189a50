"""Whether a project's tables are those that this version of the app, or an earlier one, has made.

Nothing else is read: a constraint, an index or a generated column of a stranger's is a program that sqlite
runs. What the versions made is found by going through their changes, from the first version on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from functools import cache

from anaphora.store.schema import VERSION, create_tables, migrate

_FIRST_VERSION = (
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
Statements = Mapping[str, tuple[str, str, str]]
"""Kind, table and statement of each object by its name; an index of sqlite's own has no statement."""
_SELECT = "SELECT name, type, tbl_name, sql FROM sqlite_master"


class ForeignTablesError(sqlite3.DatabaseError):
    """The tables are not those that the app makes."""


def known_version(connection: sqlite3.Connection) -> int:
    """The version that a project's tables say, whatever number its first page has.

    Raises:
        ForeignTablesError: no version has made these tables, to the letter.
        sqlite3.DatabaseError: they cannot be read.
    """
    known = known_statements()
    most = max(len(statements) for ways in known.values() for statements in ways)
    rows = connection.execute(f"{_SELECT} LIMIT ?", (most + 1,)).fetchall()
    found = _by_name(rows)
    for version, ways in known.items():
        if len(rows) == len(found) and found in ways:
            return version
    raise ForeignTablesError("the project's tables are not those of Anaphora")


@cache
def known_statements() -> Mapping[int, tuple[Statements, ...]]:
    """What the tables of each version say: of projects that come from the first one, and of new ones."""
    with closing(_first()) as grown:
        known: dict[int, tuple[Statements, ...]] = {1: (_by_name(grown.execute(_SELECT)),)}
        for version in range(2, VERSION + 1):
            migrate(grown, version - 1, goal=version)
            known[version] = (_by_name(grown.execute(_SELECT)),)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        create_tables(new)
        known[VERSION] += (_by_name(new.execute(_SELECT)),)
    return known


def make_tables(connection: sqlite3.Connection, version: int) -> None:
    """Lay out the tables of a version in an empty database."""
    for statement in _FIRST_VERSION:
        connection.execute(statement)
    migrate(connection, 1, goal=version)


def _first() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    make_tables(connection, 1)
    return connection


def _by_name(rows: Iterable[tuple[object, ...]]) -> Statements:
    """Spaces do not count: a statement may be indented otherwise in another version's source."""
    return {str(name): (str(kind), str(table), _in_one_line(sql)) for name, kind, table, sql in rows}


def _in_one_line(statement: object) -> str:
    return " ".join(str(statement or "").split())
