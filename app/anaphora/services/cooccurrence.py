"""Which words of a project's translations go with a term: statistics over its segments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from anaphora.core.consistency import normal_form
from anaphora.core.function_words import FUNCTION_WORDS
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import MARK

_DRAFT = 0.5
"""What a segment counts for that nobody has confirmed."""
_DISCOUNT = 0.5
"""Taken off what stands together: once may be by chance."""

word_form = lru_cache(maxsize=50_000)(normal_form)
"""`normal_form` of a word."""


@dataclass(frozen=True, slots=True)
class _Counted:
    """A segment as it has been counted."""

    target: str
    weight: float
    words: frozenset[str]


class CoOccurrence:
    """Counts in which segments words stand. For one thread at a time."""

    def __init__(self) -> None:
        self._segments: dict[str, _Counted] = {}
        self._weights: dict[str, float] = defaultdict(float)

    def follow(self, segments: Iterable[Segment]) -> None:
        """Count what the segments of a project say now; those that have not changed are not read again."""
        left = set(self._segments)
        for segment in segments:
            left.discard(segment.id)
            weight = 1.0 if segment.status in (Status.CONFIRMED, Status.LOCKED) else _DRAFT
            held = self._segments.get(segment.id)
            if held is None or (held.target, held.weight) != (segment.target, weight):
                self._forget(segment.id)
                self._count(segment, weight)
        for segment_id in left:
            self._forget(segment_id)

    def association(self, holders: Iterable[str]) -> dict[str, float]:
        """How much words go with a term, by their forms, in [0, 1).

        Dice's coefficient, the harmonic mean of how many segments with the term have the word, and of how
        many with the word have the term.

        Args:
            holders: ids of the segments in whose sources the term stands.
        """
        together: dict[str, float] = defaultdict(float)
        term = 0.0
        for segment_id in holders:
            if (held := self._segments.get(segment_id)) is not None:
                term += held.weight
                for word in held.words:
                    together[word] += held.weight
        return {
            word: 2 * (weight - _DISCOUNT) / (term + self._weights[word])
            for word, weight in together.items()
            if weight > _DISCOUNT
        }

    def _count(self, segment: Segment, weight: float) -> None:
        if not segment.target.strip():
            return
        words = (word for word in MARK.sub(" ", segment.target).split())
        forms = frozenset(map(word_form, words)) - FUNCTION_WORDS - {""}
        self._segments[segment.id] = _Counted(segment.target, weight, forms)
        for word in forms:
            self._weights[word] += weight

    def _forget(self, segment_id: str) -> None:
        if (held := self._segments.pop(segment_id, None)) is not None:
            for word in held.words:
                self._weights[word] -= held.weight
                if not self._weights[word]:
                    del self._weights[word]
