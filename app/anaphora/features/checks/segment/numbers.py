"""Numbers that the translation lacks, or that only the translation has."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

from anaphora.core.language_pair import LanguagePair
from anaphora.core.text import without_kept_addresses
from anaphora.features.checks.quality_numbers import compare_numbers
from anaphora.features.checks.remarks import RemarkKind
from anaphora.features.checks.segment.check import Check, Finding, bare, translate
from anaphora.features.checks.segment.verbatim import KEYS

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
"""Maximum number of remarks that name a number each; more numbers are only counted."""


def find(source: str, target: str, pair: LanguagePair) -> Iterator[Finding]:
    """Numbers in addresses and keys do not count."""
    given, translated = (KEYS.sub(" ", bare(text)) for text in without_kept_addresses(source, target))
    missing, added = differing_numbers(given, translated, pair)
    for numbers, one, many in ((missing, MISSING, MANY_MISSING), (added, ADDED, MANY_ADDED)):
        if len(numbers) > MAX_NAMED:
            yield many, str(len(numbers))
        else:
            yield from ((one, number) for number in numbers)


_GROUP = r"[.,\u066b\u066c'’\u00a0\u202f]"
_DIGITS = re.compile(rf"\d+(?:{_GROUP}\d+)*")
_ONE_DIGIT = frozenset(map(Decimal, range(10)))
_MAX_SMALL = 12
"""Numbers up to this one are often written as words."""


def differing_numbers(source: str, target: str, pair: LanguagePair) -> tuple[list[str], list[str]]:
    """Numbers missing in the translation, and numbers in digits that the source does not have."""
    sides = pair.source_language.code, pair.target_language.code
    if sides == ("zh", "en"):
        compared = compare_numbers(source, target)
        return [reading.text for reading in compared.chinese], [each.figures for each in compared.english]
    if sides == ("en", "zh"):
        return _between_english_and_chinese(source, target)
    return _unmatched(source, target), _unmatched(target, source)


def _between_english_and_chinese(source: str, target: str) -> tuple[list[str], list[str]]:
    """Only numbers of several digits; others may be written in words."""
    compared = compare_numbers(target, source)
    missing = [each.figures for each in compared.english if _ONE_DIGIT.isdisjoint(each.items)]
    figures = set(re.findall(r"\d+", source))
    added = [reading.text for reading in compared.chinese if reading.text[0].isdigit()]
    return missing, [text for text in added if not set(re.findall(r"\d+", text)) <= figures]


def _unmatched(text: str, other: str) -> list[str]:
    """Numbers of a text that `other` does not contain, neither whole nor in parts as in a date."""
    left = Counter(value for value, _ in _numbers(other))
    parts = {part for _, shown in _numbers(other) for part in _parts(shown)}
    found = []
    for value, shown in _numbers(text):
        if left[value]:
            left[value] -= 1
        elif not _is_small(value) and not set(_parts(shown)) <= parts:
            found.append(shown)
    return found


def _numbers(text: str) -> Iterator[tuple[str, str]]:
    """Tuples (digits without separators, text) of all numbers."""
    for match in _DIGITS.finditer(text):
        yield "".join(_parts(match.group())), match.group()


def _is_small(digits: str) -> bool:
    significant = digits.lstrip("0")
    # `int` refuses numbers of thousands of digits.
    return len(significant) <= len(str(_MAX_SMALL)) and int(significant or 0) <= _MAX_SMALL


def _parts(shown: str) -> list[str]:
    return ["".join(str(unicodedata.digit(digit)) for digit in part) for part in re.findall(r"\d+", shown)]
