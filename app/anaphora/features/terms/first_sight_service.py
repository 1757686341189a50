"""Finds recurring names and terms of an opened document in the background and offers them."""

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
from anaphora.features.dictionary.hints import DictionaryService
from anaphora.features.terms.first_sight import Candidate, WordDraft, propose, with_drafts
from anaphora.features.terms.requests import word_drafts
from anaphora.features.terms.service import TermService
from anaphora.features.terms.word_book import WordBook, read_names
from anaphora.project.document.following import OpenProject, ProjectSetting, SessionFollower
from anaphora.system.background import BackgroundTasks

log = logging.getLogger(__name__)
_MIN_SEGMENTS = 20
_UNEDITED = (Status.NOT_STARTED, Status.DRAFT)
_MIN_CANDIDATES = 3
SEEN = ProjectSetting("terms/first sight", bool)
"""True if the user has seen the project's recurring names and terms."""


class FirstSightService(SessionFollower):
    """Proposes names and terms once for a project with unedited segments, and on request.

    Signals:
        offered: Candidates for a newly opened project, if there are enough.
        found: Candidates after the user requested a search.
        improved: the Candidates of `ask_model` with the model's translations.
        withdrawn: the offer is outdated.
        closed: the project was closed; its candidates are outdated.
    """

    project_settings = (SEEN,)
    offered = Signal(object)
    found = Signal(object)
    improved = Signal(object)
    withdrawn = Signal()
    closed = Signal()

    def __init__(
        self,
        terms: TermService,
        dictionary: DictionaryService,
        worker: EngineWorker,
        names_file: Callable[[str, str], Path | None],
        tasks: BackgroundTasks,
    ) -> None:
        """`names_file` returns the table of well-known names for two language codes, if there is one."""
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
        super().follow(project)
        self._awaits_terms = self.is_possible and not project.settings.of(SEEN)
        if self._awaits_terms and self._terms.terms is not None:
            self._follow_terms()

    def close(self) -> None:
        super().close()
        self._cancel()
        self._awaits_terms = False
        self.withdrawn.emit()
        self.closed.emit()

    @property
    def is_possible(self) -> bool:
        return self._session is not None and self._session.pair.is_chinese_to_english

    def search(self) -> None:
        if self._session is not None and self.is_possible:
            self._search(self.found.emit)

    def ask_model(self, candidates: Sequence[Candidate]) -> None:
        """Request the model's translations of candidates; emits `improved`."""
        session = self._session
        if session is None or not candidates:
            return

        def receive(drafts: Mapping[str, WordDraft]) -> None:
            if session is self._session:
                self.improved.emit(with_drafts(candidates, drafts))

        self._worker.ask(word_drafts(session.key, [each.text for each in candidates], receive))

    def accept(self, chosen: Sequence[tuple[str, str]]) -> None:
        """Add pairs (term, rendering) to the project's term base, and make no further offer."""
        self.mark_as_seen()
        if chosen:
            self._terms.add_all([TermEntry(text, (TargetTerm(rendering),)) for text, rendering in chosen])

    def mark_as_seen(self) -> None:
        """Cancel a search, withdraw the offer, and make no further offer for this project."""
        self._cancel()
        self._save_setting(SEEN.name, "1")
        self.withdrawn.emit()

    def _follow_terms(self) -> None:
        if self._awaits_terms:
            self._awaits_terms = False
            self._search(self._offer, minimum=_MIN_SEGMENTS)

    def _offer(self, candidates: Sequence[Candidate]) -> None:
        if len(candidates) >= _MIN_CANDIDATES:
            self.offered.emit(candidates)

    def _search(self, report: Callable[[Sequence[Candidate]], None], minimum: int = 0) -> None:
        """Search in the background; a `minimum` above 0 skips shorter and fully edited documents."""
        session, terms = self._session, self._terms.terms
        self._cancel()
        if session is None:
            return
        document = tuple(session.document)
        if minimum and (len(document) < minimum or not any(each.status in _UNEDITED for each in document)):
            return
        self._work = work = LongWork()
        pair = session.pair

        def find() -> Sequence[Candidate]:
            known = {entry.source for each in terms.entries.values() for entry in each} if terms else set()
            return propose(document, self._book(pair), known, work.step)

        def receive(candidates: Sequence[Candidate]) -> None:
            if work is self._work:
                self._work = None
                report(candidates)

        def fail(error: Exception) -> None:
            if work is not self._work or isinstance(error, CancelledError):
                return
            self._work = None
            log.error("the names and terms of a document were not found", exc_info=error)
            self.failed.emit(str(error) or type(error).__name__)

        self._tasks.start(find, receive, fail, awaited=False)

    def _book(self, pair: LanguagePair) -> WordBook:
        path = self._names_file(pair.source_language.code, pair.target_language.code)
        return WordBook(self._dictionary.dictionary(pair), read_names(path))

    def _cancel(self) -> None:
        if self._work is not None:
            self._work.cancel()
            self._work = None
