"""A term base in a sqlite file of its own, shared between projects and windows."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from anaphora.core.database_file import DatabaseFile, advice
from anaphora.core.errors import Message
from anaphora.term_base.errors import TermBaseError
from anaphora.term_base.schema import APPLICATION_ID, VERSION, create_tables


class TermFile(DatabaseFile):
    """An open term base; several processes may have it open. Its errors are TermBaseErrors."""

    application = APPLICATION_ID
    version = VERSION

    @classmethod
    def create_tables(cls, connection: sqlite3.Connection) -> None:
        """See `DatabaseFile`."""
        create_tables(connection)

    @classmethod
    def foreign(cls, path: Path) -> TermBaseError:
        """See `DatabaseFile`."""
        return TermBaseError(
            Message("“{path}” is not a term base of Anaphora.", path=path),
            "Move it away: a new term base is made in its place.",
        )

    @classmethod
    def newer(cls, path: Path) -> TermBaseError:
        """See `DatabaseFile`."""
        return TermBaseError(
            Message("The term base “{path}” was made by a newer version of Anaphora.", path=path),
            "Install the newest version to use it; it was left as it is.",
        )

    @classmethod
    def unusable(cls, path: Path, error: Exception) -> TermBaseError:
        """See `DatabaseFile`."""
        return TermBaseError(
            Message("The term base “{path}” cannot be used: {error}.", path=path, error=error),
            advice(error, Message("Move it away, and import your terms into a new one.")),
        )

    def closed(self) -> TermBaseError:
        """See `DatabaseFile`."""
        return TermBaseError("The term base is closed.", "Start Anaphora again.")
