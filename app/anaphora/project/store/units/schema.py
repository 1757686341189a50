"""The memory's tables: in a separate file, or beside the segments of a project."""

from __future__ import annotations

APPLICATION_ID = 0x414E544D
"""Marks a sqlite file as a translation memory ("ANTM")."""

VERSION = 1
"""Version of the tables in a separate file; in a project, the project's version counts."""

# Numbers are never used twice, because the index may still contain those of removed units.
TABLES = (
    """
    CREATE TABLE memory_units (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT UNIQUE,
        source TEXT NOT NULL,
        target TEXT NOT NULL,
        marks TEXT NOT NULL,
        folded TEXT NOT NULL,
        source_language TEXT NOT NULL,
        target_language TEXT NOT NULL,
        created INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        author TEXT NOT NULL,
        origin TEXT NOT NULL,
        previous TEXT,
        following TEXT
    )
    """,
    "CREATE INDEX memory_units_folded ON memory_units (folded)",
    """
    CREATE TABLE memory_postings (
        term INTEGER NOT NULL,
        block INTEGER NOT NULL,
        units BLOB NOT NULL,
        PRIMARY KEY (term, block)
    ) WITHOUT ROWID
    """,
)
