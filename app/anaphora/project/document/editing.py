"""The user's changes to segments, as undoable steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack
from shiboken6 import isValid

from anaphora.core.document import Document
from anaphora.core.draft_report import DraftReport
from anaphora.core.drafts import proposal_of
from anaphora.core.edits import Preview
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.text import changed_end
from anaphora.project.document.repetitions import Propagation, Repetitions
from anaphora.project.document.resegmentation_plan import ResegmentationPlan
from anaphora.project.document.session import MIN_LARGE_STEP, DocumentSession, LargeSteps, States
from anaphora.project.document.state_commands import (
    CarriedOutCommand,
    ResegmentCommand,
    StateCommand,
    TypingCommand,
)


@dataclass(frozen=True, slots=True)
class NewText:
    """A new target for a segment.

    Attributes:
        before: the expected target; a segment with another target is not changed.
        prepare: called before the segment is changed, if its target is still `before`.
        report: the new report; with a report, a segment becomes edited even if its text stays the same.
        keeps_confirmation: True to leave a confirmed segment confirmed.
    """

    segment: str
    before: str
    after: str
    prepare: Callable[[], None] | None = None
    report: DraftReport | None = None
    keeps_confirmation: bool = False


class _History(QUndoStack):
    """An undo stack that clears itself; if Python collected it with its steps, they would be freed twice."""

    def __del__(self) -> None:
        if isValid(self):
            self.blockSignals(True)
            self.clear()


class Editing(QObject):
    """Makes the user's changes to a session as steps of the undo history.

    Signals:
        visited: after an undo or redo, (id of the first changed segment, end of the changed part of its
            target). The end is -1 if the target is the same, or if the step was large.
        propagated: the Propagation of a confirmation, unless it is empty.
    """

    visited = Signal(str, int)
    propagated = Signal(object)

    def __init__(
        self, session: DocumentSession, parent: QObject | None = None, repetitions: Repetitions | None = None
    ) -> None:
        """With `repetitions`, a confirmed text is copied to segments with the same source."""
        super().__init__(parent)
        self.session = session
        self._repetitions = repetitions
        self._is_closed = False
        self.large = LargeSteps(session)
        # No Qt parent: Python alone owns the stack. With a parent it would be freed twice.
        self.stack = _History()

    def type_text(self, segment_id: str, text: str) -> None:
        """Replace a target with the typed text; a confirmed segment becomes edited, a locked one stays."""
        segment = self.session.document.get(segment_id)
        if segment.target == text or segment.status is Status.LOCKED:
            return
        state = SegmentState(text, Status.EDITED)
        last = self.stack.command(self.stack.index() - 1) if not self.stack.canRedo() else None
        if isinstance(last, TypingCommand) and last.extend(segment_id, state):
            self.stack.indexChanged.emit(self.stack.index())
            return
        label = self._label(self.tr("typing"), (segment_id,))
        self.stack.push(TypingCommand(self.session, segment_id, state, label))

    def confirm(self, segment_id: str) -> bool:
        """Confirm a translation and propagate it to repetitions; many repetitions change in a separate step.

        Returns:
            True if the segment is confirmed now; False if it is locked or has no target.
        """
        segment = self.session.document.get(segment_id)
        if segment.status is Status.CONFIRMED:
            return True
        if segment.status is Status.LOCKED or not segment.target.strip():
            return False
        # Keep the report: it describes the text, which does not change.
        state = replace(segment.state, status=Status.CONFIRMED)
        label = self.tr("confirming")
        others = self._repetitions_of(segment_id)
        if self._repetitions is None or not others:
            self._push({segment_id: state}, label)
        elif len(others) > MIN_LARGE_STEP:
            self._push({segment_id: state}, label)
            self._repetitions.propagate_later(segment_id, others, partial(self._propagate, segment_id, label))
        else:
            propagation = self._repetitions.propagation_of(segment_id, others)
            self._push({segment_id: state, **propagation.states}, label)
            self._announce(propagation)
        return True

    def confirm_many(self, segment_ids: Iterable[str], then: Callable[[int], None]) -> None:
        """Confirm segments that have a target, and propagate them, in one step; see `change_many`."""
        chosen, done = map(self.session.document.get, segment_ids), (Status.CONFIRMED, Status.LOCKED)
        ready = {each.id: each for each in chosen if each.status not in done and each.target.strip()}
        total, keys = len(ready), iter(ready)
        while total < MIN_LARGE_STEP and (key := next(keys, None)) is not None:
            total += len(self._repetitions_of(key))
        self._change(self._confirmed(ready), total, self.tr("confirming"), then)

    def _repetitions_of(self, segment_id: str) -> list[str]:
        return self._repetitions.affected_ids(segment_id) if self._repetitions is not None else []

    def _confirmed(self, ready: Mapping[str, Segment]) -> Iterator[tuple[str, SegmentState]]:
        """Yield the new states of segments to confirm and of their repetitions, each once."""
        reached: set[str] = set()
        for key, segment in ready.items():
            yield key, replace(segment.state, status=Status.CONFIRMED)
            if self._repetitions is not None and key not in reached:
                found = self._repetitions_of(key)
                reached.update(found)
                others = [each for each in found if each not in ready]
                yield from self._repetitions.propagation_of(key, others).states.items()

    def _propagate(self, confirmed_id: str, label: str, before: Document, propagation: Propagation) -> None:
        document = self.session.document

        def is_unchanged(key: str) -> bool:
            return document.has(key) and document.get(key).state == before.get(key).state

        if not self._is_closed and is_unchanged(confirmed_id):
            wanted = ((key, state) for key, state in propagation.states.items() if is_unchanged(key))
            self._change(wanted, len(propagation.states), label, lambda _: self._announce(propagation))

    def _announce(self, propagation: Propagation) -> None:
        if propagation != Propagation({}):
            self.propagated.emit(propagation)

    def close(self) -> None:
        self._is_closed = True
        self.large.stop()

    def unconfirm(self, segment_id: str) -> None:
        segment = self.session.document.get(segment_id)
        if segment.status is Status.CONFIRMED:
            state = replace(segment.state, status=Status.EDITED, approved=False)
            self._push({segment_id: state}, self.tr("unconfirming"))

    def approve(self, segment_ids: Iterable[str], approved: bool, then: Callable[[int], None]) -> None:
        """Approve confirmed segments in one step, or withdraw approval; for `then`, see `change_many`."""
        chosen = map(self.session.document.get, segment_ids)
        ready = [segment for segment in chosen if segment.status is Status.CONFIRMED]
        states = ((each.id, replace(each.state, approved=approved)) for each in ready)
        label = self.tr("approving") if approved else self.tr("unapproving")
        self._change(states, len(ready), label, then)

    def copy_source(self, segment_id: str) -> None:
        source = self.session.document.get(segment_id).source
        self.replace_texts({segment_id: source}, self.tr("copying the source"))

    def clear_target(self, segment_id: str) -> None:
        self.replace_texts({segment_id: ""}, self.tr("clearing"))

    def take_draft(self, segment_id: str, draft: SegmentState) -> None:
        """Replace the state of a segment with a draft that the user requested, unless it is locked."""
        segment = self.session.document.get(segment_id)
        if segment.status is not Status.LOCKED:
            self._push({segment_id: draft}, self.tr("translating again"))

    def replace_texts(self, texts: Mapping[str, str], label: str) -> int:
        """Replace targets, given by segment id, in one step; returns the number of changed segments.

        Locked segments are skipped, confirmed segments become edited, and proposals are dropped.
        """
        states = {}
        for segment_id, text in texts.items():
            segment = self.session.document.get(segment_id)
            is_new = segment.target != text or proposal_of(segment.state)
            if segment.status is not Status.LOCKED and is_new:
                states[segment_id] = SegmentState(text, Status.EDITED)
        if states:
            self._push(states, label)
        return len(states)

    def change_many(
        self,
        texts: Iterable[NewText],
        label: str,
        then: Callable[[int], None],
        total: int | None = None,
    ) -> None:
        """Replace many targets in one step; confirmed segments become edited (see `NewText`).

        Args:
            texts: the new targets; locked segments are skipped.
            then: called with the number of changed segments, or 0 if the step was cancelled. For many texts,
                it is called in a later turn of the event loop, or never if the document is closed first or
                another large step is running.
            total: the maximum number of texts, if `texts` is an iterator.
        """
        if total is None:
            texts = tuple(texts)
            total = len(texts)
        self._change(self._new_states(texts), total, label, then)

    def _change(
        self, wanted: Iterator[tuple[str, SegmentState]], total: int, label: str, then: Callable[[int], None]
    ) -> None:
        if total < MIN_LARGE_STEP:
            document = self.session.document
            states = {key: state for key, state in wanted if state != document.get(key).state}
            if states:
                self._push(states, label)
            then(len(states))
            return

        def keep(before: States, after: States) -> None:
            if after:
                text = self._label(label, after)
                self.stack.push(CarriedOutCommand(self.session, before, after, label, text))
            then(len(after))

        self.large.carry_out(label, wanted, total, keep)

    def _new_states(self, texts: Iterable[NewText]) -> Iterator[tuple[str, SegmentState]]:
        document = self.session.document
        for text in texts:
            if not document.has(text.segment):
                continue
            segment = document.get(text.segment)
            if segment.target != text.before:
                continue
            if text.prepare is not None:
                text.prepare()
            is_new = text.after != segment.target or text.report is not None
            if segment.status is not Status.LOCKED and is_new:
                is_kept = text.keeps_confirmation and segment.status is Status.CONFIRMED
                status = Status.CONFIRMED if is_kept else Status.EDITED
                yield text.segment, SegmentState(text.after, status, text.report)
            elif text.prepare is not None:
                yield text.segment, segment.state

    def apply_previews(self, previews: Iterable[Preview], then: Callable[[int], None]) -> None:
        """Carry out previews in one step; skip drafts confirmed meanwhile. For `then`, see `change_many`."""
        document = self.session.document
        texts = [
            NewText(each.segment, each.before, each.after, keeps_confirmation=each.is_word_exchange)
            for each in previews
            if each.is_written
            or (document.has(each.segment) and document.get(each.segment).status is not Status.CONFIRMED)
        ]
        self.change_many(texts, self.tr("using one translation everywhere"), then)

    def resegment(self, plan: ResegmentationPlan) -> bool:
        """Join or split segments; returns False if any of the old segments no longer exists."""
        if not all(self.session.document.has(segment.id) for segment in plan.before):
            return False
        is_join = len(plan.after) < len(plan.before)
        text = self.tr("joining segments") if is_join else self.tr("splitting a segment")
        self.stack.push(ResegmentCommand(self.session, plan, text))
        return True

    def undo(self) -> None:
        if not self.stack.canUndo() or self.large.is_under_way:
            return
        command = self.stack.command(self.stack.index() - 1)
        if isinstance(command, CarriedOutCommand):
            states = dict(reversed(command.before.items()))
            name = self.tr("Undo: {0}").format(command.step)
            self._carry_out(name, command, states, self.stack.undo)
        else:
            self._step(command, self.stack.undo)

    def redo(self) -> None:
        if not self.stack.canRedo() or self.large.is_under_way:
            return
        command = self.stack.command(self.stack.index())
        if isinstance(command, CarriedOutCommand):
            name = self.tr("Redo: {0}").format(command.step)
            self._carry_out(name, command, command.after, self.stack.redo)
        else:
            self._step(command, self.stack.redo)

    def _carry_out(
        self, name: str, command: CarriedOutCommand, states: States, step: Callable[[], None]
    ) -> None:
        def keep(before: States, after: States) -> None:
            if after:
                command.skip_next(before if states is command.after else None)
                step()
                self.visited.emit(next(key for key in command.after if key in after), -1)

        self.large.carry_out(name, iter(states.items()), len(states), keep)

    def _step(self, command: object, carry_out: Callable[[], None]) -> None:
        segments = command.segments if isinstance(command, StateCommand | ResegmentCommand) else ()
        before = {key: self._target(key) for key in segments}
        carry_out()
        if present := [key for key in segments if self.session.document.has(key)]:
            old, new = before[present[0]], self._target(present[0])
            self.visited.emit(present[0], -1 if old == new else changed_end(old, new))

    def _target(self, segment_id: str) -> str:
        document = self.session.document
        return document.get(segment_id).target if document.has(segment_id) else ""

    def _push(self, states: Mapping[str, SegmentState], label: str) -> None:
        self.stack.push(StateCommand(self.session, states, self._label(label, states)))

    def _label(self, step: str, segment_ids: Iterable[str]) -> str:
        number = self.session.document.row(next(iter(segment_ids))) + 1
        return self.tr("{0}: segment {1}").format(step, number)
