"""Finds doubtful drafts and words, tentative drafts, and documents unlike the model's training texts."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Signal

from anaphora.core.drafts import proposal_of
from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.segment import Status
from anaphora.engine.worker import EngineWorker
from anaphora.features.quality.expected_quality import (
    confirmed_text,
    doubts,
    invented_words,
    is_unlike,
    is_unsure,
    mean_of_first,
    quality_of,
)
from anaphora.project.document.following import OpenProject, ProjectSetting, SaveSetting, SessionFollower
from anaphora.project.document.session import DocumentSession
from anaphora_nmt.types import DraftQuality, EngineInfo, WordQuality

FIRST_SETTING = "drafts/first"
"""Name of the project setting with the mean expected quality of the first drafts."""


def read_first(stored: str) -> float | None:
    try:
        return float(stored) if stored else None
    except ValueError:
        return None


FIRST = ProjectSetting(FIRST_SETTING, read_first)


class ConfidenceService(SessionFollower):
    """Knows which segments have doubtful or tentative drafts, according to the engine's reports.

    Signals:
        changed: ids of the segments whose doubts, doubtful words or tentative drafts have changed.
        unlike: True if the document now differs from the model's training texts, False if it no longer does.
    """

    changed = Signal(object)
    unlike = Signal(bool)

    project_settings = (FIRST,)

    def __init__(self, worker: EngineWorker) -> None:
        super().__init__()
        self._doubts: dict[str, DraftQuality] = {}
        self._proposals: set[str] = set()
        self._inventions: dict[str, frozenset[str]] = {}
        self._first_drafts: dict[str, DraftQuality] = {}
        self._mean: float | None = None
        self._is_unlike: bool | None = None
        self._unlike_below: float | None = None
        worker.loaded.connect(self._use_model)

    def follow(self, project: OpenProject) -> None:
        self.open(project.session)
        self.recall(project.settings.of(FIRST), project.save_setting)

    def open(self, session: DocumentSession) -> None:
        self.close()
        self._attach(session)
        self._update(segment.id for segment in session.document if segment.state.report is not None)

    def recall(self, first: float | None, save: SaveSetting) -> None:
        """Restore the mean quality of the first drafts; `save` stores a new mean in the project."""
        self._mean, self._save_setting = first, save
        self._check_unlike()

    def close(self) -> None:
        super().close()
        self._doubts.clear()
        self._proposals.clear()
        self._inventions.clear()
        self._first_drafts.clear()
        self._mean = None
        self._set_unlike(False)

    def restart_estimate(self) -> None:
        """Forget the first drafts and their mean, because another model will make the drafts."""
        self._first_drafts.clear()
        self._mean = None

    def __len__(self) -> int:
        """The number of segments with unsure drafts."""
        return sum(map(self.is_unsure, self._doubts))

    def is_unsure(self, segment_id: str) -> bool:
        """True if a segment's draft is probably poor, or invents a word that no confirmed target contains."""
        return is_unsure(self._doubts.get(segment_id))

    @property
    def proposals(self) -> int:
        """The number of tentative drafts."""
        return len(self._proposals)

    def is_proposed(self, segment_id: str) -> bool:
        return segment_id in self._proposals

    def doubtful_words(self, segment_id: str) -> tuple[WordQuality, ...]:
        """The words of an unedited draft that are probably wrong; none for a tentative draft."""
        quality = self._doubts.get(segment_id)
        return quality.words if quality is not None else ()

    def _use_model(self, info: EngineInfo) -> None:
        self._unlike_below = info.unlike_below
        self._check_unlike()

    def _check_unlike(self) -> None:
        if self._session is not None:
            segments = len(self._session.document)
            self._set_unlike(is_unlike(self._mean, self._unlike_below, self.proposals, segments))

    def _set_unlike(self, unlike: bool) -> None:
        if unlike is not self._is_unlike:
            self._is_unlike = unlike
            self.unlike.emit(unlike)

    def _follow(self, changes: ChangeSet) -> None:
        for edit in changes.edits:
            quality = quality_of(edit.after)
            if self._mean is None and quality is not None:
                self._first_drafts.setdefault(edit.segment, quality)
        if self._mean is None and (mean := mean_of_first(tuple(self._first_drafts.values()))) is not None:
            self._mean = mean
            self._save_setting(FIRST_SETTING, repr(mean))
        self._update((*changes.segments, *self._drafts_with_words_of(changes)))

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        removed_ids = {segment.id for segment in change.before} - {segment.id for segment in change.after}
        for segment_id in removed_ids:
            self._proposals.discard(segment_id)
            self._doubts.pop(segment_id, None)
            self._inventions.pop(segment_id, None)
        self._update(segment.id for segment in change.after)

    def _drafts_with_words_of(self, changes: ChangeSet) -> list[str]:
        states = (state for edit in changes.edits for state in (edit.before, edit.after))
        texts = "\n".join(each.target.lower() for each in states if each.status is Status.CONFIRMED)
        return [each for each, words in self._inventions.items() if any(word in texts for word in words)]

    def _update(self, segment_ids: Iterable[str]) -> None:
        session, confirmed = self._session, None
        if session is None:
            return
        changed_ids = []
        for segment_id in segment_ids:
            if (segment := session.document.find(segment_id)) is None:
                continue
            is_proposed = bool(proposal_of(segment.state))
            if is_proposed != self.is_proposed(segment_id):
                (self._proposals.add if is_proposed else self._proposals.discard)(segment_id)
                changed_ids.append(segment_id)
            # Words of tentative drafts are not marked.
            quality = None if is_proposed else quality_of(segment.state)
            if quality is None and segment_id not in self._inventions and segment_id not in self._doubts:
                continue
            self._inventions.pop(segment_id, None)
            if invented := invented_words(quality):
                self._inventions[segment_id] = invented
                if confirmed is None:
                    confirmed = confirmed_text(session.document)
            doubted = doubts(quality, confirmed or "")
            if doubted != self._doubts.pop(segment_id, None):
                changed_ids.append(segment_id)
            if doubted is not None:
                self._doubts[segment_id] = doubted
        if changed_ids:
            self.changed.emit(tuple(dict.fromkeys(changed_ids)))
        self._check_unlike()
