"""The tables of a translation memory, and memories in separate sqlite files that projects share."""

from __future__ import annotations

from anaphora.core.errors import AnaphoraError, Message
from anaphora.system.database_file import DatabaseFile, Sentences

# AUTOINCREMENT: an id is never used again, because the index may still contain the ids of removed units.
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


class TranslationMemoryError(AnaphoraError):
    """A translation memory cannot be read or written; its content was not changed."""


class MemoryFile(DatabaseFile):
    """An open memory file. Other processes may open it, too; the methods raise TranslationMemoryErrors."""

    application = 0x414E544D  # "ANTM"
    version = 1
    tables = TABLES
    error = TranslationMemoryError
    sentences = Sentences(
        foreign=(
            Message("“{path}” is not an Anaphora translation memory."),
            Message("Move it to another folder. Anaphora then creates a new translation memory."),
        ),
        newer=(
            Message("The translation memory “{path}” was made by a newer version of Anaphora."),
            Message("Install the latest version to use it. The file was not changed."),
        ),
        unusable=(
            Message("The translation memory “{path}” cannot be used: {error}."),
            Message(
                "Move it to another folder. Anaphora creates and fills a new translation memory "
                "when you open your projects."
            ),
        ),
        closed=(Message("The translation memory is closed."), Message("Start Anaphora again.")),
    )
