"""The project file's tables, and how older ones become newer ones."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable

from anaphora.core.transaction import transaction
from anaphora.store import queries
from anaphora.store.checked_tables import add_checksums as add_table_checksums
from anaphora.store.records import create_tables as create_record_tables
from anaphora.term_base.schema import create_tables as create_term_tables
from anaphora.translation_memory.schema import create_tables as create_memory_tables

APPLICATION_ID = 0x414E5048
"""Marks a sqlite file as an Anaphora project ("ANPH")."""

VERSION = 10
"""Raise it with every change of the tables, and add the step to `MIGRATIONS`."""

CHECKED_VERSION = 5
"""The first version whose rows have checksums."""

RECORDS_VERSION = 6
"""The first version with comments and history."""

TABLES_VERSION = 7
"""The first version whose memory, terms and settings have checksums."""

BLOCKS_VERSION = 9
"""The first version whose segments know their places; those of earlier ones learn them from the original."""

_LANGUAGE = re.compile(r'<\?anaphora language="([A-Za-z-]{2,40})"\?>\s*\Z')
"""What the sentence rules that were kept with a document said of its language."""

# The originals have a table of their own: a change of a document's row must not copy its bytes.
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
        segmentation TEXT NOT NULL,
        joints TEXT NOT NULL
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
        given TEXT NOT NULL
    )
    """,
    "CREATE INDEX segments_in_order ON segments (document, position)",
)
_SETTINGS = "CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"


def create_tables(connection: sqlite3.Connection) -> None:
    """Lay out an empty project; belongs in a transaction."""
    for statement in (*_TABLES, _SETTINGS):
        connection.execute(statement)
    create_memory_tables(connection)
    create_term_tables(connection)
    create_record_tables(connection)
    _add_checksums(connection)
    add_table_checksums(connection)
    _add_reports(connection)
    _add_blocks(connection)
    _add_choices(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _give_documents_a_table(connection: sqlite3.Connection) -> None:
    """1 → 2: several documents; segments know their document, block, notes and tags."""
    connection.execute("ALTER TABLE segments RENAME TO segments_1")
    for statement in _TABLES:
        connection.execute(statement)
    connection.execute(
        "INSERT INTO documents SELECT 1, 0, name, path, format, encoding, sha256, length(data), 0, '', '' "
        "FROM original"
    )
    connection.execute("INSERT INTO originals SELECT 1, data FROM original")
    connection.execute(
        "INSERT INTO segments SELECT '1/' || id, 1, position, '', source, target, status, '', '', '' "
        "FROM segments_1 ORDER BY position"
    )
    connection.execute("DROP TABLE segments_1")
    connection.execute("DROP TABLE original")


def _add_checksums(connection: sqlite3.Connection) -> None:
    """4 → 5: rows have checksums."""
    for table, column in (
        ("documents", "checksum"),
        ("segments", "text_checksum"),
        ("segments", "state_checksum"),
    ):
        connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} INTEGER NOT NULL DEFAULT 0")
    queries.update_segment_checksums(connection)
    documents = connection.execute("SELECT id FROM documents").fetchall()
    queries.update_document_checksums(connection, *(str(row[0]) for row in documents))


def _add_reports(connection: sqlite3.Connection) -> None:
    """7 → 8: drafts have reports; those of an older project have none."""
    connection.execute("ALTER TABLE segments ADD COLUMN report TEXT NOT NULL DEFAULT ''")


def _add_blocks(connection: sqlite3.Connection) -> None:
    """8 → 9: segments know their places, documents their language; rules and joins made by hand go.

    The places are learnt where the original can be read: `services.locating`.
    """
    connection.execute(
        "CREATE TABLE blocks (document INTEGER NOT NULL, address TEXT NOT NULL, shape TEXT NOT NULL, "
        "checksum INTEGER NOT NULL, PRIMARY KEY (document, address))"
    )
    connection.execute("ALTER TABLE documents ADD COLUMN language TEXT NOT NULL DEFAULT ''")
    connection.execute("ALTER TABLE documents ADD COLUMN reader INTEGER NOT NULL DEFAULT 0")
    for document, rules in connection.execute("SELECT id, segmentation FROM documents").fetchall():
        if said := _LANGUAGE.search(rules):
            connection.execute("UPDATE documents SET language = ? WHERE id = ?", (said[1], document))
    for column in ("segmentation", "joints"):
        connection.execute(f"ALTER TABLE documents DROP COLUMN {column}")
    queries.forget_places(connection)


def _add_choices(connection: sqlite3.Connection) -> None:
    """9 → 10: documents know what was chosen about how they are read."""
    connection.execute("ALTER TABLE documents ADD COLUMN choices TEXT NOT NULL DEFAULT ''")
    documents = connection.execute("SELECT id FROM documents").fetchall()
    queries.update_document_checksums(connection, *(str(row[0]) for row in documents))


MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {
    1: _give_documents_a_table,
    2: create_memory_tables,
    3: create_term_tables,
    4: _add_checksums,
    5: create_record_tables,
    6: add_table_checksums,
    7: _add_reports,
    8: _add_blocks,
    9: _add_choices,
}
"""For each old version, the step that makes the next one of it."""


def migrate(
    connection: sqlite3.Connection,
    version: int,
    steps: dict[int, Callable[[sqlite3.Connection], None]] = MIGRATIONS,
    goal: int = VERSION,
) -> None:
    """Bring an older project up to date, in one transaction."""
    if version == goal:
        return
    with transaction(connection):
        for old in range(version, goal):
            steps[old](connection)
        connection.execute(f"PRAGMA user_version = {goal}")
