"""Counting words the way translators are paid: scripts without spaces by characters, others by words."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from anaphora.core.long_work import check_cancelled
from anaphora.core.tags import MARK

_UNSPACED = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}"
    r"\p{Script=Myanmar}&&\p{L}]\p{M}*",
    regex.V1,
)
"""One character of a script that is written without spaces between words, with its combining marks."""
_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[-'’.,:/@_]+[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*")


@dataclass(frozen=True, slots=True)
class WordCount:
    """Characters and words of a text.

    Attributes:
        characters: of scripts that are written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese),
            without punctuation and combining marks.
    """

    characters: int = 0
    words: int = 0

    def __add__(self, other: WordCount) -> WordCount:
        return WordCount(self.characters + other.characters, self.words + other.words)

    @property
    def total(self) -> int:
        """Characters and words together, as Word counts a Chinese text."""
        return self.characters + self.words


def count_words(text: str) -> WordCount:
    """Count a text; inline tags `{1}` do not count, and paired tags do not end a word."""
    check_cancelled()
    plain = MARK.sub(lambda match: " " if match.group().endswith("/}") else "", text)
    rest, characters = _UNSPACED.subn(" ", plain)
    return WordCount(characters, len(_WORD.findall(rest)))
