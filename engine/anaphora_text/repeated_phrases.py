"""Phrases repeated in a row: "of the Agreement of the Agreement"."""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_JOINING = frozenset(("and", "or", "by", "after", "to", "as"))
_LONGEST = 8
"""Words of a phrase."""


def repeated_phrases(text: str) -> Iterator[tuple[int, int, int]]:
    """Repeated phrases of two words and more: their start, the second one's start and its end."""
    words = list(_WORD.finditer(text))
    said = [word.group().casefold() for word in words]
    for size in _periods(said):
        first = 0
        while first + 2 * size <= len(said):
            second, end = first + size, first + 2 * size
            is_phrase = said[first:second] == said[second:end] and not _may_repeat(said[first:second])
            if is_phrase and not _WORD.sub("", text[words[first].start() : words[end - 1].end()]).strip():
                yield words[first].start(), words[second].start(), words[end - 1].end()
                first = end
            first += 1


def _may_repeat(phrase: list[str]) -> bool:
    """One word twice, and "on and" of "on and on and on"."""
    return len({*phrase}) == 1 or (len(phrase) == 2 and not _JOINING.isdisjoint(phrase))


def _periods(said: list[str]) -> list[int]:
    """After how many words the same word comes again, as far as that may be a phrase."""
    last: dict[str, int] = {}
    found = set()
    for place, word in enumerate(said):
        found.add(place - last.get(word, place - 1))
        last[word] = place
    return sorted(size for size in found if 2 <= size <= _LONGEST)
