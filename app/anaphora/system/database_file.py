"""A sqlite file of the app's own beside the projects, open in several processes at once."""

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
from anaphora.system.files import has_locks

BUSY_SECONDS = 10.0
_BUSY = Message("Another Anaphora window is writing to it. Try again.")
LOCKLESS = (
    Message("its disk has no file locks"),
    Message("Set ANAPHORA_DATA to a folder on another disk, and start Anaphora again."),
)
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_NO_ROOM_FOR_SQLITE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)


class Access(Protocol):
    """Access to tables in a project or a separate file. Safe to call from any thread."""

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """The connection, for one caller at a time."""
        ...

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """The connection in a transaction: all changes inside are kept, or none."""
        ...


class Table:
    """Rows of a kind that a person knows by a name. Safe to call from any thread."""

    table: ClassVar[str]

    def __init__(self, name: str, access: Access) -> None:
        self.name = name
        self._access = access

    def __len__(self) -> int:
        with self._access.reading() as connection:
            return int(connection.execute(f"SELECT count(*) FROM {self.table}").fetchone()[0])


Said = tuple[Message, Message]
"""An error of a file, with `path` and `error` to fill in, and advice."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """Error messages for files of a class.

    Attributes:
        unusable: of one that cannot be read or written; its advice holds where the file itself is at fault.
    """

    foreign: Said
    newer: Said
    unusable: Said
    closed: Said


class DatabaseFile:
    """An open file; see `Access`. A class of files defines its tables and error messages.

    One that is not there is empty, and made when something is written into it.

    Attributes:
        tables: the statements that lay out an empty file.
    """

    application: ClassVar[int]
    version: ClassVar[int]
    tables: ClassVar[Sequence[str]]
    error: ClassVar[type[AnaphoraError]]
    sentences: ClassVar[Sentences]

    def __init__(self, path: Path, connection: sqlite3.Connection, is_made: bool) -> None:
        """Use `open` instead."""
        self.path = path
        self._connection: sqlite3.Connection | None = connection
        self._is_made = is_made
        self._lock = threading.Lock()

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a file.

        Raises:
            AnaphoraError: of another kind, damaged, made by a newer version, or it cannot be read. The file
                was left as it is.
        """
        is_made = path.exists()
        return cls(path, cls._connect(path) if is_made else cls._empty(), is_made)

    @classmethod
    def _connect(cls, path: Path) -> sqlite3.Connection:
        """A connection to a file that is checked, or made."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(
                path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
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
    def unusable(cls, path: Path, error: Exception) -> AnaphoraError:
        """The error message for a file that cannot be read or written."""
        message, otherwise = cls.sentences.unusable
        reason: object = error
        what_to_do = advice(error, otherwise)
        if what_to_do == _BUSY and not has_locks(path):
            reason, what_to_do = LOCKLESS
        return cls.error(Message(message.template, path=path, error=reason), what_to_do)

    def close(self) -> None:
        """Close the file; calling it twice does no harm."""
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
            if not self._is_made and (to_write or self.path.exists()):
                # Another window may have made it.
                made = self._connect(self.path)
                self._connection.close()
                self._connection, self._is_made = made, True
            try:
                yield self._connection
            except (sqlite3.Error, UnicodeError, ValueError) as error:
                raise self.unusable(self.path, error) from error

    @classmethod
    def _error(cls, said: Said, path: Path) -> AnaphoraError:
        message, what_to_do = said
        return cls.error(Message(message.template, path=path), what_to_do)

    @classmethod
    def _prepare(cls, path: Path, connection: sqlite3.Connection) -> None:
        """Look whether this is a file of the class before anything is written, and lay out a new one."""
        connection.execute("PRAGMA trusted_schema = OFF")
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if tables and application != cls.application:
            raise cls._error(cls.sentences.foreign, path)
        if version > cls.version:
            raise cls._error(cls.sentences.newer, path)
        connection.execute("PRAGMA journal_mode = WAL")
        # A crash of the machine may lose the last changes; the file stays sound.
        connection.execute("PRAGMA synchronous = NORMAL")
        with transaction(connection):
            if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                cls._create_tables(connection)
                connection.execute(f"PRAGMA application_id = {cls.application}")
                connection.execute(f"PRAGMA user_version = {cls.version}")
        if connection.execute("SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchone():
            raise sqlite3.DatabaseError("it holds statements of its own")


def advice(error: Exception, otherwise: Message) -> Message:
    """Advice about an error of sqlite or the system."""
    text = str(error)
    if "locked" in text or "busy" in text:
        return _BUSY
    if is_disk_full(error):
        return Message("Free some space on the disk.")
    if isinstance(error, OSError) or any(each in text for each in ("readonly", "unable to open", "disk I/O")):
        return Message("Check the disk and your permissions for the folder.")
    return otherwise


def is_disk_full(error: Exception) -> bool:
    """True if an error of sqlite or the system means that the disk or the quota is full.

    If a disk lacks space for the file that shares a log, sqlite reports “disk I/O error”.
    """
    if isinstance(error, OSError):
        return error.errno in _NO_ROOM
    return getattr(error, "sqlite_errorcode", None) in _NO_ROOM_FOR_SQLITE or "full" in str(error)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit all changes inside, or none."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
