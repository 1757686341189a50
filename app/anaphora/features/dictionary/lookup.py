"""Looks words of the current segment up in the dictionary, off the window's thread."""

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
from anaphora.features.dictionary.entries import Dictionary, DictionaryEntry, DictionaryError, open_dictionary
from anaphora.features.dictionary.source_words import source_words
from anaphora.features.dictionary.unrendered import unrendered
from anaphora.system.background import BackgroundTasks
from anaphora.system.messages import describe_error
from anaphora_text.chinese_words import cut

log = logging.getLogger(__name__)

Entries = tuple[DictionaryEntry, ...]
MOST = 6


class DictionaryService(QObject):
    """Answers one question at a time; of several that wait only the last one counts.

    Signals:
        found: (segment id, the entries in the order of the source).
        failed: a message for the user, once for a dictionary.
    """

    found = Signal(str, object)
    failed = Signal(str)

    def __init__(self, file_of: Callable[[str, str], Path | None], tasks: BackgroundTasks) -> None:
        """`file_of` gives the file of the dictionary from one language, by its code, into another."""
        super().__init__()
        self._file_of = file_of
        self._tasks = tasks
        self._read: dict[Path, Dictionary] = {}
        self._failed: set[Path] = set()
        self._reading = threading.Lock()
        self._ticket = itertools.count()
        self._asked = -1

    def look_up(self, segment: Segment, pair: LanguagePair, selected: str) -> None:
        """Find what is selected of a segment's source, as a whole or else its words; `found` follows."""
        self._ask(segment.id, pair, lambda dictionary: _entries(dictionary, selected))

    def look_for_unrendered(self, segment: Segment, pair: LanguagePair) -> None:
        """Find the words of a segment that its translation calls nothing of what the dictionary has."""

        def look(dictionary: Dictionary) -> Entries:
            target = with_proposal(segment).target
            words = unrendered(source_words(segment.source, dictionary), target)
            return tuple(word.entry for word in words)

        self._ask(segment.id, pair, look)

    def drop(self) -> None:
        self._asked = next(self._ticket)

    def dictionary(self, pair: LanguagePair) -> Dictionary | None:
        """The dictionary of a pair, not for the window's thread; `failed` reports an error."""
        path = self._path(pair)
        if path is None:
            return None
        try:
            with self._reading:  # 0.2 seconds, 30 MB
                if path not in self._read:
                    self._read[path] = open_dictionary(path)
                return self._read[path]
        except DictionaryError as error:
            if path not in self._failed:
                self._failed.add(path)
                self.failed.emit(describe_error(error))
            return None

    def ready(self, pair: LanguagePair) -> Dictionary | None:
        """The dictionary of a pair if it has been read: the window's thread does not wait for it."""
        path = self._path(pair)
        return None if path is None else self._read.get(path)

    def read(self, pair: LanguagePair, then: Callable[[], None]) -> None:
        """Read the dictionary of a pair in the background, if there is one that can be used."""
        if self._path(pair) is not None:
            self._tasks.start(lambda: self.dictionary(pair), lambda _: then(), self._fail, awaited=False)

    def _path(self, pair: LanguagePair) -> Path | None:
        """The file of a pair that can be used, as far as is known."""
        path = self._file_of(pair.source_language.code, pair.target_language.code)
        return None if path in self._failed else path

    def _ask(self, segment_id: str, pair: LanguagePair, look: Callable[[Dictionary], Entries]) -> None:
        self._asked = ticket = next(self._ticket)
        if self._path(pair) is None:
            self.found.emit(segment_id, ())
            return

        def work() -> Entries:
            dictionary = self.dictionary(pair) if ticket == self._asked else None
            return look(dictionary)[:MOST] if dictionary is not None else ()

        def take(entries: Entries) -> None:
            if ticket == self._asked:
                self.found.emit(segment_id, entries)

        self._tasks.start(work, take, self._fail)

    def _fail(self, error: Exception) -> None:
        log.error("the dictionary failed", exc_info=error)
        self.failed.emit(str(error) or type(error).__name__)


def _entries(dictionary: Dictionary, selected: str) -> Entries:
    whole = dictionary.find(selected)
    if whole is not None:
        return (whole,)
    return tuple(filter(None, map(dictionary.find, dict.fromkeys(cut(selected)))))
