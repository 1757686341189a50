"""Words of Chinese texts, their classes and frequencies, by jieba; its dictionary is loaded once for all."""

from __future__ import annotations

import io
import logging
import threading
import warnings
from collections.abc import Callable
from functools import cache, wraps
from itertools import pairwise
from typing import Any, TypeVar

from anaphora_text.freed_memory import give_back
from anaphora_text.han import is_han
from anaphora_text.word_table import WordTable

Loaded = TypeVar("Loaded")
_MOST_UNKNOWN = 50
"""Pairs of characters side by side that the tagger has never seen: each takes it 6 ms, others 0.03."""


def _once(load: Callable[[], Loaded]) -> Callable[[], Loaded]:
    """Load what a function loads once, whichever threads ask for it first."""
    lock, cached = threading.RLock(), cache(load)

    @wraps(load)
    def get() -> Loaded:
        with lock:
            return cached()

    return get


def cut(text: str, guess: bool = True) -> list[str]:
    """A text's words, and what stands between them; `guess`: also words that the dictionary lacks. Slow at
    first."""
    return segmenter().lcut(text, HMM=guess)  # type: ignore[no-any-return]


def tagged(text: str) -> list[Any]:
    """A text's words (`word`) with the classes that a tagger guesses (`flag`); none where it would take
    minutes."""
    words, seen = tagger(), _tagged_characters()
    unknown = [is_han(character) and character not in seen for character in text]
    return [] if sum(map(all, pairwise(unknown))) > _MOST_UNKNOWN else words.lcut(text)


def word_class(word: str) -> str:
    """Its class in the dictionary ("n", "v", "a", …, more closely "nz"); "" for a word that it lacks."""
    return _table().classes.get(word) or ""


def frequency(word: str) -> int:
    """How often a word occurs in the text that jieba's dictionary was counted in; 0 for one it lacks."""
    return _table().frequencies.get(word) or 0


def general_share(word: str) -> float:
    """The share of all words that a word has in that text."""
    return frequency(word) / _table().total


def parts(word: str) -> tuple[str, ...]:
    """The words that a compound is most likely made of, two (失业·问题) or one beside a single character
    (脚步·声)."""
    cuts = ((word[:place], word[place:]) for place in range(2, len(word) - 1))
    known = [cut for cut in cuts if all(map(frequency, cut))]
    if known:
        return max(known, key=lambda cut: frequency(cut[0]) * frequency(cut[1]))
    rest = [part for part in (word[:-1], word[1:]) if len(part) > 1 and frequency(part)]
    return (max(rest, key=frequency),) if rest else ()


@_once
def _table() -> WordTable:
    with _jieba().dt.get_dict_file() as file:
        table = WordTable(file.read())
    give_back()
    return table


@_once
def _jieba() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jieba
    jieba.setLogLevel(logging.WARNING)
    return jieba


@_once
def segmenter() -> Any:
    """jieba's, read on first use; without the cache file that jieba would leave in the temporary folder."""
    tokenizer = _jieba().dt
    tokenizer.FREQ, tokenizer.total = _table().frequencies, _table().total
    tokenizer.initialized = True
    return tokenizer


@_once
def tagger() -> Any:
    tokenizer = segmenter()
    # Its module reads the dictionary when it is imported, into a second table like the first.
    tokenizer.get_dict_file = io.BytesIO
    try:
        from jieba import posseg
    finally:
        del tokenizer.get_dict_file
    posseg.dt.word_tag_tab = _table().classes
    return posseg.dt


@_once
def _tagged_characters() -> Any:
    tagger()
    from jieba import posseg

    return posseg.char_state_tab_P
