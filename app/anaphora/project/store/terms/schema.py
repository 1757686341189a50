"""The term base's tables: in a separate file, or beside the segments of a project."""

from __future__ import annotations

APPLICATION_ID = 0x414E5442
"""Marks a sqlite file as a term base ("ANTB")."""

VERSION = 1
"""Version of the tables in a separate file; in a project, the project's version counts."""

TABLES = (
    """
    CREATE TABLE term_entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        source TEXT NOT NULL,
        domain TEXT NOT NULL,
        note TEXT NOT NULL,
        changed INTEGER NOT NULL,
        UNIQUE (source, domain)
    )
    """,
    """
    CREATE TABLE term_targets (
        entry INTEGER NOT NULL,
        position INTEGER NOT NULL,
        text TEXT NOT NULL,
        usage TEXT NOT NULL,
        PRIMARY KEY (entry, position)
    ) WITHOUT ROWID
    """,
)
