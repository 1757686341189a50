"""Looks for the names and terms of a document when it is opened, off the window's thread, and offers them."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from anaphora.application.background import BackgroundTasks
from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.language_pair import LanguagePair
from anaphora.core.long_work import CancelledError, LongWork
from anaphora.core.segment import Segment, Status, document_id
from anaphora.core.untrusted import read_json
from anaphora.dictionary.lookup import DictionaryService
from anaphora.document.following import Keep, KeptSetting, OpenProject, SessionFollower
from anaphora.document.session import DocumentSession
from anaphora.engine.worker import EngineWorker
from anaphora.term_base.entries import Entry, TargetTerm
from anaphora.terms.first_sight import Candidate, WordDraft, propose, with_drafts
from anaphora.terms.requests import word_drafts
from anaphora.terms.service import TermService
from anaphora.terms.word_book import WordBook, read_names

log = logging.getLogger(__name__)
_SEEN_SETTING = "terms/first sight"
_LEAST_SEGMENTS = 20
"""A shorter document is read sooner than a list."""
_LEAST_CANDIDATES = 3
MemoryOf = Callable[[str, LanguagePair], Iterable[str]]
"""Translations, from the memories, of sentences that hold a text; called off the window's thread."""


def read_seen(kept: str) -> frozenset[str]:
    """The ids of the documents whose names and terms somebody has seen; none where that cannot be read."""
    try:
        ids = read_json(kept) if kept else []
        return (
            frozenset(each for each in ids if isinstance(each, str)) if isinstance(ids, list) else frozenset()
        )
    except ValueError as problem:
        log.warning("which documents' terms were seen cannot be read (%s): %.200s", problem, kept)
        return frozenset()


SEEN = KeptSetting(_SEEN_SETTING, read_seen)


@dataclass(frozen=True, slots=True)
class Offer:
    """What is proposed.

    Attributes:
        candidates: what matters most first.
        examples: by segment id, the sources of the first segments that hold them.
    """

    candidates: tuple[Candidate, ...]
    examples: Mapping[str, str]


def unseen(document: Sequence[Segment], seen: Set[str]) -> list[Segment]:
    """The segments of documents that are offered something: long enough, and not translated yet."""
    left = [each for each in document if document_id(each.id) not in seen]
    has_work = any(each.status in (Status.NOT_STARTED, Status.DRAFT) for each in left)
    return left if has_work and len(left) >= _LEAST_SEGMENTS else []


class FirstSightService(SessionFollower):
    """Follows a session: proposes once for each document with untranslated text, and whenever it is asked.

    Signals:
        offered: the Offer for a document that nobody has looked at yet.
        found: the Offer that was asked for.
        improved: the candidates with what the model makes of them.
        left: what was offered is no longer.
        closed: what was found is of a project that is no longer open.
        failed: a message for the user.
    """

    keeps = (SEEN,)
    offered = Signal(object)
    found = Signal(object)
    improved = Signal(object)
    left = Signal()
    closed = Signal()
    failed = Signal(str)

    def __init__(
        self,
        terms: TermService,
        dictionary: DictionaryService,
        worker: EngineWorker,
        memory_of: MemoryOf,
        names_file: Callable[[str, str], Path | None],
        tasks: BackgroundTasks,
        parent: QObject | None = None,
    ) -> None:
        """
        Args:
            names_file: the table of well-known names from one language, by its code, into another.
        """
        super().__init__(parent)
        self._terms = terms
        self._dictionary = dictionary
        self._worker = worker
        self._memory_of = memory_of
        self._names_file = names_file
        self._tasks = tasks
        self._keep: Keep | None = None
        self._seen: frozenset[str] = frozenset()
        self._work: LongWork | None = None
        self._awaits_terms = False
        terms.changed.connect(self._follow_terms)

    def follow(self, project: OpenProject) -> None:
        """A project has been opened."""
        self.open(project.session, project.kept.of(SEEN), project.keep)

    def open(self, session: DocumentSession, seen: frozenset[str], keep: Keep) -> None:
        """Follow a session; what the term bases hold is awaited.

        Args:
            seen: ids of the documents whose candidates were seen.
            keep: keeps them with the project.
        """
        self.close()
        self._attach(session)
        self._keep, self._seen = keep, seen
        self._awaits_terms = self.is_possible
        if self._awaits_terms and self._terms.terms is not None:
            self._follow_terms()

    def close(self) -> None:
        """Stop following."""
        self._detach()
        self._cancel()
        self._keep, self._awaits_terms = None, False
        self.left.emit()
        self.closed.emit()

    @property
    def is_possible(self) -> bool:
        """Whether anything is proposed of the open document."""
        return self._session is not None and self._session.pair.is_chinese_to_english

    def look(self) -> None:
        """Look for the names and terms of the whole project; `found` follows."""
        if self._session is not None and self.is_possible:
            self._look(list, self.found.emit)

    def ask_model(self, candidates: Sequence[Candidate]) -> None:
        """Ask what the model makes of terms by themselves; `improved` follows."""
        session = self._session
        if session is None or not candidates:
            return

        def take(drafts: Mapping[str, WordDraft]) -> None:
            if session is self._session:
                self.improved.emit(with_drafts(candidates, drafts))

        self._worker.ask(word_drafts(session.key, [each.text for each in candidates], take))

    def accept(self, chosen: Sequence[tuple[str, str]]) -> None:
        """Put names and terms with what they are called into the project's term base."""
        self.see()
        if chosen:
            self._terms.add_all([Entry(text, (TargetTerm(called),)) for text, called in chosen])

    def see(self) -> None:
        """Nothing more is offered of the documents that there are."""
        session = self._session
        if session is None or self._keep is None:
            return
        self._cancel()
        self._seen |= {document_id(segment.id) for segment in session.document}
        self._keep(_SEEN_SETTING, json.dumps(sorted(self._seen)))
        self.left.emit()

    def _follow_terms(self) -> None:
        if self._awaits_terms:
            self._awaits_terms = False
            seen = self._seen
            self._look(lambda segments: unseen(segments, seen), self._offer)

    def _offer(self, offer: Offer) -> None:
        if len(offer.candidates) >= _LEAST_CANDIDATES:
            self.offered.emit(offer)

    def _look(
        self, choose: Callable[[Sequence[Segment]], Sequence[Segment]], tell: Callable[[Offer], None]
    ) -> None:
        """Look in the background, in the segments that are chosen; an earlier look is given up."""
        session, terms = self._session, self._terms.terms
        self._cancel()
        if session is None:
            return
        document = tuple(session.document)
        self._work = work = LongWork()
        pair = session.pair
        known = {entry.source for each in terms.entries.values() for entry in each} if terms else set()

        def find() -> Offer:
            segments = choose(document)
            if not segments:
                return Offer((), {})
            confirmed = [each for each in segments if each.status is Status.CONFIRMED]

            def said(text: str) -> Iterable[str]:
                yield from (segment.target for segment in confirmed if text in segment.source)
                yield from self._memory_of(text, pair)

            candidates = propose(segments, self._book(pair), known, said, work.step)
            wanted = {each.segments[0] for each in candidates}
            return Offer(candidates, {each.id: each.source for each in segments if each.id in wanted})

        def take(offer: Offer) -> None:
            if work is self._work:
                self._work = None
                tell(offer)

        def fail(error: Exception) -> None:
            if work is not self._work or isinstance(error, CancelledError):
                return  # given up: a memory may have been closed meanwhile
            self._work = None
            log.error("the names and terms of a document were not found", exc_info=error)
            self.failed.emit(str(error) or type(error).__name__)

        self._tasks.start(find, take, fail, awaited=False)

    def _book(self, pair: LanguagePair) -> WordBook:
        path = self._names_file(pair.source_language.code, pair.target_language.code)
        return WordBook(self._dictionary.dictionary(pair), read_names(path))

    def _cancel(self) -> None:
        if self._work is not None:
            self._work.cancel()
            self._work = None

    def _follow(self, changes: ChangeSet) -> None:
        """Translations say nothing of what recurs in the source."""

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        """Nor do other edges of its sentences."""
