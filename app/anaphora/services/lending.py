"""Lends words of the dictionary to drafts that are likely to be poor, and knows which of them stand there."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Segment, Status
from anaphora.dictionary.entries import DictionaryEntry
from anaphora.services.dictionary_service import DictionaryService
from anaphora.services.engine_jobs import PackJob, SteerJob
from anaphora.services.engine_worker import Drafted, EngineWorker
from anaphora.services.lent_words import lacking_words
from anaphora.services.progress import DONE
from anaphora.services.session import DocumentSession, SessionFollower
from anaphora_nmt.types import SourceTerm


@dataclass(frozen=True, slots=True)
class LentWord:
    """A word that the dictionary has lent to a draft.

    Attributes:
        word: of the source.
        form: what the draft calls it, as it stands there.
        entry: what the dictionary has for it.
    """

    word: str
    form: str
    entry: DictionaryEntry

    def stands_in(self, target: str) -> bool:
        """Whether a text has it as a word, whatever the case."""
        return SourceTerm(0, len(self.word), (self.form,)).kept_in(target)


class LendingService(SessionFollower):
    """Follows a session: words of its confirmed and locked segments, and of packs, are left to the memory.

    What was lent is not kept in the project, as little as how sure the model was.

    Signals:
        changed: ids of the segments with a new draft.
    """

    changed = Signal(object)

    def __init__(self, dictionary: DictionaryService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dictionary = dictionary
        self._brought: tuple[str, ...] = ()
        self._lent: dict[str, tuple[LentWord, ...]] = {}

    def follow(self, worker: EngineWorker) -> None:
        """Take note of what an engine's drafts were lent."""
        worker.drafted.connect(self._take_draft)
        worker.steered.connect(self._take_packs)

    def open(self, session: DocumentSession) -> None:
        """Follow a session."""
        self.close()
        self._attach(session)

    def close(self) -> None:
        """Stop following, and forget."""
        self._detach()
        self._brought = ()
        self._lent.clear()

    def lacking(self, segment_id: str, draft: str) -> tuple[SourceTerm, ...]:
        """What a draft that is likely to be poor may be lent. Called from the engine's thread."""
        session = self._session
        if session is None or not session.document.has(segment_id):
            return ()
        dictionary = self._dictionary.dictionary(session.pair)
        if dictionary is None:
            return ()
        source = session.document.get(segment_id).source
        done = (segment.source for segment in session.document if segment.status in DONE)
        return lacking_words(source, draft, dictionary, itertools.chain(done, self._brought))

    def words(self, segment: Segment) -> tuple[LentWord, ...]:
        """What the dictionary has lent to a segment's draft, as far as it stands there still."""
        if segment.status not in (Status.DRAFT, Status.EDITED):
            return ()
        return tuple(word for word in self._lent.get(segment.id, ()) if word.stands_in(segment.target))

    def _take_draft(self, result: Drafted) -> None:
        session, segment_id = self._session, result.job.segment
        if session is None or result.job.document != session.key or not session.document.has(segment_id):
            return
        source = session.document.get(segment_id).source
        self._lent[segment_id] = tuple(self._words(source, result, session.pair))
        self.changed.emit((segment_id,))

    def _words(self, source: str, result: Drafted, pair: LanguagePair) -> Iterator[LentWord]:
        dictionary = self._dictionary.dictionary(pair) if result.lent else None
        if dictionary is None:
            return
        for term in result.lent:
            word = source[term.start : term.end]
            form, entry = term.form_in(result.suggestion.text), dictionary.find(word)
            if form and entry is not None:
                yield LentWord(word, form, entry)

    def _take_packs(self, job: SteerJob | PackJob) -> None:
        if isinstance(job, PackJob) and self._session is not None and job.document == self._session.key:
            self._brought = tuple(source for pack in job.packs for source, _ in pack.pairs)

    def _follow(self, changes: ChangeSet) -> None:
        """What was lent holds for the draft, whatever becomes of its text; see `words`."""

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        for segment in change.before:
            self._lent.pop(segment.id, None)
