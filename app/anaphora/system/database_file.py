"""Sqlite files that are not projects, and that several processes may have open at the same time."""

from __future__ import annotations

import errno
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol, Self

from anaphora.core.errors import AnaphoraError, Message
from anaphora.system.files import supports_locks

BUSY_SECONDS = 10.0
"""Maximum time that sqlite waits until another process releases its lock."""
_BUSY = Message("Another Anaphora window is writing to it. Try again.")
LOCKLESS = (
    Message("its disk does not support file locks"),
    Message("Set the environment variable ANAPHORA_DATA to a folder on another disk. Restart Anaphora."),
)
"""The reason why a file on a disk without file locks cannot be used, and the advice."""
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
_DISK_FULL_IN_SQLITE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)


class Access(Protocol):
    """Access to tables in a project or a separate file. Its methods may be called in any thread."""

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """A context with the connection, which only one caller has at a time."""

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """The same context in a transaction; if an error is raised in it, no change is stored."""


class Table:
    """A table, called `name` for the user and `table` in SQL. Its methods may be called in any thread."""

    table: ClassVar[str]

    def __init__(self, name: str, access: Access) -> None:
        self.name = name
        self._access = access

    def __len__(self) -> int:
        with self._access.reading() as connection:
            return int(connection.execute(f"SELECT count(*) FROM {self.table}").fetchone()[0])


ErrorText = tuple[Message, Message]
"""An error message and the advice. The message may use the field `path`, for `unusable` also `error`."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """The error messages of a class of files.

    Attributes:
        foreign: for a database of another program.
        newer: for a file that a newer version of the app has written.
        unusable: for a file that cannot be read or written; its advice applies to a damaged file.
        closed: for the use of a file after it was closed.
    """

    foreign: ErrorText
    newer: ErrorText
    unusable: ErrorText
    closed: ErrorText


class DatabaseFile:
    """An open sqlite file, which provides `Access`. Subclasses define the tables and error messages.

    A missing file counts as empty; the first write creates it.

    Attributes:
        application: the number that marks files of this class (sqlite's `application_id`).
        version: the number of the newest known layout of the tables.
        tables: the statements that create the tables.
        error: the type of the errors that are raised.
    """

    application: ClassVar[int]
    version: ClassVar[int]
    tables: ClassVar[Sequence[str]]
    error: ClassVar[type[AnaphoraError]]
    sentences: ClassVar[Sentences]

    def __init__(self, path: Path, connection: sqlite3.Connection, is_on_disk: bool) -> None:
        """Use `open` instead."""
        self.path = path
        self._connection: sqlite3.Connection | None = connection
        self._is_on_disk = is_on_disk
        self._lock = threading.Lock()

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a file.

        Raises:
            AnaphoraError: the file is of another type, damaged, locked, unreadable or of a newer version.
                It was not changed.
        """
        is_on_disk = path.exists()
        return cls(path, cls._connect(path) if is_on_disk else cls._empty(), is_on_disk)

    @classmethod
    def _connect(cls, path: Path) -> sqlite3.Connection:
        """Connect to a file and check it; a missing file and its folder are created."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(
                path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        except (OSError, sqlite3.Error) as error:
            raise cls.unusable_error(path, error) from error
        try:
            cls._prepare(path, connection)
        except (sqlite3.Error, UnicodeError) as error:
            connection.close()
            raise cls.unusable_error(path, error) from error
        except BaseException:
            connection.close()
            raise
        return connection

    @classmethod
    def _empty(cls) -> sqlite3.Connection:
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        cls._create_tables(connection)
        return connection

    @classmethod
    def _create_tables(cls, connection: sqlite3.Connection) -> None:
        for statement in cls.tables:
            connection.execute(statement)

    @classmethod
    def unusable_error(cls, path: Path, error: Exception) -> AnaphoraError:
        """Convert an error of sqlite or the system to the app's error for a file that cannot be used."""
        message, default = cls.sentences.unusable
        reason: object = error
        what_to_do = advice(error, default)
        if what_to_do == _BUSY and not supports_locks(path):
            reason, what_to_do = LOCKLESS
        return cls.error(Message(message.template, path=path, error=reason), what_to_do)

    def close(self) -> None:
        """Close the file; may be called twice."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with self._using(to_write=False) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        with self._using(to_write=True) as connection, transaction(connection):
            yield connection

    @contextmanager
    def _using(self, to_write: bool) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._connection is None:
                raise self._error(self.sentences.closed, self.path)
            if not self._is_on_disk and (to_write or self.path.exists()):
                # Create the file, or use the file that another window has created in the meantime.
                connection = self._connect(self.path)
                self._connection.close()
                self._connection, self._is_on_disk = connection, True
            try:
                yield self._connection
            except (sqlite3.Error, UnicodeError, ValueError) as error:
                raise self.unusable_error(self.path, error) from error

    @classmethod
    def _error(cls, text: ErrorText, path: Path) -> AnaphoraError:
        message, what_to_do = text
        return cls.error(Message(message.template, path=path), what_to_do)

    @classmethod
    def _prepare(cls, path: Path, connection: sqlite3.Connection) -> None:
        """Check that a file belongs to this class, set its options, and create the tables if it is empty."""
        connection.execute("PRAGMA trusted_schema = OFF")
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if tables and application != cls.application:
            raise cls._error(cls.sentences.foreign, path)
        if version > cls.version:
            raise cls._error(cls.sentences.newer, path)
        connection.execute("PRAGMA journal_mode = WAL")
        # A crash of the computer may lose the last changes, but does not damage the file.
        connection.execute("PRAGMA synchronous = NORMAL")
        with transaction(connection):
            if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                cls._create_tables(connection)
                connection.execute(f"PRAGMA application_id = {cls.application}")
                connection.execute(f"PRAGMA user_version = {cls.version}")
        if connection.execute("SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchone():
            raise sqlite3.DatabaseError("it contains triggers or views")


def advice(error: Exception, default: Message) -> Message:
    """Advice about an error of sqlite or the system; `default` if the file is probably damaged."""
    text = str(error)
    if "locked" in text or "busy" in text:
        return _BUSY
    if is_disk_full(error):
        return Message("Free some space on the disk.")
    if isinstance(error, OSError) or any(each in text for each in ("readonly", "unable to open", "disk I/O")):
        return Message("Check the disk and your permissions for the folder.")
    return default


def is_disk_full(error: Exception) -> bool:
    """True if an error of sqlite or the system means that the disk or the quota is full. If a disk lacks
    space for the shared-memory file of sqlite's log, sqlite reports “disk I/O error”."""
    if isinstance(error, OSError):
        return error.errno in _DISK_FULL
    return getattr(error, "sqlite_errorcode", None) in _DISK_FULL_IN_SQLITE or "full" in str(error)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A context in which all changes are committed at its end, or undone if an error is raised."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
