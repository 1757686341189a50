"""A sqlite file of the app's own beside the projects, open in several processes at once."""

from __future__ import annotations

import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import ClassVar, Protocol, Self

from anaphora.core.errors import AnaphoraError, Message
from anaphora.core.transaction import transaction

_BUSY_SECONDS = 10.0


class Access(Protocol):
    """Where tables lie: in a project, or in a file of their own. Safe to call from any thread."""

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """The connection, for one caller at a time."""
        ...

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """The connection in a transaction: all that is done inside is kept, or nothing of it."""
        ...


class DatabaseFile(ABC):
    """An open file; see `Access`. A class of files says what it holds and how its errors read.

    Attributes:
        path: the file.
        application: marks the sqlite file as one of this class.
        version: of its tables.
    """

    application: ClassVar[int]
    version: ClassVar[int]

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Use `open` instead."""
        self.path = path
        self._connection: sqlite3.Connection | None = connection
        self._lock = threading.Lock()

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a file; it is made if it is not there.

        Raises:
            AnaphoraError: of another kind, damaged, made by a newer version, or the folder cannot be
                written. The file was left as it is.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(
                path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        except (OSError, sqlite3.Error) as error:
            raise cls.unusable(path, error) from error
        try:
            cls._prepare(path, connection)
        except (sqlite3.Error, UnicodeError) as error:
            connection.close()
            raise cls.unusable(path, error) from error
        except BaseException:
            connection.close()
            raise
        return cls(path, connection)

    @classmethod
    @abstractmethod
    def create_tables(cls, connection: sqlite3.Connection) -> None:
        """Lay out an empty file, in a transaction."""

    @classmethod
    @abstractmethod
    def foreign(cls, path: Path) -> AnaphoraError:
        """What is said of a file that holds something else."""

    @classmethod
    @abstractmethod
    def newer(cls, path: Path) -> AnaphoraError:
        """What is said of a file that a newer version made."""

    @classmethod
    @abstractmethod
    def unusable(cls, path: Path, error: Exception) -> AnaphoraError:
        """What is said of a file that cannot be read or written (`advice` tells what to do)."""

    @abstractmethod
    def closed(self) -> AnaphoraError:
        """What is said to who asks a file that is closed."""

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
                raise self.closed()
            try:
                yield self._connection
            except (sqlite3.Error, UnicodeError, ValueError) as error:
                raise self.unusable(self.path, error) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """See `Access.writing`."""
        with self.reading() as connection, transaction(connection):
            yield connection

    @classmethod
    def _prepare(cls, path: Path, connection: sqlite3.Connection) -> None:
        """Look whether this is a file of the class before anything is written, and lay out a new one."""
        connection.execute("PRAGMA trusted_schema = OFF")
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if tables and application != cls.application:
            raise cls.foreign(path)
        if version > cls.version:
            raise cls.newer(path)
        connection.execute("PRAGMA journal_mode = WAL")
        # A crash of the machine may lose the last changes; the file stays sound.
        connection.execute("PRAGMA synchronous = NORMAL")
        with transaction(connection):
            if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                cls.create_tables(connection)
                connection.execute(f"PRAGMA application_id = {cls.application}")
                connection.execute(f"PRAGMA user_version = {cls.version}")
        if connection.execute("SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchone():
            raise sqlite3.DatabaseError("it holds statements of its own")


def advice(error: Exception, otherwise: Message) -> Message:
    """What a person can do about sqlite's or the system's error.

    Args:
        otherwise: said where the file itself is at fault.
    """
    text = str(error)
    if "locked" in text or "busy" in text:
        return Message("Another window of Anaphora is writing into it: try again.")
    if "full" in text:
        return Message("Free some space on the disk.")
    if isinstance(error, OSError) or "readonly" in text or "unable to open" in text:
        return Message("Check the disk and your rights to its folder.")
    return otherwise
