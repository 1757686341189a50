"""Tracks whether the open project's file is complete, and waits for that without blocking the window."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from anaphora.core.errors import ProjectError
from anaphora.project.document.autosave import Autosave
from anaphora.project.document.following import OpenProject

BRIEF_SECONDS = 0.2
"""The window's thread waits so long for a disk; most take some milliseconds."""
LONG_SECONDS = 5.0
"""Then the user learns that not everything is on the disk."""
LEAVING_SECONDS = 30.0
"""Opening a project, or changing its file, waits this long for the previous one: it may be the same."""
_POLL_MS = 20

T = TypeVar("T")
Then = Callable[[str | None], None]


@dataclass(frozen=True)
class _Wait:
    autosave: Autosave
    tries: int
    end: float
    then: Then


class Saving(QObject):
    """Follows the autosave of the open project.

    Attributes:
        problem: why not everything is on the disk; "" if it is, or may be within a moment.

    Signals:
        saved: whether the project file holds everything.
        not_saved: why it does not, for a line that is always there.
        failed: the same, if the user does not know yet.
        told: the caller shows the reason; nothing else shows it.
        lasting: True while a caller waits for a slow disk.
    """

    saved = Signal(bool)
    not_saved = Signal(str)
    failed = Signal(str)
    told = Signal()
    lasting = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.problem = ""
        self._autosave: Autosave | None = None
        self._left: list[Autosave] = []
        self._wait: _Wait | None = None
        self._look = QTimer(self, interval=_POLL_MS)
        self._look.timeout.connect(self._look_again)

    def follow(self, project: OpenProject) -> None:
        autosave, session = project.autosave, project.session
        self._autosave, self.problem = autosave, ""
        session.applied.connect(self._expect)
        session.resegmented.connect(self._expect)
        autosave.saved.connect(self._report_saved)
        autosave.failed.connect(self._report_failure)
        autosave.left.connect(self._forget_left)

    def _expect(self, _: object) -> None:
        """Something changed; an earlier message about a failure stays."""
        if not self.problem:
            self.saved.emit(False)

    def leave(self, seconds: float, others: Sequence[threading.Event] = ()) -> bool:
        """The project is left: pending changes are written, and its file is closed.

        Args:
            seconds: time to wait; longer work continues in its own thread.
            others: are set once others use the file no longer.
        Returns:
            whether everything is on the disk.
        """
        self.cancel()
        autosave, self._autosave, self.problem = self._autosave, None, ""
        if autosave is None:
            return True
        self._left.append(autosave)
        return autosave.close(seconds, others)

    def finish(self, seconds: float, go_on: Callable[[], object] = lambda: None) -> bool:
        """Wait until earlier projects have been closed; safe to call from any thread.

        Args:
            go_on: called now and then, to end the waiting by an error.
        Returns:
            whether they have been.
        """
        end = time.monotonic() + seconds
        left = tuple(self._left)
        while not all(autosave.wait_left(_POLL_MS / 1000) for autosave in left):
            go_on()
            if time.monotonic() > end:
                return False
        return True

    def once_left(self, work: Callable[[], T]) -> T:
        """Change a project's file after its users have closed it. Not for the window's thread.

        Raises:
            ProjectError: the disk does not answer.
        """
        if not self.finish(LEAVING_SECONDS):
            raise ProjectError(
                "The disk is not responding, so the project could not be changed.",
                "Open it again when the disk responds.",
            )
        return work()

    @property
    def is_waiting(self) -> bool:
        return self._wait is not None

    def settle(self, then: Then) -> None:
        """Have everything written, and call `then`: at once where the disk is quick.

        Args:
            then: gets the reason why data is not on the disk, "" if it is, None if the user does not want to
                wait. A running step does not count: leaving cancels it.
        """
        problem = self.now(then)
        if problem is not None:
            then(problem)

    def now(self, later: Then) -> str | None:
        """Write everything; returns the reason why data is not on the disk, "" if it is.

        Args:
            later: called instead, if that takes its time and the answer is None; see `settle`.
        """
        self.cancel()
        if (autosave := self._autosave) is None:
            return ""
        tries = autosave.urge()
        if autosave.wait_written(tries, BRIEF_SECONDS):
            return self._judge(autosave)
        self._wait = _Wait(autosave, tries, time.monotonic() + LONG_SECONDS, later)
        self._look.start()
        self.lasting.emit(True)
        return None

    def cancel(self) -> None:
        """Stop waiting: the callers learn that the user stays."""
        if (wait := self._end_wait()) is not None:
            wait.then(None)

    def _end_wait(self) -> _Wait | None:
        wait, self._wait = self._wait, None
        if wait is not None:
            self._look.stop()
            self.lasting.emit(False)
        return wait

    def _look_again(self) -> None:
        wait = self._wait
        if wait is None:
            return
        if wait.autosave.wait_written(wait.tries, 0.0) or time.monotonic() > wait.end:
            self._end_wait()
            wait.then(self._judge(wait.autosave))

    def _judge(self, autosave: Autosave) -> str:
        """The reason why data is not on the disk: only the caller reports it."""
        if not autosave.unsaved:
            return ""
        problem = autosave.problem or self.tr("Your last changes are not saved yet.")
        self.told.emit()
        if not self.problem:
            self.problem = problem
            self.not_saved.emit(problem)
        return problem

    def _report_saved(self) -> None:
        if self._autosave is not None and self._autosave.clean:
            self.problem = ""
            self.saved.emit(True)

    def _report_failure(self, message: str) -> None:
        if self.sender() is not self._autosave:
            return  # The project has been left meanwhile.
        is_first, self.problem = not self.problem, message
        self.not_saved.emit(message)
        if is_first and not self.is_waiting:
            self.failed.emit(message)

    def _forget_left(self) -> None:
        for autosave in [each for each in self._left if each is self.sender()]:
            autosave.wait_left(1.0)  # The signal was its last deed.
            self._left.remove(autosave)
            autosave.deleteLater()
