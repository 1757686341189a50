"""A translation memory in a sqlite file of its own, shared between projects and windows."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.translation_memory.errors import TranslationMemoryError
from anaphora.translation_memory.schema import APPLICATION_ID, VERSION, create_tables
from anaphora.translation_memory.transaction import transaction

_BUSY_SECONDS = 10.0


class MemoryFile:
    """An open memory file; several processes may have it open. See `memory.Access`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Use `open` instead."""
        self.path = path
        self._connection: sqlite3.Connection | None = connection
        self._lock = threading.Lock()

    @classmethod
    def open(cls, path: Path) -> MemoryFile:
        """Open a memory; it is made if it is not there.

        Raises:
            TranslationMemoryError: no memory, damaged, made by a newer version, or the folder cannot be
                written. The file was left as it is.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(
                path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        except (OSError, sqlite3.Error) as error:
            raise _cannot(path, error) from error
        try:
            _prepare(path, connection)
        except (sqlite3.Error, UnicodeError) as error:
            connection.close()
            raise _cannot(path, error) from error
        except BaseException:
            connection.close()
            raise
        return cls(path, connection)

    def close(self) -> None:
        """Close the file; calling it twice does no harm."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """See `Access.reading`."""
        with self._lock:
            if self._connection is None:
                raise TranslationMemoryError("The translation memory is closed.", "Start Anaphora again.")
            try:
                yield self._connection
            except (sqlite3.Error, UnicodeError, ValueError) as error:
                raise _cannot(self.path, error) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """See `Access.writing`."""
        with self.reading() as connection, transaction(connection):
            yield connection


def _prepare(path: Path, connection: sqlite3.Connection) -> None:
    """Look whether this is a memory before anything is written, and lay out a new one."""
    connection.execute("PRAGMA trusted_schema = OFF")
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if tables and application != APPLICATION_ID:
        raise TranslationMemoryError(
            Message("“{path}” is not a translation memory of Anaphora.", path=path),
            "Move it away: a new memory is made in its place.",
        )
    if version > VERSION:
        raise TranslationMemoryError(
            Message("The translation memory “{path}” was made by a newer version of Anaphora.", path=path),
            "Install the newest version to use it; it was left as it is.",
        )
    connection.execute("PRAGMA journal_mode = WAL")
    # A crash of the machine may lose what was confirmed last; opening the project puts it in again.
    connection.execute("PRAGMA synchronous = NORMAL")
    with transaction(connection):
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            create_tables(connection)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
    if connection.execute("SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchone():
        raise sqlite3.DatabaseError("it holds statements of its own")


def _cannot(path: Path, error: Exception) -> TranslationMemoryError:
    """sqlite's or the system's error, as a person needs it."""
    text = str(error)
    if "locked" in text or "busy" in text:
        advice = Message("Another window of Anaphora is writing into it: try again.")
    elif "full" in text:
        advice = Message("Free some space on the disk.")
    elif isinstance(error, OSError) or "readonly" in text or "unable to open" in text:
        advice = Message("Check the disk and your rights to its folder.")
    else:
        advice = Message("Move it away: your projects fill a new one when they are opened.")
    return TranslationMemoryError(
        Message("The translation memory “{path}” cannot be used: {error}.", path=path, error=error), advice
    )
