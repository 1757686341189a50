"""A draft, and the cache of a document's drafts that ignore confirmed text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Draft:
    """A target text.

    Attributes:
        score: see `Suggestion.score`.
        alternatives: the next best drafts, if several were requested.
        others: the texts of all other finished hypotheses of the search, without tags.
        probability: geometric mean of the pieces' probabilities in the search.
    """

    text: str
    score: float
    alternatives: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    probability: float = 1.0


class PlainDrafts:
    """One cached draft for each segment; a draft is made again when its inputs change."""

    def __init__(self) -> None:
        self._drafts: dict[int, tuple[object, Draft]] = {}

    def get(self, index: int, inputs: object, make: Callable[[], Draft]) -> Draft:
        known = self._drafts.get(index)
        if known is None or known[0] != inputs:
            known = self._drafts[index] = inputs, make()
        return known[1]

    def text(self, index: int) -> str:
        """The last draft of a segment, or ""."""
        known = self._drafts.get(index)
        return "" if known is None else known[1].text

    def fork(self) -> PlainDrafts:
        other = PlainDrafts()
        other._drafts = dict(self._drafts)
        return other
