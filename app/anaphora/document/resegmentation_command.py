"""Merging and splitting as an undoable step."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QUndoCommand

from anaphora.core.edits import Resegmentation
from anaphora.core.segment import Segment
from anaphora.document.resegmentation_plan import ResegmentationPlan
from anaphora.document.session import DocumentSession


class ResegmentCommand(QUndoCommand):
    """Replaces segments by others, and back with the work that was on them.

    What other steps did to the new segments is undone before it.
    """

    def __init__(self, session: DocumentSession, plan: ResegmentationPlan, text: str) -> None:
        super().__init__(text)
        self.session = session
        self.plan = plan
        self.before: tuple[Segment, ...] = ()

    @property
    def segments(self) -> tuple[str, ...]:
        """Ids of the first segment before and after: one of them stands in the document."""
        return self.plan.before[0].id, self.plan.after[0].id

    def redo(self) -> None:
        self.before = self._current(self.plan.before)
        self.session.apply_resegmentation(self.plan.resegmentation(self.before))

    def undo(self) -> None:
        now = self._current(self.plan.after)
        states = {segment.id: segment.state for segment in now}
        before = tuple(segment.with_state(states.get(segment.id, segment.state)) for segment in self.before)
        self.session.apply_resegmentation(Resegmentation(self.plan.document, now, before))

    def _current(self, segments: Iterable[Segment]) -> tuple[Segment, ...]:
        return tuple(self.session.document.get(segment.id) for segment in segments)
