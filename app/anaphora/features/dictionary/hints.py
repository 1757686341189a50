"""Hints from the dictionary for probably poor drafts, and the hints that a draft has used."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal

from anaphora.core.draft_report import Hint
from anaphora.core.drafts import proposal_of, with_proposal
from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.engine.jobs import PackJob, SteerJob
from anaphora.engine.worker import EngineWorker
from anaphora.features.dictionary.entries import Dictionary, DictionaryEntry
from anaphora.features.dictionary.hinted_drafts import lacking_words
from anaphora.features.dictionary.lookup import DictionaryService
from anaphora.project.document.following import OpenProject, SessionFollower
from anaphora.project.document.progress import DONE
from anaphora.project.document.session import DocumentSession
from anaphora_nmt.types import Correction, SourceTerm


@dataclass(frozen=True, slots=True)
class UsedHint:
    """A hint that a draft has used.

    Attributes:
        word: the source word.
        form: its rendering in the draft.
    """

    word: str
    form: str
    entry: DictionaryEntry

    def is_in(self, target: str) -> bool:
        """True if a target contains the form as a word, in any case."""
        return SourceTerm(0, len(self.word), (self.form,)).kept_in(target)


class DictionaryHints(SessionFollower):
    """Provides hints for the drafts of a session, and stores those that drafts have used.
    `changed`: ids of the segments with a new draft."""

    changed = Signal(object)

    def __init__(self, dictionary: DictionaryService) -> None:
        super().__init__()
        self._dictionary = dictionary
        self._pack_pairs: tuple[tuple[str, str], ...] = ()
        self._hints: dict[str, tuple[Hint, ...]] = {}

    def follow_worker(self, worker: EngineWorker) -> None:
        worker.steered.connect(self._store_packs)

    def follow(self, project: OpenProject) -> None:
        super().follow(project)
        for segment in project.session.document:
            if segment.state.report is not None:
                self._store_hints(segment.id, segment.state)

    def close(self) -> None:
        super().close()
        self._pack_pairs = ()
        self._hints.clear()

    def lacking(
        self, segment_id: str, draft: str, corrections: Sequence[Correction] = ()
    ) -> tuple[SourceTerm, ...]:
        """The hints for a probably poor draft. Called from the engine's thread."""
        session = self._session
        segment = session.document.find(segment_id) if session is not None else None
        if session is None or segment is None:
            return ()
        if (dictionary := self._dictionary.dictionary(session.pair)) is None:
            return ()
        done = ((each.source, each.target) for each in session.document if each.status in DONE)
        known = itertools.chain(done, self._pack_pairs)
        before = segment.target or proposal_of(segment.state)
        return lacking_words(segment.source, draft, dictionary, known, corrections, before)

    def words(self, segment: Segment) -> tuple[UsedHint, ...]:
        """The hints that a segment's draft has used and that are still in its text.

        Returns none if the dictionary is not loaded; `changed` is emitted after loading it.
        """
        segment = with_proposal(segment)
        hints = self._hints.get(segment.id, ()) if segment.status in (Status.DRAFT, Status.EDITED) else ()
        if not hints or self._session is None:
            return ()
        pair, session = self._session.pair, self._session
        if (dictionary := self._dictionary.ready(pair)) is None:
            self._dictionary.read(pair, lambda: self._report_change(session, segment.id))
            return ()
        return tuple(word for word in _entries(segment, hints, dictionary) if word.is_in(segment.target))

    def _report_change(self, session: DocumentSession, segment_id: str) -> None:
        if session is self._session:
            self.changed.emit((segment_id,))

    def _store_hints(self, segment_id: str, state: SegmentState) -> None:
        """Store the hints of a new draft, even if its text changes."""
        if state.status is Status.DRAFT or proposal_of(state):
            self._hints[segment_id] = state.report.hints if state.report is not None else ()

    def _store_packs(self, job: SteerJob | PackJob) -> None:
        if isinstance(job, PackJob) and self._session is not None and job.document == self._session.key:
            self._pack_pairs = tuple(pair for pack in job.packs for pair in pack.pairs)

    def _follow(self, changes: ChangeSet) -> None:
        for edit in changes.edits:
            self._store_hints(edit.segment, edit.after)
        drafts = [
            edit.segment
            for edit in changes.edits
            if edit.after.status is Status.DRAFT or proposal_of(edit.after)
        ]
        if drafts:
            self.changed.emit(tuple(drafts))

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        for segment in change.before:
            self._hints.pop(segment.id, None)
        for segment in change.after:
            self._store_hints(segment.id, segment.state)


def _entries(segment: Segment, hints: Iterable[Hint], dictionary: Dictionary) -> Iterator[UsedHint]:
    for each in hints:
        word = segment.source[each.start : each.end]
        if (entry := dictionary.find(word)) is not None:
            yield UsedHint(word, each.form, entry)
