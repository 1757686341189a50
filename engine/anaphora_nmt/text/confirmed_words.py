"""Words from a document's confirmed pairs: new target words, and Latin source words that targets dropped."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from anaphora_nmt.text.latin_words import lost_words
from anaphora_nmt.text.normalize import normalize_source
from anaphora_nmt.text.tags import strip_tags
from anaphora_nmt.text.word_list import WordList, hyphenated_words, letter_words


@dataclass(frozen=True, slots=True)
class _PairWords:
    new: frozenset[str]
    dropped: frozenset[str]


@dataclass
class ConfirmedWords:
    """Words from confirmed pairs of a document. Words that `known` lacks are new; if it is None, none are."""

    known: WordList | None = None
    _segments: dict[str, _PairWords] = field(default_factory=dict)
    _imported: tuple[_PairWords, ...] = ()

    @property
    def _all(self) -> tuple[_PairWords, ...]:
        return (*self._imported, *self._segments.values())

    @cached_property
    def new(self) -> WordList:
        """The new words in confirmed targets; for a hyphenated word, also its parts."""
        return WordList.of(word for each in self._all for word in each.new)

    @cached_property
    def dropped(self) -> frozenset[str]:
        """The Latin words, in lower case, that a source contains but its confirmed target lacks."""
        return frozenset().union(*(each.dropped for each in self._all))

    def confirm(self, segment_id: str, source: str, target: str) -> None:
        self._segments.pop(segment_id, None)
        if (words := self._words_of(source, target)) is not None:
            self._segments[segment_id] = words
        self._clear_cache()

    def bring_in(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Replace the words of all imported pairs, which were confirmed in other documents."""
        results = (self._words_of(source, target) for source, target in pairs)
        self._imported = tuple(words for words in results if words is not None)
        self._clear_cache()

    def release(self, segment_id: str) -> None:
        if self._segments.pop(segment_id, None) is not None:
            self._clear_cache()

    def fork(self) -> ConfirmedWords:
        other = copy.copy(self)
        other._segments = dict(self._segments)
        return other

    def adopt(self, other: ConfirmedWords, moved: Mapping[str, str]) -> None:
        """Take over the words of the segments in `moved`, which maps ids in `other` to ids here."""
        self._segments = {moved[name]: words for name, words in other._segments.items() if name in moved}
        self._clear_cache()

    def _words_of(self, source: str, target: str) -> _PairWords | None:
        plain = normalize_source(strip_tags(source)[0])
        text, known = strip_tags(target)[0], self.known or ()
        words = () if self.known is None else chain(letter_words(text), hyphenated_words(text))
        new = frozenset(word for word in words if word not in known)
        dropped = frozenset(word.casefold() for word in lost_words(plain, target))
        return _PairWords(new, dropped) if new or dropped else None

    def _clear_cache(self) -> None:
        for name in ("new", "dropped"):
            self.__dict__.pop(name, None)
