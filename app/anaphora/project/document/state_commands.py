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
"""Pause in seconds after which typing begins a new step of the undo history."""


class StateCommand(QUndoCommand):
    """Sets new states of segments; undoing restores the old states.

    `redo` records the old states each time, because machine drafts change segments outside the history.
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
    """A change to many segments that `LargeSteps` has carried out before the command enters the history.

    So the first `redo` does nothing, and the first undo or redo after `skip_next` does nothing either.

    Attributes:
        step: the step's name for the user, without a segment.
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
        self._skips_next = True

    def skip_next(self, before: Mapping[str, SegmentState] | None = None) -> None:
        """Make the next undo or redo do nothing, because it has already been carried out.

        Args:
            before: the states that a redo has replaced; None for an undo.
        """
        self._skips_next = True
        if before is not None:
            self.before = dict(before)

    def redo(self) -> None:
        if not self._is_skipped():
            super().redo()

    def undo(self) -> None:
        if not self._is_skipped():
            super().undo()

    def _is_skipped(self) -> bool:
        is_skipped, self._skips_next = self._skips_next, False
        return is_skipped


class TypingCommand(StateCommand):
    """Typing in one segment; keystrokes of one word in quick succession become one step.

    Qt's own merging is not used, because PySide would never free a merged command and its session.
    """

    def __init__(self, session: DocumentSession, segment: str, state: SegmentState, text: str) -> None:
        super().__init__(session, {segment: state}, text)
        self.segment = segment
        self.last_time = time.monotonic()

    def extend(self, segment: str, state: SegmentState) -> bool:
        now = time.monotonic()
        if segment != self.segment or now - self.last_time > TYPING_PAUSE or self._begins_word(state.target):
            return False
        self.last_time, self.after = now, {segment: state}
        self.session.set_states(self.after)
        return True

    def _begins_word(self, new: str) -> bool:
        old = self.after[self.segment].target
        return len(new) == len(old) + 1 and old.endswith(" ") and new.startswith(old)


class ResegmentCommand(QUndoCommand):
    def __init__(self, session: DocumentSession, plan: ResegmentationPlan, text: str) -> None:
        super().__init__(text)
        self.session = session
        self.plan = plan
        self.before: tuple[Segment, ...] = ()

    @property
    def segments(self) -> tuple[str, ...]:
        """Ids of the first old and the first new segment; at least one of them is in the document."""
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
