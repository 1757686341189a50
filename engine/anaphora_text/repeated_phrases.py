"""Phrases repeated in a row: "of the Agreement of the Agreement"."""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LINKING_WORDS = frozenset(("and", "or", "by", "after", "to", "as"))
_MAX_WORDS = 8


def repeated_phrases(text: str) -> Iterator[tuple[int, int, int]]:
    """For each repeated phrase of several words, yield its start, the repetition's start, and its end."""
    words = list(_WORD.finditer(text))
    folded = [word.group().casefold() for word in words]
    for size in _periods(folded):
        first = 0
        while first + 2 * size <= len(folded):
            second, end = first + size, first + 2 * size
            is_phrase = folded[first:second] == folded[second:end] and not _may_repeat(folded[first:second])
            if is_phrase and not _WORD.sub("", text[words[first].start() : words[end - 1].end()]).strip():
                yield words[first].start(), words[second].start(), words[end - 1].end()
                first = end
            first += 1


def _may_repeat(phrase: list[str]) -> bool:
    return len({*phrase}) == 1 or (len(phrase) == 2 and not _LINKING_WORDS.isdisjoint(phrase))


def _periods(words: list[str]) -> list[int]:
    last: dict[str, int] = {}
    distances = set()
    for index, word in enumerate(words):
        distances.add(index - last.get(word, index - 1))
        last[word] = index
    return sorted(size for size in distances if 2 <= size <= _MAX_WORDS)
