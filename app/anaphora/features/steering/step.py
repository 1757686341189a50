"""Undoable memory changes, and jumps in the undo history, which run in turns of the event loop."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoCommand

from anaphora.project.document.editing import Editing


class MemoryStep(QUndoCommand):
    """An undo command made of two functions."""

    def __init__(self, text: str, do: Callable[[], None], undo: Callable[[], None]) -> None:
        super().__init__(text)
        self._do, self._undo = do, undo

    def redo(self) -> None:
        self._do()

    def undo(self) -> None:
        self._undo()


_TURN_S = 0.015
"""Maximum time in seconds that one turn may block the window's thread."""


class HistoryJump(QObject):
    """Undoes or redoes steps until the goal is reached; a new goal replaces the old one.

    A step that changes many segments runs by itself. If the user cancels it, the jump ends there.
    """

    ended = Signal()

    def __init__(self, editing: Editing, parent: QObject) -> None:
        super().__init__(parent)
        self._editing = editing
        self._goal = editing.stack.index()
        self._large_from: int | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._turn)

    @property
    def is_under_way(self) -> bool:
        return self._timer.isActive()

    def begin(self, goal: int) -> None:
        self._goal = goal
        self._timer.start()

    def stop(self) -> None:
        """Stop at the current step."""
        self._timer.stop()

    def _turn(self) -> None:
        stack, end = self._editing.stack, time.thread_time() + _TURN_S
        while not self._editing.large.is_under_way:
            at = stack.index()
            # A new step discards the undone ones.
            if at == min(self._goal, stack.count()) or at == self._large_from:
                self._large_from = None
                self._timer.stop()
                self.ended.emit()
                return
            self._large_from = None
            if time.thread_time() >= end:
                return
            (self._editing.undo if at > self._goal else self._editing.redo)()
            if self._editing.large.is_under_way:
                self._large_from = at
