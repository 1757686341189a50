"""Steering the memory as an undoable step."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from anaphora.core.steering import Rules
from anaphora.memory.corrections import Corrections, CorrectionService
from anaphora.memory.packs import Packs, PackService
from anaphora.memory.steering import SteeringService


class _Step(QUndoCommand):
    """Does one thing, and another one to take it back."""

    def __init__(self, text: str, do: Callable[[], None], undo: Callable[[], None]) -> None:
        super().__init__(text)
        self._do, self._undo = do, undo

    def redo(self) -> None:
        self._do()

    def undo(self) -> None:
        self._undo()


def SteerCommand(service: SteeringService, rules: Rules, text: str, about: str = "") -> QUndoCommand:  # noqa: N802
    """Puts rules in force, and back those that were. `about`: the source words that they concern."""
    put, before = service.put_in_force, service.rules
    return _Step(text, lambda: put(rules, about), lambda: put(before, about))


def PackCommand(service: PackService, packs: Packs, text: str) -> QUndoCommand:  # noqa: N802
    """Puts memory packs in force, and back those that were."""
    put, before = service.put_in_force, service.packs
    return _Step(text, lambda: put(packs), lambda: put(before))


def CorrectCommand(  # noqa: N802
    service: CorrectionService, removed: Corrections, added: Corrections, text: str
) -> QUndoCommand:
    """Takes corrections away and puts others in force, and back."""
    change = service.change
    return _Step(text, lambda: change(removed, added), lambda: change(added, removed))
