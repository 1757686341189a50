"""Which way a text runs, and which languages a document goes between, by what stands in it."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.core.text import has_han

_RIGHT_TO_LEFT = frozenset(("R", "AL"))
ENOUGH = 0.6
"""The share of the pairs that has to go into Chinese before a document counts as one that does."""


def is_right_to_left(text: str, otherwise: bool = False) -> bool:
    """Whether a text runs from right to left, by its first letter (Unicode Standard Annex 9, P2 and P3).

    Args:
        otherwise: what a text without letters does.
    """
    for character in MARK.sub("", text):
        kind = unicodedata.bidirectional(character)
        if kind in _RIGHT_TO_LEFT:
            return True
        if kind == "L":
            return False
    return otherwise


@dataclass(frozen=True, slots=True)
class Pair:
    """What a document goes from and to, as far as its texts tell.

    Attributes:
        into_chinese: the targets are Chinese and the sources are not: the other way than the model's.
        right_to_left: the targets run from right to left.
    """

    into_chinese: bool = False
    right_to_left: bool = False


CHINESE_TO_ENGLISH = Pair()


def pair_of(segments: Iterable[Segment]) -> Pair:
    """Judge a document by its segments; one without targets goes from Chinese to English."""
    counts: Counter[str] = Counter()
    for segment in segments:
        if segment.target.strip():
            counts["translated"] += 1
            counts["into"] += has_han(segment.target) and not has_han(segment.source)
            counts["right"] += is_right_to_left(segment.target)
    translated = max(counts["translated"], 1)
    return Pair(counts["into"] / translated >= ENOUGH, counts["right"] / translated > 0.5)
