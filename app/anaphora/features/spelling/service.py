"""Checks spelling and looks up suggestions in the background; provides functions that find invented words."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Container, Iterable
from functools import partial

from PySide6.QtCore import QObject, Signal

from anaphora.core.errors import AnaphoraError
from anaphora.core.segment import Segment
from anaphora.features.spelling.speller import English, Speller, SpellingError, dictionaries_of, words_of
from anaphora.project.document.following import OpenProject, ProjectSetting, SaveSetting, read_texts
from anaphora.project.document.session import DocumentSession
from anaphora.system.background import BackgroundTasks
from anaphora.system.messages import describe_error

log = logging.getLogger(__name__)

Spans = tuple[tuple[int, int], ...]
IGNORED_SETTING = "spelling/ignored"
IGNORED = ProjectSetting(IGNORED_SETTING, read_texts)


class SpellingService(QObject):
    """Checks one text at a time. If several texts are waiting, only the last one is checked.

    Attributes:
        dictionaries: names of the dictionaries for the target language; none after an error.

    Signals:
        checked: (segment id, text, spans of the misspelt words).
        changed: the set of correct words has changed.
        failed: a message for the user.
    """

    checked = Signal(str, str, object)
    changed = Signal()
    failed = Signal(str)

    project_settings = (IGNORED,)

    def __init__(self, speller: Speller, tasks: BackgroundTasks) -> None:
        super().__init__()
        self.dictionaries: tuple[str, ...] = ()
        self._english = English.BOTH
        self._language = ""
        self._speller = speller
        self._tasks = tasks
        self._ignored: set[str] = set()
        self._save_setting: SaveSetting = lambda key, value: None
        self._terms: Container[str] = frozenset()
        self._suggestions: dict[str, tuple[str, ...]] = {}
        self._pending: set[str] = set()
        self._is_running = False
        self._waiting: tuple[str, str, str] | None = None

    def follow(self, project: OpenProject) -> None:
        self.open(project.session, project.settings.of(IGNORED), project.save_setting)

    def open(self, session: DocumentSession, ignored: Iterable[str], save: SaveSetting) -> None:
        """Prepare for checking a project's targets; `ignored` has the words that `ignore` has stored."""
        self._language = session.pair.target
        self.dictionaries = dictionaries_of(self._language, self._english)
        self._ignored, self._save_setting = set(ignored), save

    def choose(self, english: English) -> None:
        """Choose the spelling of English for projects whose target language code has no region ("en")."""
        self._english = english
        self.dictionaries = dictionaries_of(self._language, english)
        self._suggestions.clear()
        self.changed.emit()

    def close(self) -> None:
        """Do nothing: the next project replaces the words."""

    def use_terms(self, words: Container[str]) -> None:
        """Count words of terms, in lower case, as correct."""
        self._terms = words
        self.changed.emit()

    def check(self, segment_id: str, source: str, text: str) -> None:
        """Find misspelt words that the source lacks. Emits `checked`, unless a later text takes its place."""
        if not self.dictionaries:
            return
        self._waiting = segment_id, source, text
        if not self._is_running:
            self._check_next()

    def inventions(self) -> Callable[[Segment], tuple[str, ...]] | None:
        """A function for any thread that finds the invented words of a target; None without a dictionary."""
        find = self._make_finder()
        return (lambda each: find(each.source, each.target)) if self.dictionaries else None

    def invention_finder(self, source: str) -> Callable[[str], tuple[str, ...]]:
        """A function for any thread that finds the invented words of a translation of `source`."""
        return partial(self._make_finder(), source)

    def _make_finder(self) -> Callable[[str, str], tuple[str, ...]]:
        names, known = dictionaries_of(self._language), (self._terms, frozenset(self._ignored))
        failed: list[SpellingError] = []

        def find(source: str, text: str) -> tuple[str, ...]:
            # Only log the error: the check of the current segment fails too, and reports the error.
            try:
                is_usable = bool(names) and not failed
                return self._speller.invented(names, text, *known, words_of([source])) if is_usable else ()
            except SpellingError as problem:
                failed.append(problem)
                log.error("invented words cannot be found", exc_info=problem)
                return ()

        return find

    def suggestions(self, word: str) -> tuple[str, ...] | None:
        return self._suggestions.get(word)

    def suggest(self, word: str) -> None:
        """Look up suggestions for a word in the background; `suggestions` returns them later."""
        names = self.dictionaries
        if not names or word in self._suggestions or word in self._pending:
            return
        self._pending.add(word)

        def store(suggestions: tuple[str, ...]) -> None:
            self._pending.discard(word)
            if names == self.dictionaries:
                self._suggestions[word] = suggestions

        def fail(error: Exception) -> None:
            self._pending.discard(word)
            self._fail(error)

        self._tasks.start(lambda: self._speller.suggestions(names, word), store, fail, awaited=False)

    def is_ignored(self, word: str) -> bool:
        return word.casefold() in self._ignored

    def ignore(self, word: str, ignored: bool = True) -> None:
        """Count a word as correct in this project. If `ignored` is False, stop doing so."""
        (self._ignored.add if ignored else self._ignored.discard)(word.casefold())
        self._save_setting(IGNORED_SETTING, json.dumps(sorted(self._ignored), ensure_ascii=False))
        self.changed.emit()

    def learn(self, word: str) -> None:
        self._tasks.start(
            lambda: self._speller.add(word), lambda _: self.changed.emit(), self._fail, must_finish=True
        )

    def _check_next(self) -> None:
        if self._waiting is None:
            return
        segment_id, source, text = self._waiting
        self._waiting, self._is_running = None, True
        names, known = self.dictionaries, (self._terms, frozenset(self._ignored))

        def answer(spans: Spans) -> None:
            self._is_running = False
            self.checked.emit(segment_id, text, spans)
            self._check_next()

        def fail(error: Exception) -> None:
            self._is_running, self._waiting = False, None
            self.dictionaries = ()  # report only once
            self._fail(error)

        self._tasks.start(
            lambda: self._speller.misspelt(names, text, *known, words_of([source])), answer, fail
        )

    def _fail(self, error: Exception) -> None:
        if isinstance(error, AnaphoraError):
            self.failed.emit(describe_error(error))
        else:
            log.error("spelling failed", exc_info=error)
            self.failed.emit(str(error) or type(error).__name__)
