"""Which drafts the model itself is unsure about."""

from __future__ import annotations

import math

from PySide6.QtCore import QObject, Signal

from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.segment import Status
from anaphora.services.engine_worker import Drafted, EngineWorker
from anaphora.services.session import DocumentSession, SessionFollower

UNSURE = -0.85
"""Drafts below are marked: of the sample's drafts about one in six."""


def certainty(text: str, score: float) -> float:
    """A score that long and short drafts can be compared by.

    A search normalises log-probabilities by less than the length, so that long drafts score low; the root of
    the number of words evens that out on the sample's drafts.

    Args:
        score: what ranked the draft, `Suggestion.score`.
    """
    return score / math.sqrt(1 + len(text.split()))


class ConfidenceService(SessionFollower):
    """Follows drafts: those with a low score are marked as long as they stand as they were drafted.

    Scores are not kept in the project: a draft of an earlier session has no mark.

    Signals:
        changed: ids of the segments whose mark has come or gone.
    """

    changed = Signal(object)

    def __init__(self, worker: EngineWorker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scores: dict[str, tuple[str, float]] = {}
        self._unsure: set[str] = set()
        worker.drafted.connect(self._take_draft)

    def open(self, session: DocumentSession) -> None:
        """Follow a session."""
        self.close()
        self._attach(session)

    def close(self) -> None:
        """Stop following, and forget."""
        self._detach()
        self._scores.clear()
        self._unsure.clear()

    def __len__(self) -> int:
        return len(self._unsure)

    def is_unsure(self, segment_id: str) -> bool:
        """Whether a segment holds a draft with a low score."""
        return segment_id in self._unsure

    def _take_draft(self, result: Drafted) -> None:
        session = self._session
        if session is None or result.job.document != session.key:
            return
        self._scores[result.job.segment] = (result.suggestion.text, result.suggestion.score)
        self._judge((result.job.segment,))

    def _follow(self, changes: ChangeSet) -> None:
        self._judge(changes.segments)

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        for segment in change.before:
            self._scores.pop(segment.id, None)
        self._unsure.difference_update(segment.id for segment in change.before)

    def _judge(self, segment_ids: tuple[str, ...] | list[str]) -> None:
        session = self._session
        touched = []
        for segment_id in segment_ids:
            known = self._scores.get(segment_id)
            if session is None or not session.document.has(segment_id) or known is None:
                continue
            segment = session.document.get(segment_id)
            as_drafted = segment.status is Status.DRAFT and segment.target == known[0]
            unsure = as_drafted and certainty(*known) < UNSURE
            if unsure != (segment_id in self._unsure):
                touched.append(segment_id)
                (self._unsure.add if unsure else self._unsure.discard)(segment_id)
        if touched:
            self.changed.emit(tuple(touched))
