"""Chinese words, their classes and their frequencies, from jieba, whose dictionary is loaded once.

A sorted table of lines replaces jieba's Python dictionary, because the table is smaller and loads faster.
"""

from __future__ import annotations

import io
import logging
import threading
import warnings
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, wraps
from itertools import pairwise
from typing import Any, Generic, TypeVar

from anaphora_text.freed_memory import release_memory
from anaphora_text.han import is_han

V = TypeVar("V")

_MAX_CACHED = 10_000
_CHUNK = 20_000


class WordTable:
    """Entries of a dictionary, each parsed when it is first used.

    As jieba requires, a text that is only the beginning of a word has the frequency 0.
    """

    def __init__(self, dictionary: bytes) -> None:
        """Raises ValueError unless each line of the UTF-8 file has a word, a frequency and a class."""
        self._lines = sorted(dictionary.splitlines())
        self.total = sum(_sum(self._lines[n : n + _CHUNK]) for n in range(0, len(self._lines), _CHUNK))
        self.frequencies = _Column(self._frequency)
        self.classes = _Column(self._class)

    def _frequency(self, word: str) -> int | None:
        if (columns := self._columns(word)) is not None:
            return int(columns[1])
        return 0 if self._first_line(word.encode("utf-8", "replace")) is not None else None

    def _class(self, word: str) -> str | None:
        columns = self._columns(word)
        return None if columns is None else columns[2].decode("utf-8")

    def _columns(self, word: str) -> list[bytes] | None:
        line = self._first_line(word.encode("utf-8", "replace") + b" ")  # a space sorts before all letters
        return None if line is None else line.split()

    def _first_line(self, prefix: bytes) -> bytes | None:
        index = bisect_left(self._lines, prefix)
        is_found = index < len(self._lines) and self._lines[index].startswith(prefix)
        return self._lines[index] if is_found else None


class _Column(Generic[V]):
    def __init__(self, find: Callable[[str], V | None]) -> None:
        self._find = lru_cache(_MAX_CACHED)(find)

    def get(self, word: str, default: V | None = None) -> V | None:
        value = self._find(word)
        return default if value is None else value

    def __getitem__(self, word: str) -> V:
        value = self._find(word)
        if value is None:
            raise KeyError(word)
        return value

    def __contains__(self, word: str) -> bool:
        return self._find(word) is not None


def _sum(lines: Sequence[bytes]) -> int:
    columns = b"\n".join(lines).split()
    if len(columns) != 3 * len(lines):
        raise ValueError("a line of the dictionary does not have three columns")
    return sum(map(int, columns[1::3]))


Loaded = TypeVar("Loaded")
_MAX_TAGGED = 10_000
"""Maximum length in characters of a text to tag; tagging usually takes 0.1 ms per character."""
_MAX_UNKNOWN_PAIRS = 50
"""Maximum number of adjacent pairs of characters that the tagger does not know; each pair takes 6 ms."""


def _once(load: Callable[[], Loaded]) -> Callable[[], Loaded]:
    """Make a function load something only once, even if several threads call it."""
    lock, cached = threading.RLock(), cache(load)

    @wraps(load)
    def get() -> Loaded:
        with lock:
            return cached()

    return get


def cut(text: str, guess: bool = True) -> list[str]:
    """A text's words and marks; with `guess`, also words not in the dictionary. The first call is slow."""
    return segmenter().lcut(text, HMM=guess)  # type: ignore[no-any-return]


@lru_cache(maxsize=8_000)
def tagged(text: str) -> tuple[tuple[str, str], ...]:
    """(word, class) of each word; empty if the text exceeds `_MAX_TAGGED` or `_MAX_UNKNOWN_PAIRS`."""
    known = _tagged_characters()
    unknown = [is_han(character) and character not in known for character in text]
    if len(text) > _MAX_TAGGED or sum(map(all, pairwise(unknown))) > _MAX_UNKNOWN_PAIRS:
        return ()
    return tuple((each.word, each.flag) for each in tagger().cut(text))


def word_class(word: str) -> str:
    """A word's class in jieba's dictionary ("n", "v", "a", … or a subclass such as "nz"); "" if unknown."""
    return _table().classes.get(word) or ""


def frequency(word: str) -> int:
    """A word's number of occurrences in the text from which jieba's dictionary was made; 0 if unknown."""
    return _table().frequencies.get(word) or 0


def general_share(word: str) -> float:
    return frequency(word) / _table().total


def parts(word: str) -> tuple[str, ...]:
    """The likely words in a compound: two (失业·问题), one next to a single character (脚步·声), or none."""
    cuts = ((word[:place], word[place:]) for place in range(2, len(word) - 1))
    known = [cut for cut in cuts if all(map(frequency, cut))]
    if known:
        return max(known, key=lambda cut: frequency(cut[0]) * frequency(cut[1]))
    longer = [part for part in (word[:-1], word[1:]) if len(part) > 1 and frequency(part)]
    return (max(longer, key=frequency),) if longer else ()


@_once
def _table() -> WordTable:
    with _jieba().dt.get_dict_file() as file:
        table = WordTable(file.read())
    release_memory()
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
    tokenizer = _jieba().dt
    tokenizer.FREQ, tokenizer.total = _table().frequencies, _table().total
    tokenizer.initialized = True
    return tokenizer


@_once
def tagger() -> Any:
    tokenizer = segmenter()
    # On import, jieba's module would read the dictionary into a second table.
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
