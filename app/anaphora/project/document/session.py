"""The session, through which every change to a document goes, and steps that change many segments."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

from PySide6.QtCore import QObject, QTimer, Signal

from anaphora.core.document import Document
from anaphora.core.edits import ChangeSet, Edit, OfferedDraft, Resegmentation
from anaphora.core.language_pair import CHINESE_TO_ENGLISH
from anaphora.core.segment import SegmentState, Status


class DocumentSession(QObject):
    """Applies change sets to a document and informs all listeners.

    The table, the autosave and the engine all follow `applied`. So undoing a confirmation is just another
    change set, after which the engine forgets the segment.

    Attributes:
        key: identifies the document for the engine.
        document: the segments.
        pair: the languages of the project.

    Signals:
        applied: the ChangeSet that has just been applied.
        resegmenting: the Resegmentation that is about to be applied.
        resegmented: the Resegmentation that has just been applied; ids and rows have changed.
        offered: a new OfferedDraft.
        withdrawn: id of a segment whose offered draft `withdraw` has removed.
        step_begun: all changes until `step_ended` belong to one large step.
        step_ended: True if the step was carried out or undone, False if it was stopped.
    """

    applied = Signal(object)
    resegmenting = Signal(object)
    resegmented = Signal(object)
    offered = Signal(object)
    withdrawn = Signal(str)
    step_begun = Signal()
    step_ended = Signal(bool)

    def __init__(self, key: str, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.key = key
        self.document = document
        self.pair = CHINESE_TO_ENGLISH
        self._revisions: dict[str, int] = {}
        self._offers: dict[str, OfferedDraft] = {}

    def offer(self, offer: OfferedDraft) -> None:
        """Keep a newer draft beside the target until `withdraw` or a change to any status except EDITED."""
        self._offers[offer.segment] = offer
        self.offered.emit(offer)

    def offer_for(self, segment_id: str) -> OfferedDraft | None:
        return self._offers.get(segment_id)

    def withdraw(self, segment_id: str) -> None:
        if self._offers.pop(segment_id, None) is not None:
            self.withdrawn.emit(segment_id)

    def revision(self, segment_id: str) -> int:
        """The number of changes to a segment so far; background results for a lower number are outdated."""
        return self._revisions.get(segment_id, 0)

    def apply(self, changes: ChangeSet) -> None:
        """Apply all edits or none, and emit `applied`; raises the errors of `Document.apply`."""
        self.document.apply(changes)
        for edit in changes.edits:
            self._revisions[edit.segment] = self.revision(edit.segment) + 1
            if edit.after.status is not Status.EDITED:
                self._offers.pop(edit.segment, None)
        self.applied.emit(changes)

    def apply_resegmentation(self, change: Resegmentation) -> None:
        """Join or split segments, and emit `resegmenting` and `resegmented`.

        Raises:
            StaleEditError, ValueError: see `Document.check_resegmentation`; no signal was emitted.
        """
        self.document.check_resegmentation(change)
        self.resegmenting.emit(change)
        self.document.resegment(change)
        for segment in (*change.before, *change.after):
            self._revisions[segment.id] = self.revision(segment.id) + 1
            self._offers.pop(segment.id, None)
        self.resegmented.emit(change)

    def set_states(self, states: Mapping[str, SegmentState], is_redraft: bool = False) -> ChangeSet:
        """Set the states of segments, by id; returns the edits. States that would not change are skipped.

        Args:
            is_redraft: see `ChangeSet`.
        """
        edits = []
        for segment_id, state in states.items():
            before = self.document.get(segment_id).state
            if not before.is_as_stored(state):
                edits.append(Edit(segment_id, before, state))
        changes = ChangeSet(tuple(edits), is_redraft)
        if edits:
            self.apply(changes)
        return changes


MIN_LARGE_STEP = 500
"""Minimum number of segments of a large step; a smaller step blocks the window's thread for at most 20 ms."""
_BATCH_SIZE = 100
"""Maximum number of segments in one change set of a large step."""
_MAX_TURN_SECONDS = 0.015
"""Maximum time in seconds that one turn may block the window's thread."""

States = dict[str, SegmentState]
Then = Callable[[States, States], None]


class LargeSteps(QObject):
    """Changes the states of many segments, a few in each turn of the event loop; one step at a time.

    A cancelled step is undone in the same way.

    Signals:
        begun: the step's name.
        progressed: the finished part of the step, per mille.
        ended: the step was carried out, undone or stopped.
    """

    begun = Signal(str)
    progressed = Signal(int)
    ended = Signal()

    def __init__(self, session: DocumentSession) -> None:
        # No Qt parent: if Python collected it with its parent, the object would be freed twice.
        super().__init__()
        self._session = session
        self._wanted: Iterator[tuple[str, SegmentState]] = iter(())
        self._total = self._done = 0
        self._before: States = {}
        self._after: States = {}
        self._then: Then | None = None
        self._is_cancelled = False
        self._timer = QTimer(interval=0)
        self._timer.timeout.connect(self._turn)

    @property
    def is_under_way(self) -> bool:
        return self._timer.isActive()

    def carry_out(
        self, name: str, wanted: Iterator[tuple[str, SegmentState]], total: int, then: Then
    ) -> None:
        """Change the states of segments; does nothing if another step is running.

        Args:
            name: the step's name for the user.
            wanted: yields segment ids and new states; each state is computed just before it is set.
            total: the maximum number of segments.
            then: gets the old and the new states of the changed segments, each by id; both are empty if the
                step was cancelled. Not called after `stop`.
        """
        if self.is_under_way:
            return
        self._wanted, self._total, self._done, self._then = wanted, max(total, 1), 0, then
        self._before, self._after, self._is_cancelled = {}, {}, False
        self._session.step_begun.emit()
        self.begun.emit(name)
        self._timer.start()

    def cancel(self) -> None:
        """Cancel the running step and undo its changes."""
        if not self.is_under_way or self._is_cancelled:
            return
        self._is_cancelled = True
        old_states = list(reversed(self._before.items()))
        self._wanted, self._total, self._done = iter(old_states), max(len(old_states), 1), 0

    def stop(self) -> None:
        """Stop a running step because the document is being closed; the autosave drops its changes."""
        if self.is_under_way:
            self._timer.stop()
            self._wanted, self._then, self._before, self._after = iter(()), None, {}, {}
            self._session.step_ended.emit(False)
            self.ended.emit()

    def _turn(self) -> None:
        deadline = time.thread_time() + _MAX_TURN_SECONDS
        while time.thread_time() < deadline:
            if not self._change_some(deadline):
                self._end()
                return
        self.progressed.emit(min(1000 * self._done // self._total, 1000))

    def _change_some(self, deadline: float) -> bool:
        """Change some segments until the time is up; returns True if there may be more."""
        states: States = {}
        is_unfinished = False
        for segment, state in self._wanted:
            states[segment] = state
            if is_unfinished := len(states) == _BATCH_SIZE or time.thread_time() > deadline:
                break
        self._done += len(states)
        for edit in self._session.set_states(states).edits:
            if not self._is_cancelled:
                self._before[edit.segment], self._after[edit.segment] = edit.before, edit.after
        return is_unfinished

    def _end(self) -> None:
        self._timer.stop()
        then, before, after = self._then, self._before, self._after
        self._then, self._before, self._after = None, {}, {}
        self._session.step_ended.emit(True)
        self.ended.emit()
        if then is not None:
            then(*(({}, {}) if self._is_cancelled else (before, after)))
