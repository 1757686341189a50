"""Numbers that the translation lacks, or that only the translation has."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from anaphora.core.language_pair import LanguagePair
from anaphora.core.text import without_kept_addresses
from anaphora.features.checks.segment.check import Check, Finding, RemarkKind, translate, without_unit_powers
from anaphora.features.checks.segment.verbatim import KEYS
from anaphora_text.numbers.english import EnglishNumber, english_numbers
from anaphora_text.numbers.readings import Item, Reading, Way
from anaphora_text.numbers.source_numbers import read_numbers

MIN_ROUNDED = 10_000
"""Smallest number that a translation may round."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Unambiguous numbers that the English text lacks, and numbers in digits that the Chinese text lacks."""

    chinese: tuple[Reading, ...]
    english: tuple[EnglishNumber, ...]


def compare_numbers(chinese: str, english: str) -> Comparison:
    """Compare the numbers of a Chinese and an English text, both in half width; either may be the source."""
    readings, numbers = read_numbers(chinese), english_numbers(english)
    return Comparison(tuple(_lost(readings, numbers)), tuple(_added(readings, numbers, chinese)))


def _lost(readings: Iterable[Reading], numbers: Sequence[EnglishNumber]) -> list[Reading]:
    """Unambiguous numbers that no English number matches or rounds; each English number matches only one."""
    unmatched = _UnmatchedNumbers(numbers)
    certain = (reading for reading in readings if reading.is_certain)
    missing = [reading for reading in certain if not any(unmatched.match(way) for way in reading.ways)]
    if not missing:
        return []
    large = _large(unmatched.unmatched_values())
    return [reading for reading in missing if not _is_rounded_in(reading, large)]


class _UnmatchedNumbers:
    def __init__(self, numbers: Sequence[EnglishNumber]) -> None:
        self._numbers = numbers
        self._matched = [False] * len(numbers)
        self._indexes: dict[Item, deque[int]] = defaultdict(deque)
        for index, each in enumerate(numbers):
            for item in each.items:
                self._indexes[item].append(index)

    def match(self, way: Way) -> bool:
        """Match all items of a possible translation; if one is missing, match none and return False."""
        indexes: list[int] = []
        for item in way:
            index = self._first_index(item)
            if index is None:
                break
            self._matched[index] = True
            indexes.append(index)
        if len(indexes) == len(way) and way:
            return True
        for index in indexes:
            self._matched[index] = False
            for item in self._numbers[index].items:
                self._indexes[item].appendleft(index)
        return False

    def _first_index(self, item: Item) -> int | None:
        indexes = self._indexes.get(item)
        while indexes and self._matched[indexes[0]]:
            indexes.popleft()
        return indexes[0] if indexes else None

    def unmatched_values(self) -> list[Decimal]:
        unmatched = (each for each, matched in zip(self._numbers, self._matched, strict=True) if not matched)
        return [item for each in unmatched for item in each.items if isinstance(item, Decimal)]


def _added(
    readings: Sequence[Reading], numbers: Sequence[EnglishNumber], chinese: str
) -> list[EnglishNumber]:
    known = known_items(readings)
    large = _large(item for item in known if isinstance(item, Decimal))
    digits = set(re.findall(r"\d+", chinese))
    is_added: dict[str, bool] = {}
    for each in numbers:
        if each.figures and each.text not in is_added:
            is_added[each.text] = (
                known.isdisjoint(each.items)
                and not set(re.findall(r"\d+", each.figures)) <= digits
                and not any(isinstance(item, Decimal) and is_rounded(item, large) for item in each.items)
            )
    return [each for each in numbers if each.figures and is_added[each.text]]


def known_items(readings: Iterable[Reading]) -> set[Item]:
    return {item for reading in readings for way in reading.ways for item in way}


def _is_rounded_in(reading: Reading, large: Sequence[Decimal]) -> bool:
    return all(isinstance(item, Decimal) and is_rounded(item, large) for item in reading.ways[0])


def _large(values: Iterable[Decimal]) -> Sequence[Decimal]:
    return sorted(value for value in values if value >= MIN_ROUNDED)


def is_rounded(value: Decimal, large: Sequence[Decimal]) -> bool:
    """True if `value` is at least `MIN_ROUNDED` and within 2 % of one of the sorted `large` numbers."""
    index = bisect_left(large, value)
    near = large[max(index - 1, 0) : index + 1] if value >= MIN_ROUNDED else ()
    return any(abs(value - other) <= max(value, other) / 50 for other in near)


MISSING = Check("number-missing", translate("Quality", "The number {0} is missing."), RemarkKind.NUMBERS)
ADDED = Check(
    "number-added", translate("Quality", "The number {0} is not in the source."), RemarkKind.NUMBERS
)
MANY_MISSING = Check("number-missing", translate("Quality", "{0} numbers are missing."), RemarkKind.NUMBERS)
MANY_ADDED = Check(
    "number-added", translate("Quality", "{0} numbers are not in the source."), RemarkKind.NUMBERS
)
CHECKS = (MISSING, ADDED, MANY_MISSING, MANY_ADDED)
MAX_NAMED = 5
"""Up to this many missing (or added) numbers get a remark each; more get one remark with their count."""


def find(source: str, target: str, pair: LanguagePair) -> Iterator[Finding]:
    """Missing and added numbers, except those in keys, in powers of units, and in addresses that are kept."""
    texts = without_kept_addresses(source, target)
    original, translated = (KEYS.sub(" ", without_unit_powers(text)) for text in texts)
    missing, added = differing_numbers(original, translated, pair)
    for numbers, single, several in ((missing, MISSING, MANY_MISSING), (added, ADDED, MANY_ADDED)):
        if len(numbers) > MAX_NAMED:
            yield several, str(len(numbers))
        else:
            yield from ((single, number) for number in numbers)


_SEPARATOR = r"[.,\u066b\u066c'’\u00a0\u202f]"
_DIGITS = re.compile(rf"\d+(?:{_SEPARATOR}\d+)*")
_ONE_DIGIT = frozenset(map(Decimal, range(10)))
_MAX_SMALL = 12
"""Numbers up to this one are often written as words."""


def differing_numbers(source: str, target: str, pair: LanguagePair) -> tuple[list[str], list[str]]:
    """Numbers missing from the translation, and numbers in digits that the source does not have."""
    codes = pair.source_language.code, pair.target_language.code
    if codes == ("zh", "en"):
        compared = compare_numbers(source, target)
        return [reading.text for reading in compared.chinese], [each.figures for each in compared.english]
    if codes == ("en", "zh"):
        return _compare_english_to_chinese(source, target)
    return _unmatched(source, target), _unmatched(target, source)


def _compare_english_to_chinese(source: str, target: str) -> tuple[list[str], list[str]]:
    """English numbers except 0 to 9 that a Chinese target lacks, and numbers in digits that it adds."""
    compared = compare_numbers(target, source)
    missing = [each.figures for each in compared.english if _ONE_DIGIT.isdisjoint(each.items)]
    digits = set(re.findall(r"\d+", source))
    added = [reading.text for reading in compared.chinese if reading.text[0].isdigit()]
    return missing, [text for text in added if not set(re.findall(r"\d+", text)) <= digits]


def _unmatched(text: str, other: str) -> list[str]:
    """Numbers in `text` above `_MAX_SMALL` that `other` has neither whole nor as separate digit groups."""
    unmatched = Counter(value for value, _ in _numbers(other))
    parts = {part for _, number in _numbers(other) for part in _digit_groups(number)}
    found = []
    for value, number in _numbers(text):
        if unmatched[value]:
            unmatched[value] -= 1
        elif not _is_small(value) and not set(_digit_groups(number)) <= parts:
            found.append(number)
    return found


def _numbers(text: str) -> Iterator[tuple[str, str]]:
    """Tuples (ASCII digits without separators, number as written) of all numbers."""
    for match in _DIGITS.finditer(text):
        yield "".join(_digit_groups(match.group())), match.group()


def _is_small(digits: str) -> bool:
    significant = digits.lstrip("0")
    # `int` refuses numbers of thousands of digits.
    return len(significant) <= len(str(_MAX_SMALL)) and int(significant or 0) <= _MAX_SMALL


def _digit_groups(number: str) -> list[str]:
    return ["".join(str(unicodedata.digit(digit)) for digit in part) for part in re.findall(r"\d+", number)]
