"""How much of a subtitle can be read, by its language: the limits of Netflix's guides for adults."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import regex

from anaphora.core.languages import Language


@dataclass(frozen=True, slots=True)
class SubtitleLimits:
    """What a viewer can read.

    Attributes:
        speed: characters a second.
        line: characters of a line.
        counts_wide: narrow characters, such as Latin letters, count half.
    """

    speed: int
    line: int
    counts_wide: bool = False

    def length(self, text: str) -> float:
        """The characters of a text."""
        if not self.counts_wide:
            return len(text)
        return sum(1.0 if unicodedata.east_asian_width(char) in "WF" else 0.5 for char in text)


_OTHERS = SubtitleLimits(17, 42)
_LIMITS = {
    "en": SubtitleLimits(20, 42),
    "zh": SubtitleLimits(9, 16, counts_wide=True),
    "ja": SubtitleLimits(4, 13, counts_wide=True),
    "ko": SubtitleLimits(12, 16, counts_wide=True),
}
_BY_LETTERS = (
    (regex.compile(r"[\p{Script=Hiragana}\p{Script=Katakana}]"), "ja"),
    (regex.compile(r"\p{Script=Hangul}"), "ko"),
    (regex.compile(r"\p{Script=Han}"), "zh"),
)


def limits_of(language: Language) -> SubtitleLimits:
    """The limits of a language."""
    return _LIMITS.get(language.code, _OTHERS)


def limits_by_letters(text: str) -> SubtitleLimits:
    """The limits of a text in a language that nobody says, by its letters; of others those of English."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    if 2 * wide > len(text):
        return next((_LIMITS[code] for letters, code in _BY_LETTERS if letters.search(text)), _LIMITS["en"])
    return _LIMITS["en"]
