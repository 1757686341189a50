"""Whether a translation has the numbers of its source, by its languages.

Chinese into English is `quality_numbers`; of English into Chinese the same readings are compared the other
way round. Of other languages only digits are known: a small number may be a word, and separators differ.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

from anaphora.core.language_pair import LanguagePair
from anaphora.services import quality_numbers
from anaphora.services.quality_numbers import is_rounded, source_numbers, target_numbers

_GROUP = r"[.,\u066b\u066c'’\u00a0\u202f]"
_DIGITS = re.compile(rf"\d+(?:{_GROUP}\d+)*")
_PLAIN = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?![\d])")
_YEARS = 10_000
"""A larger number is no year; of one with more than 28 digits decimal arithmetic gives no remainder."""
_SMALL = 12
"""Up to here a number is as often a word."""
_MONTH_NAMES = "january february march april may june july august september october november december"
_MONTHS = {name[:3]: number for number, name in enumerate(_MONTH_NAMES.split(), 1)}
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})[a-z]*\b", re.IGNORECASE)


def missing_numbers(source: str, target: str, pair: LanguagePair) -> list[str]:
    """Numbers of a source that its translation lacks, as they stand there."""
    sides = pair.source_language.code, pair.target_language.code
    if sides == ("zh", "en"):
        return quality_numbers.missing_numbers(source, target)
    if sides == ("en", "zh"):
        return _missing_in_chinese(source, target)
    return _unmatched(source, target)


def added_numbers(source: str, target: str, pair: LanguagePair) -> list[str]:
    """Numbers in digits of a translation that its source does not have in any way."""
    sides = pair.source_language.code, pair.target_language.code
    if sides == ("zh", "en"):
        return quality_numbers.added_numbers(source, target)
    if sides == ("en", "zh"):
        return _added_in_chinese(source, target)
    return _unmatched(target, source)


def _missing_in_chinese(source: str, target: str) -> list[str]:
    """Numbers in digits of an English text; those of words, and one-digit ones, may be said otherwise."""
    said = {number.value for number in source_numbers(target)}
    large = sorted(value for value in said if value >= quality_numbers.ROUNDED)
    digits = set(re.findall(r"\d+", target))
    missing = []
    for value, text in target_numbers(source):
        shown = _PLAIN.search(text)
        if shown is None or value < 10 or value in said or is_rounded(value, large):
            continue
        plain = shown.group()
        in_century = 1000 <= value < 2100 and value % 100 in said
        if not in_century and not {*re.findall(r"\d+", plain)} <= digits:
            missing.append(plain)
    return missing


def _added_in_chinese(source: str, target: str) -> list[str]:
    known = {value for value, _ in target_numbers(source)}
    known |= {Decimal(_MONTHS[name[:3].lower()]) for name in _MONTH.findall(source)}
    years = [value for value in known if value < _YEARS]
    known |= {value % 100 for value in years} | {value // 100 + 1 for value in years if 1000 <= value < 2100}
    large = sorted(value for value in known if value >= quality_numbers.ROUNDED)
    digits = set(re.findall(r"\d+", source))
    return [
        number.text
        for number in source_numbers(target)
        if number.text[0].isdigit()
        and number.value not in known
        and not is_rounded(number.value, large)
        and not {*re.findall(r"\d+", number.text)} <= digits
    ]


def _unmatched(text: str, other: str) -> list[str]:
    """Numbers of a text that another one has neither as a whole nor in its parts (a date's, say)."""
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
    """Each number's digits, separators left out, and its text."""
    for match in _DIGITS.finditer(text):
        yield "".join(_parts(match.group())), match.group()


def _is_small(digits: str) -> bool:
    significant = digits.lstrip("0")
    # Python reads no number of thousands of digits.
    return len(significant) <= len(str(_SMALL)) and int(significant or 0) <= _SMALL


def _parts(shown: str) -> list[str]:
    return ["".join(str(unicodedata.digit(digit)) for digit in part) for part in re.findall(r"\d+", shown)]
