"""Saving the readable parts of a project that cannot be opened, off the window's thread."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from anaphora.core.errors import Message, ProjectError
from anaphora.core.segment import Status
from anaphora.project.rereading import reread_rescued
from anaphora.project.restoring import restore_tables
from anaphora.project.store.checked_tables import seconds_for, time_limit
from anaphora.project.store.files import connect, copy_with_log, disk_error
from anaphora.project.store.lock import ProjectLock
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.rescue import write_readable
from anaphora.system.files import replacing
from anaphora.system.locations import project_path


@dataclass(frozen=True, slots=True)
class RescuedProject:
    """The path of a project with the readable parts of another, and its numbers of segments."""

    project: Path
    segments: int
    confirmed: int


def rescue(damaged: Path) -> RescuedProject:
    """Make a new project in the data folder from the readable parts of a project that cannot be opened.

    Raises:
        ProjectError: no document can be read, the damaged project is open, or the new project cannot be
            written.
    """
    name = QCoreApplication.translate("Rescue", "{0} recovered").format(damaged.stem)
    project = project_path(name)
    try:
        project.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy"
            with ProjectLock(damaged, works=False):
                copy_with_log(damaged, copy)
            with closing(connect(copy, "ro")) as source, time_limit(source, seconds_for(copy)):
                with replacing(project) as unfinished:
                    write_readable(source, unfinished)
                return _complete(project, source)
    except OSError as error:
        raise disk_error(project, error) from error
    except (sqlite3.Error, ValueError) as error:
        raise _unreadable_error(damaged) from error


def _complete(project: Path, source: sqlite3.Connection) -> RescuedProject:
    try:
        store = ProjectStore.open(project)
        try:
            restore_tables(store, source)
            reread_rescued(store)
            document = store.load_document()
        finally:
            store.close()
    except BaseException:
        project.unlink(missing_ok=True)
        raise
    confirmed = sum(segment.status is Status.CONFIRMED for segment in document)
    return RescuedProject(project, len(document), confirmed)


def _unreadable_error(damaged: Path) -> ProjectError:
    return ProjectError(
        Message("Nothing in “{name}” can be read.", name=damaged.name),
        "Ask the sender for the project again, or open one of its backups.",
    )
