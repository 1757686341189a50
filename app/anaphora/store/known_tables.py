"""Whether a project's tables are those that this version of the app, or an earlier one, has made.

Nothing else is read: a constraint, an index or a generated column of a stranger's is a program that sqlite
runs.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache

from anaphora.store import schema

Statements = frozenset[tuple[str, str, str, str]]
"""Name, kind, table and statement of each object; an index of sqlite's own has no statement."""


class ForeignTablesError(sqlite3.DatabaseError):
    """The tables are not those that the app makes."""


def check_statements(connection: sqlite3.Connection) -> int:
    """Check that the tables are, to the letter, those of the version that the project says; returns it.

    Raises:
        ForeignTablesError: the app has made no such tables, or a bit of the version's number was flipped.
        sqlite3.DatabaseError: they cannot be read.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    known = _statements(version) if 1 <= version <= schema.VERSION else frozenset()
    if _made(connection, len(known) + 1) != known:
        raise ForeignTablesError(f"the project's tables are not those of version {version}")
    return version


@cache
def _statements(version: int) -> Statements:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        schema.create_tables(connection, version)
        return _made(connection)


def _made(connection: sqlite3.Connection, most: int = -1) -> Statements:
    """What was made in a database; spaces do not count: a statement may be indented otherwise later."""
    rows = connection.execute("SELECT name, type, tbl_name, sql FROM sqlite_master LIMIT ?", (most,))
    return frozenset(
        (str(name), str(kind), str(table), " ".join(str(sql or "").split()))
        for name, kind, table, sql in rows
    )
