"""The project file: an original document, its segments and their states, kept durably."""

from __future__ import annotations

import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from anaphora.core.document import Document
from anaphora.core.edits import ChangeSet
from anaphora.core.errors import ProjectError
from anaphora.core.source import SourceDocument
from anaphora.store import queries
from anaphora.store.schema import APPLICATION_ID, VERSION, create_tables, migrate

_MAGIC = b"SQLite format 3\x00"
_HEADER = 100
_BUSY_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class ProjectInfo:
    """What a project was made from.

    Attributes:
        name: the original file's name.
        path: where the original was; empty when unknown.
        format: see `SourceDocument.format`.
        encoding: see `SourceDocument.encoding`.
        sha256: checksum of the original.
    """

    name: str
    path: str
    format: str
    encoding: str
    sha256: str


class ProjectStore:
    """An open project file (`*.anaphora`, sqlite). Safe to call from any thread; one process at a time.

    Attributes:
        path: the file.
        info: what it was made from.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, info: ProjectInfo) -> None:
        """Use `create` or `open` instead."""
        self.path = path
        self.info = info
        self._connection: sqlite3.Connection | None = connection
        self._lock = threading.Lock()

    @classmethod
    def create(cls, path: Path, source: SourceDocument) -> ProjectStore:
        """Make a project file; it appears complete or not at all.

        Raises:
            ProjectError: the file exists already, or the folder cannot be written.
        """
        if path.exists():
            raise ProjectError(f"The project “{path}” exists already.", "Open it, or choose another name.")
        unfinished = path.with_name(f".{path.name[:40]}.{secrets.token_hex(6)}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_new(unfinished, source)
            os.replace(unfinished, path)  # noqa: PTH105  (the store's tests break this very call)
        except (OSError, sqlite3.Error) as error:
            raise _cannot_write(path, error) from error
        finally:
            unfinished.unlink(missing_ok=True)
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> ProjectStore:
        """Open a project file.

        Raises:
            ProjectError: missing, damaged (left as it is), made by a newer version, or in use elsewhere.
        """
        version = _check_header(path)
        connection = _connect(path, "rw")
        try:
            _lock_and_check(connection)
            migrate(connection, version)
            info = ProjectInfo(*queries.select_info(connection))
        except sqlite3.Error as error:
            connection.close()
            raise _cannot_open(path, error) from error
        except BaseException:
            connection.close()
            raise
        return cls(path, connection, info)

    @classmethod
    def open_or_create(cls, path: Path, source: SourceDocument) -> ProjectStore:
        """Open the project if it is there, else make it.

        Raises:
            ProjectError: see `open` and `create`.
        """
        return cls.open(path) if path.exists() else cls.create(path, source)

    def load_document(self) -> Document:
        """The document with the states saved last.

        Raises:
            ProjectError: the file is damaged.
        """
        with self._using() as connection:
            return Document(self.info.name, queries.select_segments(connection))

    def save(self, changes: ChangeSet) -> None:
        """Save the `after` states, all or none; on return they survive a crash.

        Raises:
            ProjectError: a segment is unknown, or the disk is full or gone.
        """
        with self._using() as connection, _transaction(connection):
            unknown = queries.update_states(connection, changes.edits)
            if unknown:
                raise ProjectError(
                    f"The project “{self.path.name}” has no segment {unknown[0]}; nothing was saved.",
                    "It may have been replaced by another file: open the document again.",
                )

    def original(self) -> bytes:
        """The original file's bytes."""
        with self._using() as connection:
            return queries.select_original(connection)

    def setting(self, key: str, default: str = "") -> str:
        """A value kept with the project (current row, options, …)."""
        with self._using() as connection:
            value = queries.select_setting(connection, key)
        return default if value is None else value

    def set_setting(self, key: str, value: str) -> None:
        """Keep a value with the project.

        Raises:
            ProjectError: the disk is full or gone.
        """
        with self._using() as connection, _transaction(connection):
            queries.upsert_setting(connection, key, value)

    def close(self) -> None:
        """Close the file; calling it twice does no harm."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one caller at a time; sqlite's errors become readable ones."""
        with self._lock:
            if self._connection is None:
                raise ProjectError(f"The project “{self.path.name}” is closed.", "Open it again.")
            try:
                yield self._connection
            except (sqlite3.Error, ValueError) as error:
                raise _cannot_write(self.path, error) from error


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection, the file still untouched; `mode` is "rw", or "rwc" to make it."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def _write_new(path: Path, source: SourceDocument) -> None:
    connection = _connect(path, "rwc")
    try:
        connection.execute("PRAGMA synchronous = FULL")
        with _transaction(connection):
            create_tables(connection)
            queries.insert_source(connection, source)
    finally:
        connection.close()


def _lock_and_check(connection: sqlite3.Connection) -> None:
    """Take the file for this process, look for damage before anything is written, then switch to WAL."""
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA schema_version")  # recovers what a crash left in the log
    found = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found is None or found[0] != "ok":
        raise sqlite3.DatabaseError(str(found and found[0]))
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("COMMIT")


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _check_header(path: Path) -> int:
    """Judge a file by its first bytes, before sqlite touches it; returns the version of its tables.

    Raises:
        ProjectError: missing, no project, or made by a newer version.
    """
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER)
    except FileNotFoundError as error:
        raise ProjectError(f"The project “{path}” does not exist.", "It may have been moved.") from error
    except OSError as error:
        raise ProjectError(
            f"The project “{path}” could not be read: {error.strerror or error}.",
            "Check its folder and rights.",
        ) from error
    if not header.startswith(_MAGIC) or len(header) < _HEADER:
        raise _damaged(path)
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise ProjectError(f"“{path.name}” is not an Anaphora project.", "Choose a file that Anaphora saved.")
    version = int.from_bytes(header[60:64], "big")
    if version > VERSION:
        raise ProjectError(
            f"The project “{path.name}” was made by a newer version of Anaphora.",
            "Install the newest version to open it; it was left as it is.",
        )
    return version


def _cannot_open(path: Path, error: sqlite3.Error) -> ProjectError:
    if "locked" in str(error) or "busy" in str(error):
        return ProjectError(
            f"The project “{path.name}” is open in another window of Anaphora.",
            "Go on there, or close it and try again.",
        )
    if "readonly" in str(error) or "unable to open" in str(error):
        return ProjectError(
            f"The project “{path}” cannot be written: {error}.", "Copy it to a folder that you may write to."
        )
    return _damaged(path)


def _cannot_write(path: Path, error: Exception) -> ProjectError:
    full = "full" in str(error) or "No space" in str(error)
    advice = "Free some space on the disk." if full else "Check the disk and your rights to its folder."
    return ProjectError(f"The project “{path}” could not be saved or read: {error}.", advice)


def _damaged(path: Path) -> ProjectError:
    return ProjectError(
        f"The project “{path}” is damaged and was left as it is.",
        "Restore a copy of it, or move it away and open the original document again.",
    )
