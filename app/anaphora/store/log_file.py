"""The write-ahead log of a project: where it stands, whether there is one, and its end."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path


def log_of(path: Path) -> Path:
    """The write-ahead log beside a project; it is there while the project is open, and after a crash."""
    return path.with_name(f"{path.name}-wal")


def has_log(path: Path) -> bool:
    """Whether there is one: never where the name leaves no room for its own."""
    return os.path.exists(log_of(path))  # noqa: PTH110  (`Path.exists` raises where a name is too long)


def remove_log(path: Path) -> None:
    """Remove a log before a whole file comes to this place: it is of a file that was there once.

    Raises:
        OSError: it cannot be removed.
    """
    for left in (log_of(path), path.with_name(f"{path.name}-shm")):
        left.unlink(missing_ok=True)


def fold_log(connection: sqlite3.Connection) -> None:
    """Write what the log holds into the file and empty it, where the disk lets it: that makes room."""
    with contextlib.suppress(sqlite3.Error):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
