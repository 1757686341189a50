"""Computes marks for the memory's effects on visible drafts, when the engine has no other work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QTimer, Signal

from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.influence_marks import InfluenceMark
from anaphora.core.segment import Status
from anaphora.engine.jobs import Urgency
from anaphora.engine.worker import EngineWorker
from anaphora.features.explain.marking import influence_marks, needs_comparison
from anaphora.features.explain.requests import marks
from anaphora.project.document.following import SessionFollower
from anaphora_nmt.types import Explanation


@dataclass(frozen=True, slots=True)
class _Known:
    """The marks of a draft's text; fresh unless an earlier segment has changed the memory since."""

    text: str
    marks: tuple[InfluenceMark, ...]
    is_fresh: bool = True


class InfluenceService(SessionFollower):
    """Stores the marks of a session's drafts and requests those of visible segments.

    Signals:
        changed: ids of the segments whose marks have changed.
        compared: an Explanation, which has the draft without memory if a word comes from the memory.
    """

    changed = Signal(object)
    compared = Signal(object)

    def __init__(self, worker: EngineWorker) -> None:
        super().__init__()
        self._worker = worker
        self._known: dict[str, _Known] = {}
        self._visible: tuple[str, ...] = ()
        self._timer = QTimer(self, singleShot=True, interval=300)
        self._timer.timeout.connect(self._ask)
        worker.memory_changed.connect(lambda job, _: self.forget_after(job.segment))
        worker.steered.connect(lambda _: self._forget_all())

    def close(self) -> None:
        super().close()
        self._timer.stop()
        self._known.clear()
        self._visible = ()

    def set_visible(self, segments: Sequence[str]) -> None:
        self._visible = tuple(segments)
        self._timer.start()

    def marks(self, segment_id: str) -> tuple[InfluenceMark, ...]:
        known, session = self._known.get(segment_id), self._session
        segment = session.document.find(segment_id) if session is not None else None
        if known is None or segment is None or segment.status is not Status.DRAFT:
            return ()
        return known.marks if segment.target == known.text else ()

    def forget_after(self, segment_id: str) -> None:
        """Request marks again after a segment that has changed the memory; drop marks that refer to it."""
        session = self._session
        if session is None or not session.document.has(segment_id):
            return
        row, changed = session.document.row(segment_id), []
        for each, known in list(self._known.items()):
            if not session.document.has(each) or session.document.row(each) <= row:
                continue
            marks = tuple(mark for mark in known.marks if mark.segment != segment_id)
            self._known[each] = _Known(known.text, marks, is_fresh=False)
            if marks != known.marks:
                changed.append(each)
        if changed:
            self.changed.emit(tuple(changed))
        self._timer.start()

    def _ask(self) -> None:
        """Request missing marks of visible segments; drop requests for others."""
        session = self._session
        if session is None:
            return
        wanted = []
        for segment_id in self._visible:
            segment, known = session.document.find(segment_id), self._known.get(segment_id)
            if segment is None or segment.status is not Status.DRAFT:
                continue
            is_known = known is not None and known.is_fresh and known.text == segment.target
            if not is_known and session.pair.fits(segment.source, segment.target):
                wanted.append(marks(session.key, segment_id, segment.target, self._receive_comparison))
        self._worker.ask_only(Urgency.MARK, wanted)

    def _receive_comparison(self, explanation: Explanation) -> None:
        self.take(explanation)
        self.compared.emit(explanation)

    def take(self, explanation: Explanation) -> None:
        session = self._session
        if session is None or not session.document.has(explanation.segment):
            return
        if needs_comparison(explanation):
            self._timer.start()  # to request the comparison
            return
        before = self.marks(explanation.segment)
        self._known[explanation.segment] = _Known(explanation.text, influence_marks(explanation))
        if self.marks(explanation.segment) != before:
            self.changed.emit((explanation.segment,))

    def _forget_all(self) -> None:
        gone, self._known = tuple(self._known), {}
        if gone:
            self.changed.emit(gone)
        self._timer.start()

    def _follow(self, changes: ChangeSet) -> None:
        if any(edit.after.status is Status.DRAFT for edit in changes.edits):
            self._timer.start()

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        for segment in change.before:
            self._known.pop(segment.id, None)
        self._timer.start()
