"""Backups of the open project, and waiting until all its changes are on the disk."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from anaphora.core.errors import Message, ProjectError
from anaphora.project.document.autosave import Autosave
from anaphora.project.document.following import OpenProject
from anaphora.project.store.backups import changes_in, is_sound, list_backups, prune
from anaphora.project.store.project import CHANGES_SETTING, ProjectStore
from anaphora.system.background import BackgroundTasks
from anaphora.system.files import remove_unfinished

log = logging.getLogger(__name__)

_BACKUP_MINUTES = 10


class BackupService(QObject):
    project_settings = ()

    def __init__(
        self, tasks: BackgroundTasks, report: Callable[[Exception], None], parent: QObject | None = None
    ) -> None:
        """
        Args:
            report: gets the error if a backup fails; later errors are not reported until a backup succeeds or
                another project is opened.
        """
        super().__init__(parent)
        self._tasks = tasks
        self._report = report
        self._store: ProjectStore | None = None
        self._is_reported = False
        self._timer = QTimer(self, interval=_BACKUP_MINUTES * 60_000)
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
    """Back up a project, unless it has no changes or its newest backup contains all of them.

    The new backup is checked, because a backup of a damaged file must not replace a sound one. Then backups
    that are no longer needed are removed.

    Returns:
        True if a backup was made.
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


BRIEF_SECONDS = 0.2
"""Maximum seconds that the window's thread waits for the disk; most disks need a few milliseconds."""
LONG_SECONDS = 5.0
"""Seconds after which the user learns that some data is not on the disk."""
LEAVING_SECONDS = 30.0
"""Maximum seconds to wait until earlier projects' files are closed, as one of them may be opened again."""
_POLL_MS = 20

T = TypeVar("T")
Then = Callable[[str | None], None]
"""See `Saving.settle`."""


@dataclass(frozen=True)
class _Wait:
    autosave: Autosave
    tries: int
    deadline: float
    then: Then


class Saving(QObject):
    """Follows the autosave of the open project, and waits for it before the project is closed or changed.

    Attributes:
        problem: the reason why some data cannot be written to the disk; "" if nothing has failed.

    Signals:
        saved: True once the project file contains everything, False after a change.
        not_saved: the reason why some data is not on the disk, for the status line.
        failed: the same reason, only for the first failure and only if no caller is waiting.
        handled: the caller of `settle` or `write_now` gets the reason, and shows it.
        waiting: True when a caller begins to wait for a slow disk, False when the wait ends.
    """

    saved = Signal(bool)
    not_saved = Signal(str)
    failed = Signal(str)
    handled = Signal()
    waiting = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.problem = ""
        self._autosave: Autosave | None = None
        self._closing: list[Autosave] = []
        self._wait: _Wait | None = None
        self._poll = QTimer(self, interval=_POLL_MS)
        self._poll.timeout.connect(self._check_wait)

    def follow(self, project: OpenProject) -> None:
        autosave, session = project.autosave, project.session
        self._autosave, self.problem = autosave, ""
        session.applied.connect(self._announce_unsaved)
        session.resegmented.connect(self._announce_unsaved)
        autosave.saved.connect(self._report_saved)
        autosave.failed.connect(self._report_failure)
        autosave.closed.connect(self._forget_closed)

    def _announce_unsaved(self, _: object) -> None:
        if not self.problem:
            self.saved.emit(False)

    def leave(self, seconds: float, others: Sequence[threading.Event] = ()) -> bool:
        """Write pending changes and close the project's file.

        Args:
            seconds: maximum time to wait; after that, writing continues in the thread of the autosave.
            others: events that are set once other threads no longer use the file.
        Returns:
            True if everything is on the disk.
        """
        self.cancel()
        autosave, self._autosave, self.problem = self._autosave, None, ""
        if autosave is None:
            return True
        self._closing.append(autosave)
        return autosave.close(seconds, others)

    def finish(self, seconds: float, check: Callable[[], object] = lambda: None) -> bool:
        """Wait, in any thread, until earlier projects are closed; False if time runs out.

        `check` is called at intervals, and may raise an error to stop waiting.
        """
        deadline = time.monotonic() + seconds
        closing = tuple(self._closing)
        while not all(autosave.wait_closed(_POLL_MS / 1000) for autosave in closing):
            check()
            if time.monotonic() > deadline:
                return False
        return True

    def after_closing(self, work: Callable[[], T]) -> T:
        """Wait until earlier projects are closed, then do `work`; this is too slow for the window's thread.

        Raises:
            ProjectError: the earlier projects are not closed after `LEAVING_SECONDS`.
        """
        if not self.finish(LEAVING_SECONDS):
            raise ProjectError(
                "The disk is not responding, so the project could not be changed.",
                "Open the project again when the disk responds.",
            )
        return work()

    @property
    def is_waiting(self) -> bool:
        return self._wait is not None

    def settle(self, then: Then) -> None:
        """Write everything, and call `then`; if the disk is fast, it is called before this method returns.

        Args:
            then: gets the reason why some data is not on the disk; "" if all data is on the disk; None if
                waiting was cancelled. The changes of a running step do not count, because closing the project
                cancels the step.
        """
        problem = self.write_now(then)
        if problem is not None:
            then(problem)

    def write_now(self, then: Then) -> str | None:
        """Write everything; returns the reason why some data is not on the disk, or "" if all data is.

        Args:
            then: if the disk is slow, the method returns None, and `then` gets the result as in `settle`.
        """
        self.cancel()
        if (autosave := self._autosave) is None:
            return ""
        tries = autosave.urge()
        if autosave.wait_written(tries, BRIEF_SECONDS):
            return self._unsaved_reason(autosave)
        self._wait = _Wait(autosave, tries, time.monotonic() + LONG_SECONDS, then)
        self._poll.start()
        self.waiting.emit(True)
        return None

    def cancel(self) -> None:
        """Stop waiting; the waiting caller gets None."""
        if (wait := self._end_wait()) is not None:
            wait.then(None)

    def _end_wait(self) -> _Wait | None:
        wait, self._wait = self._wait, None
        if wait is not None:
            self._poll.stop()
            self.waiting.emit(False)
        return wait

    def _check_wait(self) -> None:
        wait = self._wait
        if wait is None:
            return
        if wait.autosave.wait_written(wait.tries, 0.0) or time.monotonic() > wait.deadline:
            self._end_wait()
            wait.then(self._unsaved_reason(wait.autosave))

    def _unsaved_reason(self, autosave: Autosave) -> str:
        if not autosave.has_unsaved:
            return ""
        problem = autosave.problem or self.tr("Your last changes are not saved yet.")
        self.handled.emit()
        if not self.problem:
            self.problem = problem
            self.not_saved.emit(problem)
        return problem

    def _report_saved(self) -> None:
        if self._autosave is not None and self._autosave.is_clean:
            self.problem = ""
            self.saved.emit(True)

    def _report_failure(self, message: str) -> None:
        if self.sender() is not self._autosave:
            return  # The project has been closed.
        is_first, self.problem = not self.problem, message
        self.not_saved.emit(message)
        if is_first and not self.is_waiting:
            self.failed.emit(message)

    def _forget_closed(self) -> None:
        for autosave in [each for each in self._closing if each is self.sender()]:
            autosave.wait_closed(1.0)  # The autosave's thread ends soon after it has emitted `closed`.
            self._closing.remove(autosave)
            autosave.deleteLater()
