"""The open document for the user interface; every change goes through its session."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from anaphora.core.document import Document
from anaphora.core.edits import ChangeSet, Edit, Resegmentation
from anaphora.core.language_pair import CHINESE_TO_ENGLISH
from anaphora.core.records import OfferedDraft
from anaphora.core.segment import SegmentState, Status


class DocumentSession(QObject):
    """Applies change sets to a document and informs all listeners.

    The table, the store and the engine all follow `applied`, so undoing a confirmation is just one more
    change set: the engine forgets the segment because it is no longer confirmed.

    Attributes:
        key: identifies the document for the engine.
        document: the segments.
        pair: the languages of the project.

    Signals:
        applied: the ChangeSet that has just been applied.
        resegmenting: the Resegmentation that is about to be applied.
        resegmented: the Resegmentation that has just been applied; its segments have other ids and rows.
        offered: a segment's new OfferedDraft.
        withdrawn: id of a segment whose offered draft is outdated.
        step_begun: all changes until `step_ended` are one step.
        step_ended: True if the step is complete, False if it was cancelled.
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
        """Keep a newer draft beside the displayed one, until the segment is drafted again or confirmed."""
        self._offers[offer.segment] = offer
        self.offered.emit(offer)

    def offer_for(self, segment_id: str) -> OfferedDraft | None:
        return self._offers.get(segment_id)

    def withdraw(self, segment_id: str) -> None:
        if self._offers.pop(segment_id, None) is not None:
            self.withdrawn.emit(segment_id)

    def revision(self, segment_id: str) -> int:
        """The number of changes of a segment; a background result for an older revision is dropped."""
        return self._revisions.get(segment_id, 0)

    def apply(self, changes: ChangeSet) -> None:
        """Apply all edits or none, and emit `applied`.

        Raises:
            StaleEditError: a segment is not in its edit's `before` state.
        """
        self.document.apply(changes)
        for edit in changes.edits:
            self._revisions[edit.segment] = self.revision(edit.segment) + 1
            if edit.after.status is not Status.EDITED:
                self._offers.pop(edit.segment, None)
        self.applied.emit(changes)

    def apply_resegmentation(self, change: Resegmentation) -> None:
        """Join or split segments, and emit the signals.

        Raises:
            StaleEditError: the segments have changed or moved; no signal was emitted.
        """
        self.document.check_resegmentation(change)
        self.resegmenting.emit(change)
        self.document.resegment(change)
        for segment in (*change.before, *change.after):
            self._revisions[segment.id] = self.revision(segment.id) + 1
            self._offers.pop(segment.id, None)
        self.resegmented.emit(change)

    def set_states(self, states: Mapping[str, SegmentState], anew: bool = False) -> ChangeSet:
        """Set the states of segments, skipping those that already have them.

        Args:
            anew: see `ChangeSet`.
        """
        edits = []
        for segment_id, state in states.items():
            before = self.document.get(segment_id).state
            if not before.is_as_stored(state):
                edits.append(Edit(segment_id, before, state))
        changes = ChangeSet(tuple(edits), anew)
        if edits:
            self.apply(changes)
        return changes
