"""Looks up dictionary entries for the current segment, finds hints for drafts, and stores used hints."""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from anaphora.core.draft_report import Hint
from anaphora.core.drafts import proposal_of, with_proposal
from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.engine.jobs import PackJob, SteerJob
from anaphora.engine.worker import EngineWorker
from anaphora.features.dictionary.entries import (
    Dictionary,
    DictionaryEntry,
    DictionaryError,
    open_dictionary,
    source_words,
    unrendered_words,
)
from anaphora.features.dictionary.hinted_drafts import lacking_words
from anaphora.project.document.following import OpenProject, SessionFollower
from anaphora.project.document.progress import DONE
from anaphora.project.document.session import DocumentSession
from anaphora.system.background import BackgroundTasks
from anaphora.system.messages import describe_error
from anaphora_nmt.types import Correction, SourceTerm
from anaphora_text.chinese_words import cut

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class UsedHint:
    """A source word, and its rendering in a draft that has used a hint for it."""

    word: str
    form: str
    entry: DictionaryEntry

    def is_in(self, target: str) -> bool:
        """True if a target contains the form as whole words, ignoring case."""
        return SourceTerm(0, len(self.word), (self.form,)).kept_in(target)


class DictionaryHints(SessionFollower):
    """Provides hints for the drafts of a session, and stores the hints that drafts have used.

    Signals:
        changed: ids of the segments whose hints may have changed.
    """

    changed = Signal(object)

    def __init__(self, dictionary: DictionaryService) -> None:
        super().__init__()
        self._dictionary = dictionary
        self._pack_pairs: tuple[tuple[str, str], ...] = ()
        self._hints: dict[str, tuple[Hint, ...]] = {}

    def follow_worker(self, worker: EngineWorker) -> None:
        """Count the pairs in the engine's packs as confirmed text."""
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

    def find_hints(
        self, segment_id: str, draft: str, corrections: Sequence[Correction] = ()
    ) -> tuple[SourceTerm, ...]:
        """Hints for a draft, see `lacking_words`; none without a dictionary. For the engine's thread."""
        session = self._session
        segment = session.document.find(segment_id) if session is not None else None
        if session is None or segment is None:
            return ()
        if (dictionary := self._dictionary.dictionary(session.pair)) is None:
            return ()
        confirmed = ((each.source, each.target) for each in session.document if each.status in DONE)
        known = itertools.chain(confirmed, self._pack_pairs)
        current_draft = segment.target or proposal_of(segment.state)
        return lacking_words(segment.source, draft, dictionary, known, corrections, current_draft)

    def used_hints(self, segment: Segment) -> tuple[UsedHint, ...]:
        """The used hints that a segment's text still contains; none until the dictionary is loaded."""
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


Entries = tuple[DictionaryEntry, ...]
MAX_ENTRIES = 6


class DictionaryService(QObject):
    """Looks up words in the background. Only the last query is answered.

    Signals:
        found: (segment id, the entries in the order of the source).
        failed: a message for the user; a dictionary that cannot be read is reported only once.
    """

    found = Signal(str, object)
    failed = Signal(str)

    def __init__(self, file_of: Callable[[str, str], Path | None], tasks: BackgroundTasks) -> None:
        """`file_of` returns the dictionary's file for two language codes, if there is one."""
        super().__init__()
        self._file_of = file_of
        self._tasks = tasks
        self._dictionaries: dict[Path, Dictionary] = {}
        self._failed_paths: set[Path] = set()
        self._loading = threading.Lock()
        self._ticket_numbers = itertools.count()
        self._latest = -1

    def look_up(self, segment: Segment, pair: LanguagePair, selected: str) -> None:
        """Look up the selected text as one word or, if it has no entry, each of its words; emits `found`."""
        self._ask(segment.id, pair, lambda dictionary: _entries_of(dictionary, selected))

    def look_for_unrendered(self, segment: Segment, pair: LanguagePair) -> None:

        def find(dictionary: Dictionary) -> Entries:
            target = with_proposal(segment).target
            words = unrendered_words(source_words(segment.source, dictionary), target)
            return tuple(word.entry for word in words)

        self._ask(segment.id, pair, find)

    def drop(self) -> None:
        """Ignore the answer to the current query."""
        self._latest = next(self._ticket_numbers)

    def dictionary(self, pair: LanguagePair) -> Dictionary | None:
        """The dictionary of a pair, or None. The first call is too slow for the window's thread."""
        path = self._path(pair)
        if path is None:
            return None
        try:
            with self._loading:  # loading takes 0.2 seconds and 30 MB
                if path not in self._dictionaries:
                    self._dictionaries[path] = open_dictionary(path)
                return self._dictionaries[path]
        except DictionaryError as error:
            if path not in self._failed_paths:
                self._failed_paths.add(path)
                self.failed.emit(describe_error(error))
            return None

    def ready(self, pair: LanguagePair) -> Dictionary | None:
        """The dictionary of a pair if it is already loaded, otherwise None. Never waits for the disk."""
        path = self._path(pair)
        return None if path is None else self._dictionaries.get(path)

    def read(self, pair: LanguagePair, then: Callable[[], None]) -> None:
        """Load the dictionary of a pair in the background, then call `then`; do nothing if there is none."""
        if self._path(pair) is not None:
            self._tasks.start(lambda: self.dictionary(pair), lambda _: then(), self._fail, awaited=False)

    def _path(self, pair: LanguagePair) -> Path | None:
        path = self._file_of(pair.source_language.code, pair.target_language.code)
        return None if path in self._failed_paths else path

    def _ask(self, segment_id: str, pair: LanguagePair, find: Callable[[Dictionary], Entries]) -> None:
        self._latest = ticket = next(self._ticket_numbers)
        if self._path(pair) is None:
            self.found.emit(segment_id, ())
            return

        def work() -> Entries:
            dictionary = self.dictionary(pair) if ticket == self._latest else None
            return find(dictionary)[:MAX_ENTRIES] if dictionary is not None else ()

        def receive(entries: Entries) -> None:
            if ticket == self._latest:
                self.found.emit(segment_id, entries)

        self._tasks.start(work, receive, self._fail)

    def _fail(self, error: Exception) -> None:
        log.error("the dictionary failed", exc_info=error)
        self.failed.emit(str(error) or type(error).__name__)


def _entries_of(dictionary: Dictionary, selected: str) -> Entries:
    if (entry := dictionary.find(selected)) is not None:
        return (entry,)
    return tuple(filter(None, map(dictionary.find, dict.fromkeys(cut(selected)))))
