"""Looks up words of the current segment in the dictionary, in the background."""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from anaphora.core.drafts import with_proposal
from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Segment
from anaphora.features.dictionary.entries import (
    Dictionary,
    DictionaryEntry,
    DictionaryError,
    open_dictionary,
    source_words,
    unrendered,
)
from anaphora.system.background import BackgroundTasks
from anaphora.system.messages import describe_error
from anaphora_text.chinese_words import cut

log = logging.getLogger(__name__)

Entries = tuple[DictionaryEntry, ...]
MAX_ENTRIES = 6


class DictionaryService(QObject):
    """Looks words up; of several waiting queries, only the last is answered.

    Signals:
        found: (segment id, the entries in the order of the source).
        failed: a message for the user, once per dictionary.
    """

    found = Signal(str, object)
    failed = Signal(str)

    def __init__(self, file_of: Callable[[str, str], Path | None], tasks: BackgroundTasks) -> None:
        """`file_of` returns the dictionary's file for two language codes, if there is one."""
        super().__init__()
        self._file_of = file_of
        self._tasks = tasks
        self._read: dict[Path, Dictionary] = {}
        self._failed: set[Path] = set()
        self._reading = threading.Lock()
        self._ticket = itertools.count()
        self._latest = -1

    def look_up(self, segment: Segment, pair: LanguagePair, selected: str) -> None:
        """Look up the selected source text, or else its words; emits `found`."""
        self._ask(segment.id, pair, lambda dictionary: _entries(dictionary, selected))

    def look_for_unrendered(self, segment: Segment, pair: LanguagePair) -> None:
        """Look up the words of a segment that its target does not render; emits `found`."""

        def find(dictionary: Dictionary) -> Entries:
            target = with_proposal(segment).target
            words = unrendered(source_words(segment.source, dictionary), target)
            return tuple(word.entry for word in words)

        self._ask(segment.id, pair, find)

    def drop(self) -> None:
        self._latest = next(self._ticket)

    def dictionary(self, pair: LanguagePair) -> Dictionary | None:
        """The dictionary of a pair, not for the window's thread; `failed` reports an error."""
        path = self._path(pair)
        if path is None:
            return None
        try:
            with self._reading:  # loading takes 0.2 seconds and 30 MB
                if path not in self._read:
                    self._read[path] = open_dictionary(path)
                return self._read[path]
        except DictionaryError as error:
            if path not in self._failed:
                self._failed.add(path)
                self.failed.emit(describe_error(error))
            return None

    def ready(self, pair: LanguagePair) -> Dictionary | None:
        """The dictionary of a pair if it is loaded already; for the window's thread."""
        path = self._path(pair)
        return None if path is None else self._read.get(path)

    def read(self, pair: LanguagePair, then: Callable[[], None]) -> None:
        """Load the dictionary of a pair in the background, if there is a usable one."""
        if self._path(pair) is not None:
            self._tasks.start(lambda: self.dictionary(pair), lambda _: then(), self._fail, awaited=False)

    def _path(self, pair: LanguagePair) -> Path | None:
        """The file for a pair, unless it has failed to load."""
        path = self._file_of(pair.source_language.code, pair.target_language.code)
        return None if path in self._failed else path

    def _ask(self, segment_id: str, pair: LanguagePair, find: Callable[[Dictionary], Entries]) -> None:
        self._latest = ticket = next(self._ticket)
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


def _entries(dictionary: Dictionary, selected: str) -> Entries:
    whole = dictionary.find(selected)
    if whole is not None:
        return (whole,)
    return tuple(filter(None, map(dictionary.find, dict.fromkeys(cut(selected)))))
