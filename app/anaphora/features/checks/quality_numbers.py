"""Checks if an English translation has the numbers of its Chinese source, and the reverse."""

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
"""From here on numbers may be rounded."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Certain numbers of a Chinese text, and English ones in figures, that the other text does not have."""

    chinese: tuple[Reading, ...]
    english: tuple[EnglishNumber, ...]


def compare_numbers(chinese: str, english: str) -> Comparison:
    """The numbers of each of two texts, in plain width, that the other one lacks."""
    readings, said = read_numbers(chinese), english_numbers(english)
    return Comparison(tuple(_not_said(readings, said)), tuple(_not_read(readings, said, chinese)))


def _not_said(readings: Iterable[Reading], said: Sequence[EnglishNumber]) -> list[Reading]:
    """Certain readings that a translation lacks in every form; each form is used only once."""
    unsaid = _Unsaid(said)
    certain = (reading for reading in readings if reading.is_certain)
    missing = [reading for reading in certain if not any(unsaid.take(way) for way in reading.ways)]
    if not missing:
        return []
    large = _large(unsaid.left())
    return [reading for reading in missing if not _is_rounded_in(reading, large)]


class _Unsaid:
    """The numbers of a translation that no reading has taken yet."""

    def __init__(self, said: Sequence[EnglishNumber]) -> None:
        self._said = said
        self._taken = [False] * len(said)
        self._places: dict[Item, deque[int]] = defaultdict(deque)
        for place, each in enumerate(said):
            for item in each.items:
                self._places[item].append(place)

    def take(self, way: Way) -> bool:
        """Take a number for each item of a way; False, and nothing taken, where one is not there."""
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
            for item in self._said[place].items:
                self._places[item].appendleft(place)
        return False

    def _first(self, item: Item) -> int | None:
        places = self._places.get(item)
        while places and self._taken[places[0]]:
            places.popleft()
        return places[0] if places else None

    def left(self) -> list[Decimal]:
        free = (each for each, taken in zip(self._said, self._taken, strict=True) if not taken)
        return [item for each in free for item in each.items if isinstance(item, Decimal)]


def _not_read(readings: Sequence[Reading], said: Sequence[EnglishNumber], source: str) -> list[EnglishNumber]:
    known = known_items(readings)
    large = _large(item for item in known if isinstance(item, Decimal))
    digits = set(re.findall(r"\d+", source))
    decided: dict[str, bool] = {}
    for each in said:
        if each.figures and each.text not in decided:
            decided[each.text] = (
                known.isdisjoint(each.items)
                and not set(re.findall(r"\d+", each.figures)) <= digits
                and not any(isinstance(item, Decimal) and is_rounded(item, large) for item in each.items)
            )
    return [each for each in said if each.figures and decided[each.text]]


def known_items(readings: Iterable[Reading]) -> set[Item]:
    """All that some readings may be called."""
    return {item for reading in readings for way in reading.ways for item in way}


def _is_rounded_in(reading: Reading, large: Sequence[Decimal]) -> bool:
    return all(isinstance(item, Decimal) and is_rounded(item, large) for item in reading.ways[0])


def _large(values: Iterable[Decimal]) -> Sequence[Decimal]:
    return sorted(value for value in values if value >= ROUNDED)


def is_rounded(value: Decimal, large: Sequence[Decimal]) -> bool:
    """True if one of some large numbers, in order, is the same except for rounding: then a neighbour is."""
    place = bisect_left(large, value)
    near = large[max(place - 1, 0) : place + 1] if value >= ROUNDED else ()
    return any(abs(value - other) <= max(value, other) / 50 for other in near)
