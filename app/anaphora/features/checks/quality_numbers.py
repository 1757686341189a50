"""Compares the numbers of a Chinese and an English text, one of which translates the other."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from anaphora_text.numbers.english import EnglishNumber, english_numbers
from anaphora_text.numbers.readings import Item, Reading, Way
from anaphora_text.numbers.source_numbers import read_numbers

ROUNDED = 10_000
"""Numbers from this one on may be rounded in a translation."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Chinese numbers that the English text lacks, and English numbers in digits not in the Chinese text."""

    chinese: tuple[Reading, ...]
    english: tuple[EnglishNumber, ...]


def compare_numbers(chinese: str, english: str) -> Comparison:
    """Compare two texts in half-width form."""
    readings, numbers = read_numbers(chinese), english_numbers(english)
    return Comparison(tuple(_lost(readings, numbers)), tuple(_added(readings, numbers, chinese)))


def _lost(readings: Iterable[Reading], numbers: Sequence[EnglishNumber]) -> list[Reading]:
    """Unambiguous numbers that the English text lacks in all their forms; each English number counts once."""
    unmatched = _Unmatched(numbers)
    certain = (reading for reading in readings if reading.is_certain)
    missing = [reading for reading in certain if not any(unmatched.take(way) for way in reading.ways)]
    if not missing:
        return []
    large = _large(unmatched.left())
    return [reading for reading in missing if not _is_rounded_in(reading, large)]


class _Unmatched:
    """English numbers without a matching Chinese one so far."""

    def __init__(self, numbers: Sequence[EnglishNumber]) -> None:
        self._numbers = numbers
        self._taken = [False] * len(numbers)
        self._places: dict[Item, deque[int]] = defaultdict(deque)
        for place, each in enumerate(numbers):
            for item in each.items:
                self._places[item].append(place)

    def take(self, way: Way) -> bool:
        """Mark a number as matched for each item of `way`; if one is missing, mark none and return False."""
        places: list[int] = []
        for item in way:
            place = self._first(item)
            if place is None:
                break
            self._taken[place] = True
            places.append(place)
        if len(places) == len(way) and way:
            return True
        for place in places:
            self._taken[place] = False
            for item in self._numbers[place].items:
                self._places[item].appendleft(place)
        return False

    def _first(self, item: Item) -> int | None:
        places = self._places.get(item)
        while places and self._taken[places[0]]:
            places.popleft()
        return places[0] if places else None

    def left(self) -> list[Decimal]:
        free = (each for each, taken in zip(self._numbers, self._taken, strict=True) if not taken)
        return [item for each in free for item in each.items if isinstance(item, Decimal)]


def _added(
    readings: Sequence[Reading], numbers: Sequence[EnglishNumber], chinese: str
) -> list[EnglishNumber]:
    known = known_items(readings)
    large = _large(item for item in known if isinstance(item, Decimal))
    digits = set(re.findall(r"\d+", chinese))
    decided: dict[str, bool] = {}
    for each in numbers:
        if each.figures and each.text not in decided:
            decided[each.text] = (
                known.isdisjoint(each.items)
                and not set(re.findall(r"\d+", each.figures)) <= digits
                and not any(isinstance(item, Decimal) and is_rounded(item, large) for item in each.items)
            )
    return [each for each in numbers if each.figures and decided[each.text]]


def known_items(readings: Iterable[Reading]) -> set[Item]:
    """All items in any form of the numbers."""
    return {item for reading in readings for way in reading.ways for item in way}


def _is_rounded_in(reading: Reading, large: Sequence[Decimal]) -> bool:
    return all(isinstance(item, Decimal) and is_rounded(item, large) for item in reading.ways[0])


def _large(values: Iterable[Decimal]) -> Sequence[Decimal]:
    return sorted(value for value in values if value >= ROUNDED)


def is_rounded(value: Decimal, large: Sequence[Decimal]) -> bool:
    """True if `value` is within 2 % of one of the sorted `large` numbers."""
    place = bisect_left(large, value)
    near = large[max(place - 1, 0) : place + 1] if value >= ROUNDED else ()
    return any(abs(value - other) <= max(value, other) / 50 for other in near)
