"""Words of a document's confirmed segments: the written ones, and those not kept from the source."""

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
    """The words of a document's confirmed segments, except those `known`; None: no data."""

    known: WordList | None = None
    _segments: dict[str, _Confirmed] = field(default_factory=dict)
    _brought: tuple[_Confirmed, ...] = ()

    @property
    def _every(self) -> tuple[_Confirmed, ...]:
        return (*self._brought, *self._segments.values())

    @cached_property
    def written(self) -> WordList:
        """Words that confirmed targets write and that are not known otherwise; with hyphens, as a whole."""
        return WordList.of(word for each in self._every for word in each.written)

    @cached_property
    def rewritten(self) -> frozenset[str]:
        """The Latin words of sources, in lower case, that a confirmed target has not kept."""
        return frozenset().union(*(each.rewritten for each in self._every))

    def confirm(self, segment: str, source: str, target: str) -> None:
        self._segments.pop(segment, None)
        if (words := self._said(source, target)) is not None:
            self._segments[segment] = words
        self._add_up()

    def bring_in(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Pairs that were confirmed elsewhere take the place of those that were brought in before."""
        found = (self._said(source, target) for source, target in pairs)
        self._brought = tuple(words for words in found if words is not None)
        self._add_up()

    def release(self, segment: str) -> None:
        if self._segments.pop(segment, None) is not None:
            self._add_up()

    def fork(self) -> ConfirmedWords:
        other = copy.copy(self)
        other._segments = dict(self._segments)
        return other

    def adopt(self, other: ConfirmedWords, moved: Mapping[str, str]) -> None:
        """Take over another segmentation's confirmed segments; `moved`: new ids by old ones."""
        self._segments = {moved[name]: words for name, words in other._segments.items() if name in moved}
        self._add_up()

    def _said(self, source: str, target: str) -> _Confirmed | None:
        """The words of a confirmed pair; None: nothing new, as for most of a document's many pairs."""
        plain = normalize_source(strip_tags(source)[0])
        said, words = strip_tags(target)[0], self.known or ()
        told = () if self.known is None else chain(letter_words(said), hyphenated_words(said))
        written = frozenset(word for word in told if word not in words)
        rewritten = frozenset(word.casefold() for word in lost_words(plain, target))
        return _Confirmed(written, rewritten) if written or rewritten else None

    def _add_up(self) -> None:
        """The sums are computed on demand."""
        for name in ("written", "rewritten"):
            self.__dict__.pop(name, None)
