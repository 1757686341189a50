"""A term base in a separate sqlite file, shared between projects and windows."""

from __future__ import annotations

from anaphora.core.errors import AnaphoraError, Message
from anaphora.system.database_file import DatabaseFile, Sentences

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


class TermBaseError(AnaphoraError):
    """A term base cannot be read or written; its content was not changed."""


class TermFile(DatabaseFile):
    """An open term base; several processes may have it open. Its errors are TermBaseErrors."""

    application = 0x414E5442  # "ANTB"
    version = 1
    tables = TABLES
    error = TermBaseError
    sentences = Sentences(
        foreign=(
            Message("“{path}” is not an Anaphora term base."),
            Message("Move it to another folder. Anaphora then creates a new term base."),
        ),
        newer=(
            Message("The term base “{path}” was made by a newer version of Anaphora."),
            Message("Install the latest version to use it. The file was not changed."),
        ),
        unusable=(
            Message("The term base “{path}” cannot be used: {error}."),
            Message("Move it to another folder, and import your terms into a new term base."),
        ),
        closed=(Message("The term base is closed."), Message("Start Anaphora again.")),
    )
