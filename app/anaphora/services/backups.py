"""Backups while a project is open: at its opening when it has changed, then every ten minutes."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, QTimer, Signal

from anaphora.core.errors import AnaphoraError
from anaphora.core.files import remove_unfinished
from anaphora.services.background import BackgroundTasks
from anaphora.services.messages import describe_error
from anaphora.store.backups import changes_in, list_backups, prune
from anaphora.store.project import CHANGES_SETTING, ProjectStore

log = logging.getLogger(__name__)

MINUTES = 10


class BackupService(QObject):
    """Makes backups of the open project off the window's thread.

    Signals:
        failed: why a backup could not be made.
    """

    failed = Signal(str)

    def __init__(
        self, tasks: BackgroundTasks, minutes: float = MINUTES, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._store: ProjectStore | None = None
        self._timer = QTimer(self, interval=round(minutes * 60_000))
        self._timer.timeout.connect(self.back_up)

    def open(self, store: ProjectStore) -> None:
        """Follow a project."""
        self._store = store
        self._timer.start()
        self.back_up()

    def close(self) -> None:
        """Stop following."""
        self._store = None
        self._timer.stop()

    def back_up(self) -> None:
        """Make a backup now, if the project has changed since the last one."""
        store = self._store
        if store is not None:
            self._tasks.start(lambda: back_up_changed(store), lambda _: None, self._report)

    def _report(self, error: Exception) -> None:
        if self._store is None:
            return
        log.warning("no backup could be made: %s", error)
        self.failed.emit(describe_error(error) if isinstance(error, AnaphoraError) else str(error))


def back_up_changed(store: ProjectStore) -> bool:
    """Back a project up, unless nothing has been done in it or the last backup holds all of it.

    Returns:
        whether a backup was made.
    Raises:
        ProjectError: it cannot be written.
    """
    changes = store.changes
    known = list_backups(store.path, summarise=False)
    if not changes or any(changes_in(backup.path, CHANGES_SETTING) == changes for backup in known[:1]):
        return False
    backup = store.back_up()
    prune(list_backups(store.path, summarise=False), store.clock())
    remove_unfinished(backup.parent)
    return True
