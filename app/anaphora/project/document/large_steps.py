"""Steps of the undo history that change many segments, some in each turn of the event loop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer, Signal

from anaphora.core.segment import SegmentState
from anaphora.project.document.session import DocumentSession

MANY = 500
"""A step of fewer segments is carried out at once, which blocks the window's thread for 20 ms."""
_AT_ONCE = 100
_TURN_S = 0.015
"""Longest time in seconds that one turn may block the window's thread."""

States = dict[str, SegmentState]
Then = Callable[[States, States], None]


class LargeSteps(QObject):
    """Changes the states of many segments, some in each turn of the event loop; one step at a time.

    A cancelled step is undone in the same way.

    Signals:
        begun: the step's name.
        progressed: the finished part of the step, per mille.
        ended: the step was carried out or undone.
    """

    begun = Signal(str)
    progressed = Signal(int)
    ended = Signal()

    def __init__(self, session: DocumentSession) -> None:
        # No Qt parent: if Python collected both together, the object would be freed twice.
        super().__init__()
        self._session = session
        self._wanted: Iterator[tuple[str, SegmentState]] = iter(())
        self._total = self._done = 0
        self._before: States = {}
        self._after: States = {}
        self._then: Then | None = None
        self._is_cancelled = False
        self._timer = QTimer(interval=0)
        self._timer.timeout.connect(self._turn)

    @property
    def is_under_way(self) -> bool:
        return self._timer.isActive()

    def carry_out(
        self, name: str, wanted: Iterator[tuple[str, SegmentState]], total: int, then: Then
    ) -> None:
        """Change the states of segments.

        Args:
            name: the step's name for the user.
            wanted: yields segments with their new states, when their turn comes.
            total: the maximum number of segments.
            then: gets the states before and after of the changed segments; empty if the step was cancelled.
        """
        if self.is_under_way:
            return
        self._wanted, self._total, self._done, self._then = wanted, max(total, 1), 0, then
        self._before, self._after, self._is_cancelled = {}, {}, False
        self._session.step_begun.emit()
        self.begun.emit(name)
        self._timer.start()

    def cancel(self) -> None:
        """Cancel the running step and undo its changes."""
        if not self.is_under_way or self._is_cancelled:
            return
        self._is_cancelled = True
        back = list(reversed(self._before.items()))
        self._wanted, self._total, self._done = iter(back), max(len(back), 1), 0

    def stop(self) -> None:
        """Cancel a running step because the document is being closed; the project contains no part of it."""
        if self.is_under_way:
            self._timer.stop()
            self._wanted, self._then, self._before, self._after = iter(()), None, {}, {}
            self._session.step_ended.emit(False)
            self.ended.emit()

    def _turn(self) -> None:
        deadline = time.thread_time() + _TURN_S
        while time.thread_time() < deadline:
            if not self._change_some(deadline):
                self._end()
                return
        self.progressed.emit(min(1000 * self._done // self._total, 1000))

    def _change_some(self, deadline: float) -> bool:
        """Change some segments until the time is up; returns True if there may be more."""
        states: States = {}
        are_more = False
        for segment, state in self._wanted:
            states[segment] = state
            if are_more := len(states) == _AT_ONCE or time.thread_time() > deadline:
                break
        self._done += len(states)
        for edit in self._session.set_states(states).edits:
            if not self._is_cancelled:
                self._before[edit.segment], self._after[edit.segment] = edit.before, edit.after
        return are_more

    def _end(self) -> None:
        self._timer.stop()
        then, before, after = self._then, self._before, self._after
        self._then, self._before, self._after = None, {}, {}
        self._session.step_ended.emit(True)
        self.ended.emit()
        if then is not None:
            then(*(({}, {}) if self._is_cancelled else (before, after)))
