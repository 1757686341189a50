"""Undoable changes of segments."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping

from PySide6.QtGui import QUndoCommand

from anaphora.core.edits import Resegmentation
from anaphora.core.segment import Segment, SegmentState
from anaphora.project.document.resegmentation_plan import ResegmentationPlan
from anaphora.project.document.session import DocumentSession

TYPING_PAUSE = 1.5
"""Seconds without a key after which typing begins a new step of the undo history."""


class StateCommand(QUndoCommand):
    """Brings segments into new states, and back.

    The states to return to are taken when the command is carried out: machine drafts change
    outside the history, so what stood there when the command was made may be out of date.
    """

    def __init__(self, session: DocumentSession, states: Mapping[str, SegmentState], text: str) -> None:
        super().__init__(text)
        self.session = session
        self.after = dict(states)
        self.before: dict[str, SegmentState] = {}

    @property
    def segments(self) -> tuple[str, ...]:
        return tuple(self.after)

    def redo(self) -> None:
        self.before = {segment: self.session.document.get(segment).state for segment in self.after}
        self.session.set_states(self.after)

    def undo(self) -> None:
        self.session.set_states(self.before)


class CarriedOutCommand(StateCommand):
    """Many segments in new states, which were brought there before it came into the history.

    Undo or redo with `LargeSteps` announces this by `leave_to_others`.
    """

    def __init__(
        self,
        session: DocumentSession,
        before: Mapping[str, SegmentState],
        after: Mapping[str, SegmentState],
        step: str,
        text: str,
    ) -> None:
        super().__init__(session, after, text)
        self.before = dict(before)
        self.step = step
        self._is_left = True

    def leave_to_others(self, before: Mapping[str, SegmentState] | None = None) -> None:
        """The next step back or forth has been carried out already."""
        self._is_left = True
        if before is not None:
            self.before = dict(before)

    def redo(self) -> None:
        if not self._taken():
            super().redo()

    def undo(self) -> None:
        if not self._taken():
            super().undo()

    def _taken(self) -> bool:
        left, self._is_left = self._is_left, False
        return left


class TypingCommand(StateCommand):
    """Typing in one segment; strokes that follow each other quickly become one step.

    They do so before they come into the history: a command that Qt merges as it is pushed is never let go of
    by PySide, nor is its session.
    """

    def __init__(self, session: DocumentSession, segment: str, state: SegmentState, text: str) -> None:
        super().__init__(session, {segment: state}, text)
        self.segment = segment
        self.last = time.monotonic()

    def go_on(self, segment: str, state: SegmentState) -> bool:
        """Make another stroke part of the step, unless it begins a new one."""
        now = time.monotonic()
        if segment != self.segment or now - self.last > TYPING_PAUSE or self._begins_word(state.target):
            return False
        self.last, self.after = now, {segment: state}
        self.session.set_states(self.after)
        return True

    def _begins_word(self, new: str) -> bool:
        old = self.after[self.segment].target
        return len(new) == len(old) + 1 and old.endswith(" ") and new.startswith(old)


class ResegmentCommand(QUndoCommand):
    """Replaces segments by others, and back with the work that was on them.

    Changes of other steps to the new segments are undone first.
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
