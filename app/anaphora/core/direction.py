"""The direction of a text and the languages of a document, judged by their letters."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.languages import Language
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK

_RIGHT_TO_LEFT = frozenset(("R", "AL"))
ENOUGH = 0.6
"""Minimum share of the translated segments that decides the judgement of a document."""

JUDGED = 500
"""Maximum number of targets whose letters are checked."""


LOOKED_AT = 1_000
"""Number of characters searched for the first letter."""


def is_right_to_left(text: str, default: bool = False) -> bool:
    """True if a text runs from right to left, by its first letter (Unicode Standard Annex 9, P2 and P3)."""
    for character in MARK.sub("", text[:LOOKED_AT]):
        kind = unicodedata.bidirectional(character)
        if kind in _RIGHT_TO_LEFT:
            return True
        if kind == "L":
            return False
    return default


@dataclass(frozen=True, slots=True)
class Pair:
    """The direction of a document's languages, judged by its texts.

    Attributes:
        against: the texts go from the target language to the source language.
        foreign: no source has letters of the source language, and no segment is translated.
        elsewhere: most targets have the letters of a language other than the target language.
    """

    against: bool = False
    right_to_left: bool = False
    languages: LanguagePair = CHINESE_TO_ENGLISH
    foreign: bool = False
    elsewhere: bool = False

    @property
    def of_texts(self) -> LanguagePair:
        """The languages of the sources and targets."""
        languages = self.languages
        return LanguagePair(languages.target, languages.source) if self.against else languages


FORWARD = Pair()
"""The direction of the app's own model."""


def pair_of(segments: Iterable[Segment], languages: LanguagePair = CHINESE_TO_ENGLISH) -> Pair:
    """Judge a document by its segments; without targets, its languages decide."""
    counts: Counter[str] = Counter()
    for segment in segments:
        counts["own"] += languages.needs_translation(segment.source)
        counts["worded"] += any(map(str.isalpha, segment.source))
        if segment.target.strip() and segment.target != segment.source:
            counts["translated"] += 1
            counts["against"] += not languages.fits(segment.source, segment.target)
            counts["right"] += is_right_to_left(segment.target)
            if counts["translated"] <= JUDGED:
                counts["elsewhere"] += not _is_mostly_in(languages.target_language, segment.target)
    translated = counts["translated"]
    if not translated:
        foreign = not counts["own"] and counts["worded"] > 0
        return Pair(False, languages.target_language.is_right_to_left, languages, foreign)
    against = counts["against"] / translated >= ENOUGH
    elsewhere = not against and counts["elsewhere"] / min(translated, JUDGED) >= ENOUGH
    return Pair(against, counts["right"] / translated > 0.5, languages, elsewhere=elsewhere)


def _is_mostly_in(language: Language, text: str) -> bool:
    return 2 * len(language.letter().findall(text)) >= sum(map(str.isalpha, text))
