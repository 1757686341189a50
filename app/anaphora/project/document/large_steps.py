"""Steps of the undo history that change so many segments that they are carried out some at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer, Signal

from anaphora.core.segment import SegmentState
from anaphora.project.document.session import DocumentSession

MANY = 500
"""A step of fewer segments is carried out at once: that takes the window's thread 20 ms."""
_AT_ONCE = 100
_TURN_S = 0.015
"""Longest time in seconds that one turn may block the window's thread."""

States = dict[str, SegmentState]
Then = Callable[[States, States], None]


class LargeSteps(QObject):
    """Brings many segments into other states, some at each turn of the event loop; one step at a time.

    A cancelled step is undone in the same way.

    Signals:
        begun: the step's name.
        progressed: per mille of the step.
        ended: it is carried out, or taken back.
    """

    begun = Signal(str)
    progressed = Signal(int)
    ended = Signal()

    def __init__(self, session: DocumentSession) -> None:
        # No Qt parents: collected together with them they would be freed twice.
        super().__init__()
        self._session = session
        self._wanted: Iterator[tuple[str, SegmentState]] = iter(())
        self._total = self._done = 0
        self._before: States = {}
        self._after: States = {}
        self._then: Then | None = None
        self._is_given_up = False
        self._timer = QTimer(interval=0)
        self._timer.timeout.connect(self._turn)

    @property
    def is_under_way(self) -> bool:
        return self._timer.isActive()

    def carry_out(
        self, name: str, wanted: Iterator[tuple[str, SegmentState]], total: int, then: Then
    ) -> None:
        """Bring segments into states.

        Args:
            name: for the user.
            wanted: called for a segment and its state when its turn has come.
            total: how many there are at most.
            then: gets the states before and after, of the segments that have changed; none if it was given
                up.
        """
        if self.is_under_way:
            return
        self._wanted, self._total, self._done, self._then = wanted, max(total, 1), 0, then
        self._before, self._after, self._is_given_up = {}, {}, False
        self._session.step_begun.emit()
        self.begun.emit(name)
        self._timer.start()

    def cancel(self) -> None:
        """Cancel the running step and undo its changes."""
        if not self.is_under_way or self._is_given_up:
            return
        self._is_given_up = True
        back = list(reversed(self._before.items()))
        self._wanted, self._total, self._done = iter(back), max(len(back), 1), 0

    def stop(self) -> None:
        """The document closes: a running step is cancelled, and the project contains no part of it."""
        if self.is_under_way:
            self._timer.stop()
            self._wanted, self._then, self._before, self._after = iter(()), None, {}, {}
            self._session.step_ended.emit(False)
            self.ended.emit()

    def _turn(self) -> None:
        end = time.thread_time() + _TURN_S
        while time.thread_time() < end:
            if not self._some(end):
                self._end()
                return
        self.progressed.emit(min(1000 * self._done // self._total, 1000))

    def _some(self, end: float) -> bool:
        """Change some segments, of those whose states come in time; returns whether there may be more."""
        states: States = {}
        are_more = False
        for segment, state in self._wanted:
            states[segment] = state
            if are_more := len(states) == _AT_ONCE or time.thread_time() > end:
                break
        self._done += len(states)
        for edit in self._session.set_states(states).edits:
            if not self._is_given_up:
                self._before[edit.segment], self._after[edit.segment] = edit.before, edit.after
        return are_more

    def _end(self) -> None:
        self._timer.stop()
        then, before, after = self._then, self._before, self._after
        self._then, self._before, self._after = None, {}, {}
        self._session.step_ended.emit(True)
        self.ended.emit()
        if then is not None:
            then(*(({}, {}) if self._is_given_up else (before, after)))
