"""Steering the memory as an undoable step."""

from __future__ import annotations

from PySide6.QtGui import QUndoCommand

from anaphora.core.steering import Rules
from anaphora.memory.corrections import Corrections, CorrectionService
from anaphora.memory.packs import Packs, PackService
from anaphora.memory.steering import SteeringService


class SteerCommand(QUndoCommand):
    """Puts rules in force, and back those that were."""

    def __init__(self, service: SteeringService, rules: Rules, text: str, about: str = "") -> None:
        """
        Args:
            about: the source words that the rules concern.
        """
        super().__init__(text)
        self._about = about
        self._service = service
        self._before, self._after = service.rules, rules

    def redo(self) -> None:
        self._service.put_in_force(self._after, self._about)

    def undo(self) -> None:
        self._service.put_in_force(self._before, self._about)


class PackCommand(QUndoCommand):
    """Puts memory packs in force, and back those that were."""

    def __init__(self, service: PackService, packs: Packs, text: str) -> None:
        super().__init__(text)
        self._service = service
        self._before, self._after = service.packs, packs

    def redo(self) -> None:
        self._service.put_in_force(self._after)

    def undo(self) -> None:
        self._service.put_in_force(self._before)


class CorrectCommand(QUndoCommand):
    """Takes corrections away and puts others in force, and back."""

    def __init__(
        self, service: CorrectionService, removed: Corrections, added: Corrections, text: str
    ) -> None:
        super().__init__(text)
        self._service = service
        self._removed, self._added = removed, added

    def redo(self) -> None:
        self._service.change(self._removed, self._added)

    def undo(self) -> None:
        self._service.change(self._added, self._removed)
