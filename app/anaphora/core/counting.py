"""Counting words the way translators are paid: Chinese by characters, other scripts by words."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_WORD = re.compile(r"[^\W_]+(?:[-'’.,:/@_]+[^\W_]+)*")
TAG = re.compile(r"\{/?[0-9]{1,9}/?\}")
"""A placeholder for inline formatting."""


@dataclass(frozen=True, slots=True)
class WordCount:
    """How much text there is.

    Attributes:
        characters: Chinese characters, punctuation left out.
        words: words and numbers of other scripts.
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
    """Count a text; inline tags `{1}` do not count."""
    plain = TAG.sub(" ", text)
    rest, characters = _HAN.subn(" ", plain)
    return WordCount(characters, len(_WORD.findall(rest)))
