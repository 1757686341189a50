"""Looks for the names and terms of a document when it is opened, off the window's thread, and offers them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Signal

from anaphora.core.language_pair import LanguagePair
from anaphora.core.long_work import CancelledError, LongWork
from anaphora.core.segment import Status
from anaphora.core.term_entries import TargetTerm, TermEntry
from anaphora.engine.worker import EngineWorker
from anaphora.features.dictionary.lookup import DictionaryService
from anaphora.features.terms.first_sight import Candidate, WordDraft, propose, with_drafts
from anaphora.features.terms.requests import word_drafts
from anaphora.features.terms.service import TermService
from anaphora.features.terms.word_book import WordBook, read_names
from anaphora.project.document.following import KeptSetting, OpenProject, SessionFollower
from anaphora.system.background import BackgroundTasks

log = logging.getLogger(__name__)
_LEAST_SEGMENTS = 20
"""A shorter document is read sooner than a list."""
_OPEN = (Status.NOT_STARTED, Status.DRAFT)
_LEAST_CANDIDATES = 3
SEEN = KeptSetting("terms/first sight", bool)
"""True if the user has seen the recurring names and terms of a project."""


class FirstSightService(SessionFollower):
    """Follows a session: proposes once for a project with untranslated text, and on request.

    Signals:
        offered: the Candidates of a project, not yet looked at; found: the requested ones.
        improved: the candidates with what the model makes of them.
        left: the offer is outdated.
        closed: the results belong to a closed project.
    """

    keeps = (SEEN,)
    offered = Signal(object)
    found = Signal(object)
    improved = Signal(object)
    left = Signal()
    closed = Signal()

    def __init__(
        self,
        terms: TermService,
        dictionary: DictionaryService,
        worker: EngineWorker,
        names_file: Callable[[str, str], Path | None],
        tasks: BackgroundTasks,
    ) -> None:
        """`names_file` gives the table of well-known names from one language, by its code, into another."""
        super().__init__()
        self._terms = terms
        self._dictionary = dictionary
        self._worker = worker
        self._names_file = names_file
        self._tasks = tasks
        self._work: LongWork | None = None
        self._awaits_terms = False
        terms.changed.connect(self._follow_terms)

    def follow(self, project: OpenProject) -> None:
        """A project has been opened: what its term bases hold is awaited."""
        super().follow(project)
        self._awaits_terms = self.is_possible and not project.kept.of(SEEN)
        if self._awaits_terms and self._terms.terms is not None:
            self._follow_terms()

    def close(self) -> None:
        super().close()
        self._cancel()
        self._awaits_terms = False
        self.left.emit()
        self.closed.emit()

    @property
    def is_possible(self) -> bool:
        return self._session is not None and self._session.pair.is_chinese_to_english

    def look(self) -> None:
        if self._session is not None and self.is_possible:
            self._look(self.found.emit)

    def ask_model(self, candidates: Sequence[Candidate]) -> None:
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
            self._terms.add_all([TermEntry(text, (TargetTerm(called),)) for text, called in chosen])

    def see(self) -> None:
        """Nothing more is offered of this project."""
        self._cancel()
        self._keep(SEEN.name, "1")
        self.left.emit()

    def _follow_terms(self) -> None:
        if self._awaits_terms:
            self._awaits_terms = False
            self._look(self._offer, least=_LEAST_SEGMENTS)

    def _offer(self, candidates: Sequence[Candidate]) -> None:
        if len(candidates) >= _LEAST_CANDIDATES:
            self.offered.emit(candidates)

    def _look(self, tell: Callable[[Sequence[Candidate]], None], least: int = 0) -> None:
        """Look in the background; an earlier look is given up.

        Args:
            least: minimum number of segments in a document, one of them not edited; 0: any document.
        """
        session, terms = self._session, self._terms.terms
        self._cancel()
        if session is None:
            return
        document = tuple(session.document)
        if least and (len(document) < least or not any(each.status in _OPEN for each in document)):
            return
        self._work = work = LongWork()
        pair = session.pair

        def find() -> Sequence[Candidate]:
            known = {entry.source for each in terms.entries.values() for entry in each} if terms else set()
            return propose(document, self._book(pair), known, work.step)

        def take(candidates: Sequence[Candidate]) -> None:
            if work is self._work:
                self._work = None
                tell(candidates)

        def fail(error: Exception) -> None:
            if work is not self._work or isinstance(error, CancelledError):
                return
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
