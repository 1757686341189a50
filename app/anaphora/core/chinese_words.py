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
