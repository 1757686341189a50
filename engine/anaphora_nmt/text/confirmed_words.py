"""New words in a document's confirmed targets, and Latin words of sources that these targets do not keep."""

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
class _Confirmed:
    written: frozenset[str]
    rewritten: frozenset[str]


@dataclass
class ConfirmedWords:
    """The words of a document's confirmed segments; if `known` is None, no word counts as new."""

    known: WordList | None = None
    _segments: dict[str, _Confirmed] = field(default_factory=dict)
    _imported: tuple[_Confirmed, ...] = ()

    @property
    def _all(self) -> tuple[_Confirmed, ...]:
        return (*self._imported, *self._segments.values())

    @cached_property
    def written(self) -> WordList:
        """Unknown words in confirmed targets: hyphenated words, their parts, and other words."""
        return WordList.of(word for each in self._all for word in each.written)

    @cached_property
    def rewritten(self) -> frozenset[str]:
        """The Latin words of sources, in lower case, that their confirmed targets do not keep."""
        return frozenset().union(*(each.rewritten for each in self._all))

    def confirm(self, segment: str, source: str, target: str) -> None:
        self._segments.pop(segment, None)
        if (words := self._new_words(source, target)) is not None:
            self._segments[segment] = words
        self._clear_cache()

    def bring_in(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Replace the pairs that were confirmed outside this document."""
        results = (self._new_words(source, target) for source, target in pairs)
        self._imported = tuple(words for words in results if words is not None)
        self._clear_cache()

    def release(self, segment: str) -> None:
        if self._segments.pop(segment, None) is not None:
            self._clear_cache()

    def fork(self) -> ConfirmedWords:
        other = copy.copy(self)
        other._segments = dict(self._segments)
        return other

    def adopt(self, other: ConfirmedWords, moved: Mapping[str, str]) -> None:
        """Take over the confirmed segments of another segmentation; `moved` maps old ids to new ones."""
        self._segments = {moved[name]: words for name, words in other._segments.items() if name in moved}
        self._clear_cache()

    def _new_words(self, source: str, target: str) -> _Confirmed | None:
        """The new and rewritten words of a confirmed pair; None without any, as in most pairs."""
        plain = normalize_source(strip_tags(source)[0])
        text, known = strip_tags(target)[0], self.known or ()
        words = () if self.known is None else chain(letter_words(text), hyphenated_words(text))
        written = frozenset(word for word in words if word not in known)
        rewritten = frozenset(word.casefold() for word in lost_words(plain, target))
        return _Confirmed(written, rewritten) if written or rewritten else None

    def _clear_cache(self) -> None:
        for name in ("written", "rewritten"):
            self.__dict__.pop(name, None)
