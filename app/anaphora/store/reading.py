"""Looking into a project without opening it for work: the one way to do so."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from anaphora.core.project import ReadOnlyProjectError
from anaphora.store.files import check_header, check_is_file, check_mark, connect
from anaphora.store.known_tables import check_statements
from anaphora.store.limits import Cancelled, within
from anaphora.store.lock import ProjectLock
from anaphora.store.log_file import has_log

GLANCE = 2.0
"""Seconds of processor time to count what a project holds."""
SNAPSHOT = "ro&immutable=1"
"""Mode of a connection that takes no lock: it may read a project that is open, as it was a while ago."""


@contextmanager
def reading(
    project: Path, mode: str = "ro", seconds: float = GLANCE, cancelled: Cancelled = bool
) -> Iterator[tuple[sqlite3.Connection, int]]:
    """A connection to a project whose tables are those that the app makes, and their version.

    But for a snapshot the project's lock is held meanwhile, so that nobody begins to work on it.

    Args:
        mode: "ro" to leave it as it is; "rw" where a log that a crash left may be folded in; or `SNAPSHOT`.
        seconds: of processor time for all statements together.
        cancelled: asked all the time, also while the lock is waited for.
    Raises:
        ProjectError: missing, no project, or made by a newer version; ProjectInUseError.
        sqlite3.Error: it cannot be read.
    """
    with ExitStack() as stack:
        if mode == SNAPSHOT:
            # It may be open in this process: its first bytes are for sqlite to read.
            _check_mark(project)
        else:
            try:
                stack.enter_context(ProjectLock(project, works=False, cancelled=cancelled))
            except ReadOnlyProjectError:
                # Nobody can work on it there, and sqlite cannot make the files that it reads a log with.
                mode = mode if has_log(project) else SNAPSHOT
            check_header(project)
        connection = connect(project, mode)
        stack.callback(connection.close)
        stack.enter_context(within(connection, seconds, cancelled))
        yield connection, check_statements(connection)


def _check_mark(project: Path) -> None:
    """What `check_header` checks, by sqlite."""
    check_is_file(project)
    connection = connect(project, SNAPSHOT)
    try:
        mark, version = (
            int(connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("application_id", "user_version")
        )
    finally:
        connection.close()
    check_mark(project, mark, version)
