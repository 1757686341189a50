"""Changing the memory as an undoable step."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand


class MemoryStep(QUndoCommand):
    """Does one thing, and another one to take it back."""

    def __init__(self, text: str, do: Callable[[], None], undo: Callable[[], None]) -> None:
        super().__init__(text)
        self._do, self._undo = do, undo

    def redo(self) -> None:
        self._do()

    def undo(self) -> None:
        self._undo()
