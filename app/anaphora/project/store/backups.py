"""Backups of projects (complete copies in the data folder), and checks that a project file is sound."""

from __future__ import annotations

import contextlib
import logging
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from anaphora.core.errors import Message, ProjectError
from anaphora.core.project import Backup
from anaphora.core.segment import Segment
from anaphora.project.store import queries, records
from anaphora.project.store.checked_tables import SETTINGS, check_tables, seconds_for, time_limit, value_limit
from anaphora.project.store.files import connect, disk_error, is_damage, remove_log
from anaphora.project.store.schema import check_statements
from anaphora.project.store.summary import read_summary
from anaphora.system.files import replacing
from anaphora.system.locations import backup_folder, backup_subject

log = logging.getLogger(__name__)


def check_structure(connection: sqlite3.Connection) -> None:
    """Check the definitions of the tables, the lengths of settings, all pages, and the indexes of segments.

    Raises:
        sqlite3.DatabaseError: the file is damaged.
        ForeignTablesError: the tables are not those of a project.
        sqlite3.DataError: a setting is too long to load.
    """
    check_statements(connection)
    with value_limit(connection, SETTINGS.max_bytes):
        # Later look-ups by key read whole values without a limit, so check all lengths now.
        for _ in connection.execute("SELECT key, value FROM settings"):
            pass
    for check in ("quick_check(1)", "integrity_check(segments)"):
        found = connection.execute(f"PRAGMA {check}").fetchone()
        if found is None or found[0] != "ok":
            raise sqlite3.DatabaseError(str(found and found[0]))


def sound_segments(connection: sqlite3.Connection) -> list[Segment]:
    """Check all rows by their checksums, and return all segments.

    Raises:
        ValueError, KeyError, TypeError, sqlite3.DatabaseError: a row is damaged.
    """
    if not queries.select_documents(connection):
        raise sqlite3.DatabaseError("the original documents are missing")
    queries.check_originals(connection)
    queries.check_shapes(connection)
    records.check_records(connection)
    check_tables(connection)
    return queries.select_segments(connection)


def is_sound(path: Path) -> bool:
    """True if a closed project or a backup is sound; writes neither to the file nor to its log.

    Raises:
        sqlite3.Error, OSError: the file is open elsewhere, or the disk fails.
    """
    try:
        with closing(connect(path, "ro")) as connection, time_limit(connection, seconds_for(path)):
            check_structure(connection)
            sound_segments(connection)
    except (ValueError, KeyError, TypeError, sqlite3.Error) as error:
        if isinstance(error, sqlite3.Error) and not is_damage(error):
            raise
        log.warning("%s is damaged: %s", path, error)
        return False
    return True


KEPT_LAST = 10
KEPT_DAYS = 14
"""`prune` keeps the newest KEPT_LAST backups, and the newest backup of each of the last KEPT_DAYS days."""
Clock = Callable[[], datetime]
"""Returns the local time, which may be earlier than before, because the user may set the clock back."""
_TIME = "%Y-%m-%dT%H-%M-%S"
_SUFFIX = ".anaphora"
_NAME = re.compile(r"(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)(?:-(?P<label>[^_]+))?_(?P<number>\d+)")


def copy_database(connection: sqlite3.Connection, destination: Path) -> None:
    """Copy an open database; only a complete copy replaces an existing file. Raises ProjectError."""
    try:
        destination.parent.mkdir(parents=True, exist_ok=True)
        with replacing(destination) as unfinished:
            _copy_into(unfinished, connection)
            remove_log(destination)
    except (OSError, sqlite3.Error) as error:
        raise disk_error(destination, error) from error


def _copy_into(path: Path, connection: sqlite3.Connection) -> None:
    copy = connect(path, "rwc")
    try:
        connection.backup(copy)
    finally:
        copy.close()
        with contextlib.suppress(OSError):
            path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
    # These bytes mean that the file has no write-ahead log. sqlite would need a lock to change them.
    with path.open("r+b") as file:
        file.seek(18)
        file.write(b"\1\1")


def back_up_older(connection: sqlite3.Connection, project: Path, version: int, clock: Clock) -> Path:
    """Back up a project of an older `version` before its tables are changed; returns the backup's path.

    Raises:
        ProjectError: the backup cannot be written; the project was not changed.
    """
    path = new_backup_path(project, clock(), f"schema-{version}")
    try:
        copy_database(connection, path)
    except ProjectError as error:
        raise ProjectError(
            Message(
                "The project “{name}” was made by an older version of Anaphora and could not be backed up, "
                "so it was not changed. {reason}",
                name=project.name,
                reason=error.message,
            ),
            error.advice,
        ) from error
    return path


def new_backup_path(project: Path, now: datetime, label: str = "") -> Path:
    """The path of a project's next backup.

    The name contains the time and a growing number, because the clock may be set back between two backups.
    """
    last = max((backup.number for backup in _backups(project)), default=0)
    stem = now.strftime(_TIME) + (f"-{label}" if label else "")
    return backup_folder(project) / f"{stem}_{last + 1:06}{_SUFFIX}"


def list_backups(project: Path, summarise: bool = True) -> list[Backup]:
    """The backups of a project, newest first.

    Args:
        summarise: also count the segments and name the documents, which takes time for each backup.
    """
    found = [_with_summary(backup) if summarise else backup for backup in _backups(project)]
    return sorted(found, key=lambda backup: (backup.number, backup.made, backup.path.name), reverse=True)


def _backups(project: Path) -> Iterator[Backup]:
    folder = backup_folder(project)
    for path in folder.glob(f"*{_SUFFIX}") if folder.is_dir() else ():
        name = _NAME.fullmatch(path.stem)
        if name is None:
            continue
        with contextlib.suppress(ValueError, OSError):
            made = datetime.strptime(name["time"], _TIME)
            size = path.stat().st_size
            number = int(name["number"])
            yield Backup(path, made, size, name["label"] or "", number=number, project=backup_subject(path))


def prune(backups: Sequence[Backup], now: datetime) -> list[Path]:
    """Remove backups without a label, except the newest ten and the newest of each of the last 14 days.

    Args:
        backups: the newest first.
    Returns:
        the removed files.
    """
    plain = [backup for backup in backups if not backup.label]
    kept = {backup.path for backup in plain[:KEPT_LAST]}
    days: dict[str, Path] = {}
    for backup in plain:
        if now - backup.made <= timedelta(days=KEPT_DAYS):
            days.setdefault(backup.made.strftime("%Y-%m-%d"), backup.path)
    kept |= set(days.values())
    removed = []
    for backup in plain:
        if backup.path not in kept:
            with contextlib.suppress(OSError):
                backup.path.unlink()
                removed.append(backup.path)
    return removed


def changes_in(path: Path, key: str) -> int:
    """The number in the setting `key` of a project or backup, 0 if not stored; -1 if it cannot be read."""
    try:
        with contextlib.closing(connect(path, "ro")) as connection:
            check_statements(connection)
            return int(queries.select_setting(connection, key) or 0)
    except (sqlite3.Error, ValueError):
        return -1


def _with_summary(backup: Backup) -> Backup:
    summary = read_summary(backup.path)
    if summary is None:
        return backup
    return replace(backup, segments=summary.segments, confirmed=summary.confirmed, documents=summary.names)
