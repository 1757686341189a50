"""Project files: connections, checks before connecting, write-ahead logs, and the errors for the user."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from pathlib import Path

from anaphora.core.errors import Message, ProjectError
from anaphora.core.project import (
    DamagedProjectError,
    ForeignFileError,
    ProjectInUseError,
    ReadOnlyProjectError,
    title_of,
)
from anaphora.project.store import schema
from anaphora.project.store.checked_tables import TOO_MUCH, confine, is_interrupted
from anaphora.project.store.schema import ForeignTablesError
from anaphora.system.database_file import LOCKLESS, is_disk_full
from anaphora.system.files import OPEN_FILE_ADVICE, refuse_open_file
from anaphora.system.locations import data_folder

_MAGIC = b"SQLite format 3\x00"
_HEADER_SIZE = 100
_BUSY_SECONDS = 0.5


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Connect to a file, with limits for untrusted files (`confine`); sqlite does not read the file yet.

    Args:
        mode: "rw", "ro" (read only), or "rwc" for a new file that no other process uses. sqlite does not lock
            a new file, because copying a database into it would wait forever on a disk without file locks.
    """
    mode += "&nolock=1" * (mode == "rwc")
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    confine(connection)
    return connection


def lock(connection: sqlite3.Connection) -> None:
    """Lock the file for this process, and make sqlite read it and any log left by a crash; write nothing."""
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA synchronous = FULL")
    # Deleted or replaced data, such as a name that the user removed, must leave no trace in the file.
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA schema_version")


def prepare_writing(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log, and check that the file can be written."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("COMMIT")


def check_header(path: Path) -> int:
    """Check a project file by its first bytes, without sqlite; returns the version number of its tables.

    No lock of sqlite protects this reading, so the caller must hold the project's lock, unless the folder is
    read-only.

    Raises:
        ProjectError: the file is missing, unreadable, damaged, not a project, made by a newer version or
            before the first release, or open in this process under another name.
    """
    refuse_open_file(path)
    try:
        check_is_file(path)
        with path.open("rb") as file:
            header = file.read(_HEADER_SIZE)
    except FileNotFoundError as error:
        raise missing_error(path) from error
    except OSError as error:
        raise ProjectError(
            Message(
                "The project “{path}” could not be read: {reason}.", path=path, reason=error.strerror or error
            ),
            "Check its folder and your permissions.",
        ) from error
    if len(header) < _HEADER_SIZE or not header.startswith(_MAGIC) or not _is_valid_header(header):
        raise DamagedProjectError(path)
    application_id, version = int.from_bytes(header[68:72], "big"), int.from_bytes(header[60:64], "big")
    return check_version(path, application_id, version)


def check_is_file(path: Path) -> None:
    """Raise ProjectError if a path leads to something other than a file, such as a folder or a pipe."""
    if path.exists() and not path.is_file():
        # Opening a pipe would wait forever.
        raise ProjectError(Message("“{path}” is not a file.", path=path), "Choose a file saved by Anaphora.")


def check_version(path: Path, application_id: int, version: int) -> int:
    """Check the application id and the version of a database; returns the version.

    Raises:
        ProjectError: the file is not a project, or was made by a newer version or before the first release.
    """
    if application_id == schema.EARLY_ID:
        reason = Message("it was made before the first release of Anaphora")
        raise DamagedProjectError(path, reason, has_backups=False)
    if application_id != schema.APPLICATION_ID:
        raise ForeignFileError(
            Message("“{name}” is not an Anaphora project.", name=path.name),
            "Choose a file saved by Anaphora.",
        )
    if version > schema.VERSION:
        raise ProjectError(
            Message("The project “{name}” was made by a newer version of Anaphora.", name=path.name),
            "Install the latest version to open it. The file was not changed.",
        )
    return version


def _is_valid_header(header: bytes) -> bool:
    """True if sqlite may have written this header; a wrong byte makes a file read-only or unreadable."""
    page_size = int.from_bytes(header[16:18], "big")
    return (
        (page_size == 1 or (page_size >= 512 and page_size & (page_size - 1) == 0))
        and set(header[18:20]) <= {1, 2}
        and tuple(header[20:24]) == (0, 64, 32, 32)
        and int.from_bytes(header[44:48], "big") in range(5)
        and int.from_bytes(header[56:60], "big") in range(2)
        and not any(header[72:92])
    )


def open_error(path: Path, error: sqlite3.Error) -> ProjectError:
    """The error for the user about a project that could not be opened because of `error`."""
    text = str(error)
    if "locked" in text or "busy" in text:
        # `ProjectLock` was free, so the project is open under another name, or its lock file was removed.
        message = Message("The project “{name}” is open in another window of Anaphora.", name=title_of(path))
        return ProjectInUseError(message, OPEN_FILE_ADVICE)
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    if "readonly" in text or "unable to open" in text or not writable:
        return read_only_error(path)
    if is_disk_full(error):
        return ProjectError(
            Message("“{path}” could not be opened: the disk is full.", path=path),
            "Free some space on the disk. An open project needs a little space.",
        )
    if "disk I/O" in text:
        return disk_error(path, error)
    return damage_error(path, error)


def missing_error(path: Path) -> ProjectError:
    return ProjectError(Message("The project “{path}” does not exist.", path=path), "It may have been moved.")


def read_only_error(path: Path) -> ReadOnlyProjectError:
    return ReadOnlyProjectError(
        Message("The project “{path}” cannot be changed: the file or its folder is read-only.", path=path),
        "Copy it to a folder that you can write to.",
    )


def lockless_error(path: Path) -> ReadOnlyProjectError:
    return ReadOnlyProjectError(
        Message("“{path}” is on a disk without file locks, so you cannot edit projects there.", path=path),
        LOCKLESS[1] if data_folder() in path.parents else Message("Copy the project to this computer."),
    )


def damage_error(path: Path, error: Exception) -> DamagedProjectError:
    """The error for the user about a project whose data could not be read because of `error`."""
    if isinstance(error, ForeignTablesError):
        reason = Message("its database contains tables that Anaphora does not create")
    elif isinstance(error, sqlite3.Error) and is_interrupted(error):
        reason = Message("checking it took too long")
    elif isinstance(error, sqlite3.DataError) or str(error) == TOO_MUCH:
        reason = Message("its contents are too large to load")
    else:
        return DamagedProjectError(path)
    return DamagedProjectError(path, reason)


def is_damage(error: sqlite3.Error) -> bool:
    """True if an error while reading means that the file is damaged; False if the disk or a lock failed."""
    if isinstance(error, sqlite3.OperationalError):
        signs = ("no such", "decode", "malformed", "unsupported", "interrupted")
        return any(sign in str(error) for sign in signs)
    return isinstance(error, sqlite3.DatabaseError)


def disk_error(path: Path, error: Exception) -> ProjectError:
    """The error for the user about a project that could not be saved or read because of `error`."""
    if is_disk_full(error):
        message = Message("“{path}” could not be saved: the disk is full.", path=path)
        return ProjectError(message, "Free some space on the disk.")
    return ProjectError(
        Message("The project “{path}” could not be saved or read: {error}.", path=path, error=error),
        "Check the disk and your permissions for the folder.",
    )


def log_of(path: Path) -> Path:
    """The path of a project's write-ahead log, which exists while the project is open and after a crash."""
    return path.with_name(f"{path.name}-wal")


def has_log(path: Path) -> bool:
    """True if the project has a log; False if not, or if the log's name is too long for the disk."""
    return os.path.exists(log_of(path))  # noqa: PTH110  (`Path.exists` raises where a name is too long)


def copy_with_log(path: Path, copy: Path) -> None:
    """Copy a closed project, together with its log if a crash has left one."""
    remove_log(copy)
    if has_log(path):
        shutil.copyfile(log_of(path), log_of(copy))
    shutil.copyfile(path, copy)


def remove_log(path: Path) -> None:
    """Remove the log of a file, and the shared memory for the log, before another file takes the path.

    Raises:
        OSError: the log cannot be removed.
    """
    for file in (log_of(path), path.with_name(f"{path.name}-shm")):
        file.unlink(missing_ok=True)


def merge_log(connection: sqlite3.Connection) -> None:
    """Move the contents of the log into the file if possible, to free disk space."""
    with contextlib.suppress(sqlite3.Error):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
