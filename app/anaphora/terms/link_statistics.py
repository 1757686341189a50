"""How much words go with a term: its links, expected over all segments of a project, in both directions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from anaphora.core.consistency import normal_form
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import MARK

_DRAFT = 0.5
"""What a segment counts for that nobody has confirmed."""
_ROUNDS = 2
"""Rounds of counting links; further ones only make a guess surer of itself."""
_DISCOUNT = 0.5
"""Taken off what is linked: once may be by chance."""
_UNSEEN = 0.05
"""What a word goes with a term that was never linked to it."""

word_form = lru_cache(maxsize=8_000)(normal_form)
"""`normal_form` of a word."""


@dataclass(frozen=True, slots=True)
class Linked:
    """An occurrence of a term, and how much each word of the segment's target hangs on it."""

    segment: str
    words: Sequence[str]
    mass: Sequence[float]


class LinkStatistics:
    """Words of the targets of a project, and links between them and a term.

    Links are expected as IBM model 1 expects them (Brown et al., 1993), but from the model's alignment head
    instead of from nothing: first a word is linked to a term as much as it hangs on it, then also in
    proportion to how much it goes with the term in all segments. Both directions have to agree: the share of
    the term's occurrences that a word renders, and the share of the word's occurrences that render the term,
    count by their harmonic mean.
    """

    def __init__(self, segments: Iterable[Segment] = ()) -> None:
        self._segments: dict[str, float] = {}
        self._words: dict[str, float] = defaultdict(float)
        for segment in segments:
            is_settled = segment.status in (Status.CONFIRMED, Status.LOCKED)
            self._segments[segment.id] = weight = 1.0 if is_settled else _DRAFT
            for word in map(word_form, MARK.sub(" ", segment.target).split()):
                self._words[word] += weight

    def association(self, occurrences: Sequence[Linked]) -> dict[str, float]:
        """How much words go with a term, by their forms, in [0, 1)."""
        shares: dict[str, float] = {}
        for _ in range(_ROUNDS):
            shares = self._counted(occurrences, shares)
        return shares

    def _counted(self, occurrences: Sequence[Linked], known: Mapping[str, float]) -> dict[str, float]:
        links: dict[str, float] = defaultdict(float)
        term = 0.0
        for each in occurrences:
            weight = self._segments.get(each.segment, 0.0)
            term += weight
            forms = [word_form(word) for word in each.words]
            mass = list(each.mass)
            if known:
                mass = [
                    value * (known.get(form, 0.0) + _UNSEEN) for value, form in zip(mass, forms, strict=True)
                ]
                total = sum(mass) or 1.0
                mass = [value / total for value in mass]
            for form, value in zip(forms, mass, strict=True):
                links[form] += weight * value
        return {
            form: 2 * (value - _DISCOUNT) / (term + max(self._words.get(form, 0.0), value))
            for form, value in links.items()
            if value > _DISCOUNT and form
        }
