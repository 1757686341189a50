"""Words of Chinese texts and their classes, by jieba."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Any


def cut(text: str, guess: bool = True) -> list[str]:
    """A text's words, with what stands between them. Slow at first, for it loads a dictionary.

    Args:
        guess: also join characters that look like a word which the dictionary lacks.
    """
    return _jieba().lcut(text, HMM=guess)  # type: ignore[no-any-return]


def word_class(word: str) -> str:
    """Its class in the dictionary ("n", "v", "a", …, more closely "nz"); "" for a word that it lacks."""
    return _classes().get(word, "")


def frequency(word: str) -> int:
    """How often a word occurs in the text that jieba's dictionary was counted in; 0 for one it lacks."""
    return _counts().get(word, 0)


def parts(word: str) -> tuple[str, ...]:
    """The words that a compound is most likely made of, or none.

    They are two of two characters or more, as in 失业·问题, or one beside a single character: 脚步·声.
    """
    cuts = ((word[:place], word[place:]) for place in range(2, len(word) - 1))
    known = [cut for cut in cuts if all(map(frequency, cut))]
    if known:
        return max(known, key=lambda cut: frequency(cut[0]) * frequency(cut[1]))
    rest = [part for part in (word[:-1], word[1:]) if len(part) > 1 and frequency(part)]
    return (max(rest, key=frequency),) if rest else ()


@lru_cache(maxsize=1)
def _jieba() -> Any:
    """Loaded when first needed, and silently."""
    import jieba

    jieba.setLogLevel(logging.WARNING)
    return jieba


@lru_cache(maxsize=1)
def _classes() -> dict[str, str]:
    _jieba()
    import jieba.posseg

    return jieba.posseg.dt.word_tag_tab  # type: ignore[no-any-return]


@lru_cache(maxsize=1)
def _counts() -> dict[str, int]:
    """Of words, and 0 for what they begin with."""
    dictionary = _jieba().dt
    dictionary.check_initialized()
    return dictionary.FREQ  # type: ignore[no-any-return]
