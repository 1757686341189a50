"""Which drafts, and which words of them, the model itself doubts; and documents that it does not know."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.expected_quality import FIRST_DRAFTS, is_unlike, is_unsure
from anaphora.core.segment import Status
from anaphora.services.engine_worker import Drafted, EngineWorker
from anaphora.services.session import DocumentSession, SessionFollower
from anaphora_nmt.types import DraftQuality, EngineInfo, WordQuality


class ConfidenceService(SessionFollower):
    """Follows drafts: what the engine says of their quality counts as long as nobody has changed them.

    It is not kept in the project: a draft of an earlier session has no mark.

    Signals:
        changed: ids of the segments whose marks have come or gone.
        unlike: whether the document is unlike what the model was trained on, once its first drafts say so.
    """

    changed = Signal(object)
    unlike = Signal(bool)

    def __init__(self, worker: EngineWorker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drafts: dict[str, tuple[str, DraftQuality]] = {}
        self._doubted: dict[str, DraftQuality] = {}
        self._first: list[DraftQuality] = []
        self._unlike_below: float | None = None
        worker.loaded.connect(self._take_model)
        worker.drafted.connect(self._take_draft)

    def open(self, session: DocumentSession) -> None:
        """Follow a session."""
        self.close()
        self._attach(session)

    def close(self) -> None:
        """Stop following, and forget."""
        self._detach()
        self._drafts.clear()
        self._doubted.clear()
        self._first.clear()
        self.unlike.emit(False)

    def __len__(self) -> int:
        return sum(map(self.is_unsure, self._doubted))

    def is_unsure(self, segment_id: str) -> bool:
        """Whether a segment holds a draft that is likely to be poor, or that has an invented word."""
        return is_unsure(self._doubted.get(segment_id))

    def doubtful_words(self, segment_id: str) -> tuple[WordQuality, ...]:
        """The words of a draft that are likely to be wrong, as it stands."""
        known = self._doubted.get(segment_id)
        return known.words if known is not None else ()

    def _take_model(self, info: EngineInfo) -> None:
        self._unlike_below = info.unlike_below

    def _take_draft(self, result: Drafted) -> None:
        session, quality = self._session, result.suggestion.quality
        if session is None or result.job.document != session.key or quality is None:
            return
        if result.job.segment not in self._drafts and len(self._first) < FIRST_DRAFTS:
            self._first.append(quality)
            if len(self._first) == FIRST_DRAFTS:
                self.unlike.emit(is_unlike(self._first, self._unlike_below))
        self._drafts[result.job.segment] = (result.suggestion.text, quality)
        self._judge((result.job.segment,))

    def _follow(self, changes: ChangeSet) -> None:
        self._judge(changes.segments)

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        for segment in change.before:
            self._drafts.pop(segment.id, None)
            self._doubted.pop(segment.id, None)

    def _judge(self, segment_ids: tuple[str, ...] | list[str]) -> None:
        session = self._session
        touched = []
        for segment_id in segment_ids:
            known = self._drafts.get(segment_id)
            if session is None or not session.document.has(segment_id) or known is None:
                continue
            segment = session.document.get(segment_id)
            as_drafted = segment.status is Status.DRAFT and segment.target == known[0]
            doubted = self._doubts(session, known[1]) if as_drafted else None
            if doubted != self._doubted.get(segment_id):
                touched.append(segment_id)
                if doubted is None:
                    del self._doubted[segment_id]
                else:
                    self._doubted[segment_id] = doubted
        if touched:
            self.changed.emit(tuple(touched))

    @staticmethod
    def _doubts(session: DocumentSession, quality: DraftQuality) -> DraftQuality | None:
        """What is to be marked; None: nothing. A word that the translator has confirmed is not invented."""
        words = [word for word in quality.words if word.doubtful]
        invented = {word.word.lower() for word in words if word.invented}
        if invented:
            confirmed = " ".join(
                segment.target.lower() for segment in session.document if segment.status is Status.CONFIRMED
            )
            known = {word for word in invented if word in confirmed}
            words = [word for word in words if word.word.lower() not in known]
        return replace(quality, words=tuple(words)) if quality.doubtful or words else None
