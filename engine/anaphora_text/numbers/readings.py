"""Possible translations (readings) of the numbers in a Chinese text.

打八折 is 20% off or 80%, 三点半 is 3:30 or 15:30, and 三万五 is only 35,000. The rules for times, shares,
prices and measures (`time_readings`, `amount_readings`) apply first; the rules here read the rest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from itertools import takewhile
from math import prod

from anaphora_text.numbers.chinese import DIGITS, MAX_LENGTH, SCALES, ascii_digits, value_of

Item = Decimal | str
"""A number, or a word for one: "month 6", "half", "quarter", "noon", "decade"."""
Way = tuple[Item, ...]
"""One possible translation of a number, as one or more items: (3, 30) for 三点半."""

D = "零〇○一二两三四五六七八九"
"""Digits, for character sets; financial digits are replaced first, because 陆, 伍 and 拾 are also words."""
_STARTS = f"{D}十廿卅卌"
ASCII_DIGITS = "0123456789"
FIGURES = r"(?<![\d.,])\d++(?:[.,]\d++)*+"
SCALED = rf"{FIGURES}[ ]?[十百千万亿]{{1,8}}+(?:[{D}\d][{D}十百千\d]*+万?)?"
NUMERAL = rf"(?<![{_STARTS}])[{_STARTS}][{_STARTS}百千万亿]*+(?:点[{D}]++[百千]?[万亿]*+(?!点))?"
NUMBER = rf"(?:{SCALED}|{FIGURES}|{NUMERAL})"
"""A number in figures, Chinese characters, or both; see `number_of`."""
_VAGUE_BEFORE = tuple("几数上好近成")
"""Characters that make a number beginning with 十 vague: 几十, 数十."""
_VAGUE_AFTER = tuple("多余几来")
_ROMAN = "ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ"
_ROW = re.compile(rf"[{D}]+")
_BARE_SCALES = re.compile(r"(?<![十百千万亿])[百千][万亿]?|(?<![十百千万亿])[万亿]")
_ADJACENT = re.compile(rf"(?<=[{D}])(?=[{D}])")


@dataclass(frozen=True, slots=True)
class Reading:
    """A number of a Chinese text, its position, and its possible translations, the usual one first.

    Attributes:
        ways: the possible translations.
        is_certain: True if a translation must contain one of them; False for "a few dozen" or 一 in 一个.
        kind: "number", "year", "percent", or another kind of number that a rule reads.
        text: the number in the source text; "" until `read_numbers` sets it.
    """

    start: int
    end: int
    ways: tuple[Way, ...]
    is_certain: bool = True
    kind: str = "number"
    text: str = ""

    @property
    def value(self) -> Decimal | None:
        """The number; None if it is uncertain, or its only translation is not a single number."""
        if not self.is_certain or len(self.ways) != 1 or len(self.ways[0]) != 1:
            return None
        (item,) = self.ways[0]
        return item if isinstance(item, Decimal) else None


Reader = Callable[[re.Match[str]], Reading | None]
Rule = tuple[str, re.Pattern[str], Reader]
"""Characters of which a text must contain one, a pattern, and a function that reads the pattern's matches."""


def reader(
    kind: str,
    ways: Callable[[re.Match[str], Decimal], Iterable[Way]],
    span: str | int = 0,
    certain: bool | None = None,
) -> Reader:
    """A function that reads the group `number` of a match.

    Args:
        ways: returns the possible translations of the value; none if it is not a number of this kind.
        span: the group with the number's span.
        certain: for `Reading.is_certain`; None means True except for a single Chinese digit.
    """

    def read(match: re.Match[str]) -> Reading | None:
        numeral = match["number"]
        value = number_of(numeral)
        results = () if value is None else tuple(ways(match, value))
        is_certain = numeral[0].isdigit() or len(numeral) > 1 if certain is None else certain
        return Reading(*match.span(span), results, is_certain, kind) if results else None

    return read


def ways_of(*values: Item) -> tuple[Way, ...]:
    return tuple((value,) for value in values)


def rounded(value: Decimal) -> tuple[Way, ...]:
    """A value rounded to no, one and two decimals."""
    return ways_of(*(trimmed(value.quantize(Decimal(digits))) for digits in ("1", "0.1", "0.01")))


def trimmed(value: Decimal) -> Decimal:
    """A value without trailing zeros after the decimal point."""
    return value.normalize() + 0


def number_of(numeral: str) -> Decimal | None:
    """The value of a match of `NUMBER`; None if it is not a well-formed number."""
    if not numeral[:1].isdigit():
        return _row_or_value(numeral)
    figures = re.match(r"\d+(?:[.,]\d+)*", numeral)
    if figures is None or figures.end() == len(numeral):
        return plain_figures(numeral)
    value = value_of(numeral)
    if value is None:
        scale = "".join(takewhile(SCALES.__contains__, numeral[figures.end() :].strip()))
        value = plain_figures(figures.group()) * scale_of(scale)
    return value


def _row_or_value(numeral: str) -> Decimal | None:
    """The value of a row of three or more digits with a zero after the first (二〇二五), else `value_of`."""
    if len(numeral) >= 3 and _ROW.fullmatch(numeral) and any(char in "零〇○" for char in numeral[1:]):
        return Decimal(ascii_digits(numeral))
    return value_of(numeral)


@lru_cache(maxsize=1024)
def plain_figures(figures: str) -> Decimal:
    """The value of figures; 1.2.3 is not a number and gets 123.5, so that it equals no whole number."""
    text = re.sub(r",(?=\d{3}(?:\D|$))", "", figures).replace(",", ".")
    try:
        return trimmed(Decimal(text))
    except InvalidOperation:
        return Decimal("".join(char for char in text if char.isdigit())) + Decimal("0.5")


def _number(match: re.Match[str]) -> Reading | None:
    text, (start, end) = match.string, match.span()
    numeral = match.group()
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    has_taels = numeral.endswith("两") and len(numeral) > 1 and value_of(numeral) is None  # 三十两
    if has_taels:
        numeral, end = numeral[:-1], end - 1
    is_vague = after in _VAGUE_AFTER or (numeral[0] == "十" and before in _VAGUE_BEFORE)
    value = number_of(numeral)
    if value is not None:
        certain = not is_vague and (numeral[0].isdigit() or len(numeral) > 1)
        ways = ways_of(value, value * 50) if has_taels else ways_of(value)
        return Reading(start, end, (*ways, *_ways_with_word(value)), certain)
    ways = tuple(_approximate(numeral))
    return Reading(start, end, ways, False) if ways else None


_PARTS = {Decimal("0.5"): "half", Decimal("0.25"): "quarter"}


def _ways_with_word(value: Decimal) -> Iterator[Way]:
    """2.5 is two and a half, and 0.25 is a quarter."""
    word = _PARTS.get(value % 1) if value < 10**6 else None
    if word:
        yield (value // 1, word) if value > 1 else (word,)


def _approximate(numeral: str) -> Iterator[Way]:
    """The two numbers of 七八十, 三五个 or 十七八, and their digits; for a row (九一八), also its value."""
    if len(numeral) > MAX_LENGTH:
        return
    for place in (match.start() for match in _ADJACENT.finditer(numeral)):
        pair = (numeral[:place] + numeral[place + 1 :], numeral[: place - 1] + numeral[place:])
        yield from ((value,) for text in pair if (value := value_of(text)) is not None)
        yield tuple(Decimal(DIGITS[char]) for char in numeral[place - 1 : place + 1])
    if _ROW.fullmatch(numeral):
        yield from ((Decimal(ascii_digits(row)),) for row in (numeral, numeral[1:], *numeral))


def scale_of(marks: str) -> Decimal:
    """The product of 十, 百, 千, 万 and 亿."""
    return prod((Decimal(SCALES[mark]) for mark in marks), start=Decimal(1))


def _bare_scale(match: re.Match[str]) -> Reading:
    return Reading(*match.span(), ways_of(scale_of(match.group())), False)


def _range(match: re.Match[str]) -> Reading | None:
    """In 10至20万, the scale of the second number may also apply to the first one."""
    first, second = number_of(match["first"]), number_of(match["second"])
    if first is None or second is None:
        return None
    ways: tuple[Way, ...] = ((first, second),)
    if not ("万" in match["first"] or "亿" in match["first"]):
        ways = ((first * scale_of(match["scale"]), second), *ways)
    return Reading(*match.span(), ways)


def _roman(match: re.Match[str]) -> Reading:
    return Reading(*match.span(), ways_of(Decimal(int(unicodedata.numeric(match.group())))))


NUMBER_RULES: tuple[Rule, ...] = (
    (
        "-–—~～至到",
        re.compile(
            rf"(?P<first>{FIGURES}|{NUMERAL})[-–—~～至到]"
            rf"(?P<second>(?:{FIGURES}|[{D}十][{D}十百千]*?)(?P<scale>[百千]?[万亿]++))"
        ),
        _range,
    ),
    (  # 十多万 and 10余亿 are somewhat more than the number
        "多余几来",
        re.compile(rf"(?P<number>{NUMBER})[多余几来](?P<scale>[百千万亿]+)"),
        reader("number", lambda match, value: ways_of(value * scale_of(match["scale"])), certain=False),
    ),
    (f"{ASCII_DIGITS}{_STARTS}", re.compile(NUMBER), _number),
    ("百千万亿", _BARE_SCALES, _bare_scale),
    (_ROMAN, re.compile(f"[{_ROMAN}]"), _roman),
)
