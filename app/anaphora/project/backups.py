"""Backups of the open project: when it is opened and has changed, then every ten minutes."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from anaphora.core.errors import Message, ProjectError
from anaphora.project.document.following import OpenProject
from anaphora.project.store.backups import changes_in, list_backups, prune
from anaphora.project.store.integrity import is_sound
from anaphora.project.store.project import CHANGES_SETTING, ProjectStore
from anaphora.system.background import BackgroundTasks
from anaphora.system.files import remove_unfinished

log = logging.getLogger(__name__)

MINUTES = 10


class BackupService(QObject):
    """Makes backups of the open project off the window's thread."""

    project_settings = ()

    def __init__(
        self, tasks: BackgroundTasks, report: Callable[[Exception], None], parent: QObject | None = None
    ) -> None:
        """
        Args:
            report: receives the reason for a failed backup, once until one succeeds.
        """
        super().__init__(parent)
        self._tasks = tasks
        self._report = report
        self._store: ProjectStore | None = None
        self._is_reported = False
        self._timer = QTimer(self, interval=MINUTES * 60_000)
        self._timer.timeout.connect(self.back_up)

    def follow(self, project: OpenProject) -> None:
        self._store, self._is_reported = project.store, False
        self._timer.start()
        self.back_up()

    def close(self) -> None:
        self._store = None
        self._timer.stop()

    def back_up(self) -> None:
        store = self._store
        if store is not None:
            self._tasks.start(lambda: back_up_changed(store), self._note_success, self._note_failure)

    def _note_success(self, _: bool) -> None:
        self._is_reported = False

    def _note_failure(self, error: Exception) -> None:
        if self._store is None:
            return
        log.warning("no backup could be made: %s", error)
        if not self._is_reported:
            self._is_reported = True
            self._report(error)


def back_up_changed(store: ProjectStore) -> bool:
    """Back up a project, unless the last backup is current.

    The backup is checked, because a backup of a damaged file must not replace a sound one.

    Returns:
        whether a backup was made.
    Raises:
        ProjectError: the backup cannot be written, or the project's file is damaged.
    """
    changes = store.changes
    known = list_backups(store.path, summarise=False)
    if not changes or any(changes_in(backup.path, CHANGES_SETTING) == changes for backup in known[:1]):
        return False
    backup = store.back_up()
    try:
        is_readable = is_sound(backup)
    except (sqlite3.Error, OSError):
        is_readable = False
    if not is_readable:
        backup.unlink()
        raise ProjectError(
            Message("The project file “{name}” is damaged.", name=store.path.name),
            "Close the project and open it again. Anaphora restores its last backup and all "
            "changes that can still be read.",
        )
    prune(list_backups(store.path, summarise=False), store.clock())
    remove_unfinished(backup.parent)
    return True
