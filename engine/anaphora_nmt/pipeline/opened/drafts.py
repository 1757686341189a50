"""Drafts, and those of a document that are made as if nothing were confirmed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Draft:
    """A target text.

    Attributes:
        score: what ranked it.
        alternatives, others: the other n-best; and all that the search finished, without tags.
        probability: of its pieces, as the search had them, the geometric mean.
    """

    text: str
    score: float
    alternatives: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    probability: float = 1.0


class PlainDrafts:
    """One draft a segment, with what it was made from."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[object, Draft]] = {}

    def get(self, segment: int, made_from: object, make: Callable[[], Draft]) -> Draft:
        known = self._kept.get(segment)
        if known is None or known[0] != made_from:
            known = self._kept[segment] = made_from, make()
        return known[1]

    def text(self, segment: int) -> str:
        """The draft of a segment that was made last; "" for none."""
        known = self._kept.get(segment)
        return "" if known is None else known[1].text

    def fork(self) -> PlainDrafts:
        other = PlainDrafts()
        other._kept = dict(self._kept)
        return other
