"""Looks words of the current segment up in the dictionary, off the window's thread."""

from __future__ import annotations

import itertools
import logging
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from anaphora.core.chinese_words import cut, word_class
from anaphora.core.errors import AnaphoraError, Message
from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.dictionary.entries import Dictionary, DictionaryEntry
from anaphora.dictionary.unrendered import unrendered
from anaphora.services.background import BackgroundTasks
from anaphora.services.messages import describe_error

log = logging.getLogger(__name__)

Entries = tuple[DictionaryEntry, ...]
MOST = 6
"""More entries than this are not read."""
_CONTENT = frozenset("nva")


class DictionaryError(AnaphoraError):
    """A dictionary cannot be used."""


class DictionaryService(QObject):
    """Answers one question at a time; of several that wait only the last one counts.

    Signals:
        found: (segment id, the entries in the order of the source).
        failed: a message for the user, once for a dictionary.
    """

    found = Signal(str, object)
    failed = Signal(str)

    def __init__(
        self,
        file_of: Callable[[str, str], Path | None],
        tasks: BackgroundTasks,
        parent: QObject | None = None,
    ) -> None:
        """
        Args:
            file_of: the file of the dictionary from one language, by its code, into another.
        """
        super().__init__(parent)
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
            return tuple(unrendered(content_words(segment), segment.target, dictionary))

        self._ask(segment.id, pair, look)

    def drop(self) -> None:
        """Nothing is asked any more: no answer follows."""
        self._asked = next(self._ticket)

    def _ask(self, segment_id: str, pair: LanguagePair, look: Callable[[Dictionary], Entries]) -> None:
        self._asked = ticket = next(self._ticket)
        path = self._file_of(pair.source_language.code, pair.target_language.code)
        if path is None or path in self._failed:
            self.found.emit(segment_id, ())
            return

        def work() -> Entries:
            return look(self._dictionary(path))[:MOST] if ticket == self._asked else ()

        def take(entries: Entries) -> None:
            if ticket == self._asked:
                self.found.emit(segment_id, entries)

        self._tasks.start(work, take, lambda error: self._fail(path, error))

    def _dictionary(self, path: Path) -> Dictionary:
        """Read it when it is first needed: 0.2 seconds, 30 MB."""
        with self._reading:
            if path not in self._read:
                try:
                    self._read[path] = Dictionary.read(path)
                except (OSError, EOFError, ValueError, zlib.error) as error:
                    raise DictionaryError(
                        Message("The dictionary “{name}” cannot be read: {error}.", name=path, error=error),
                        "Install Anaphora again.",
                    ) from error
            return self._read[path]

    def _fail(self, path: Path, error: Exception) -> None:
        if path in self._failed:
            return
        self._failed.add(path)
        if not isinstance(error, AnaphoraError):
            log.error("the dictionary failed", exc_info=error)
        self.failed.emit(describe_error(error) if isinstance(error, AnaphoraError) else str(error))


def _entries(dictionary: Dictionary, selected: str) -> Entries:
    whole = dictionary.find(selected)
    if whole is not None:
        return (whole,)
    return tuple(filter(None, map(dictionary.find, dict.fromkeys(cut(selected)))))


def content_words(segment: Segment) -> Iterator[str]:
    """Nouns, verbs and adjectives of a source, of more than a character: what a draft may have got wrong."""
    source = MARK.sub(" ", segment.source)
    return (word for word in cut(source) if len(word) > 1 and word_class(word)[:1] in _CONTENT)
