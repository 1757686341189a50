"""An undoable change of the memory."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand


class MemoryStep(QUndoCommand):
    """An undo command made of two functions."""

    def __init__(self, text: str, do: Callable[[], None], undo: Callable[[], None]) -> None:
        super().__init__(text)
        self._do, self._undo = do, undo

    def redo(self) -> None:
        self._do()

    def undo(self) -> None:
        self._undo()
