"""A dictionary of words, their frequencies and classes: much smaller than Python's, and read sooner."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

V = TypeVar("V")

_MOST_KNOWN = 10_000
"""Words that were asked for are remembered."""
_AT_ONCE = 20_000
"""Lines whose frequencies are summed at a time."""


class WordTable:
    """What the lines of a dictionary say of words, parsed when a word is asked for; frequency 0: a
    beginning."""

    def __init__(self, dictionary: bytes) -> None:
        """From a file in UTF-8 with a word, its frequency and its class in each line; ValueError for another
        one."""
        self._lines = sorted(dictionary.splitlines())
        self.total = sum(_sum(self._lines[at : at + _AT_ONCE]) for at in range(0, len(self._lines), _AT_ONCE))
        self.frequencies = _Column(self._frequency)
        self.classes = _Column(self._class)

    def _frequency(self, word: str) -> int | None:
        if (columns := self._columns(word)) is not None:
            return int(columns[1])
        return 0 if self._first(word.encode("utf-8", "replace")) is not None else None

    def _class(self, word: str) -> str | None:
        columns = self._columns(word)
        return None if columns is None else columns[2].decode("utf-8")

    def _columns(self, word: str) -> list[bytes] | None:
        line = self._first(word.encode("utf-8", "replace") + b" ")  # a space stands before all letters
        return None if line is None else line.split()

    def _first(self, beginning: bytes) -> bytes | None:
        place = bisect_left(self._lines, beginning)
        there = place < len(self._lines) and self._lines[place].startswith(beginning)
        return self._lines[place] if there else None


class _Column(Generic[V]):
    """A column of a table, by word, with the methods of a dictionary that jieba calls."""

    def __init__(self, find: Callable[[str], V | None]) -> None:
        self._find = lru_cache(_MOST_KNOWN)(find)

    def get(self, word: str, default: V | None = None) -> V | None:
        found = self._find(word)
        return default if found is None else found

    def __getitem__(self, word: str) -> V:
        found = self._find(word)
        if found is None:
            raise KeyError(word)
        return found

    def __contains__(self, word: str) -> bool:
        return self._find(word) is not None


def _sum(lines: Sequence[bytes]) -> int:
    columns = b"\n".join(lines).split()
    if len(columns) != 3 * len(lines):
        raise ValueError("a line of the dictionary has not three columns")
    return sum(map(int, columns[1::3]))
