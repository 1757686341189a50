"""Whether a translation has the numbers of its source: digits, Chinese numerals, scales, dates, words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

_DIGITS = {char: number for number, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_SCALES = {"万": 10**4, "亿": 10**8}
_ALL = {**_UNITS, **_SCALES}
_ARABIC = re.compile(r"(?P<digits>\d+(?:[.,]\d+)*)(?P<about>[多余几]?)(?P<scale>[十百千万亿]{0,8})")
_CHINESE = re.compile(r"[〇零一二三四五六七八九十百千万亿两]+(?:点[〇零一二三四五六七八九]+[万亿]*)?")
_LONGEST = 50
"""Characters of a Chinese numeral; a longer run of such characters is none."""
_VAGUE_BEFORE = re.compile(r"[几数上好近成]$|分之$")
_SHARE = re.compile(
    r"(?P<whole>[百千万])分之(?P<part>\d+(?:\.\d+)?|[〇零一二三四五六七八九十百两]+(?:点[〇零一二三四五六七八九]+)?)"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})")
_ENGLISH_SCALES = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "k": 1000,
    "m": 10**6,
    "bn": 10**9,
}
_SMALL_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINAL_WORDS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_TENS = tuple(_TENS_WORDS.split())
_WORDS: dict[str, int] = {
    **{word: number for number, word in enumerate(_SMALL_WORDS.split())},
    **{word: number for number, word in enumerate(_ORDINAL_WORDS.split())},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
    **{word[:-1] + "ieth": 10 * number for number, word in enumerate(_TENS, 2)},
    **{"once": 1, "single": 1, "twice": 2, "both": 2, "double": 2, "pair": 2, "triple": 3, "dozen": 12},
}
_TARGET = re.compile(
    r"(?P<digits>\d+(?:[.,]\d+)*)(?:[\s-]?(?P<scale>hundred|thousand|million|billion|trillion|bn|[km])\b)?",
    re.IGNORECASE,
)
_TARGET_WORD = re.compile(r"[A-Za-z]+")
_ROMAN = re.compile(r"\b[IVX]+\b")
ROUNDED = 10_000
"""From here on numbers may be rounded."""


@dataclass(frozen=True, slots=True)
class SourceNumber:
    """A number of a Chinese text.

    Attributes:
        text: as it stands there.
        value: what it says.
        unit: the character behind it.
        is_certain: whether a translation has to have it: not "a few dozen", not the 一 of 一个.
    """

    text: str
    value: Decimal
    unit: str
    is_certain: bool


def source_numbers(text: str) -> list[SourceNumber]:
    """The numbers of a Chinese text whose width has been made plain."""
    found: list[SourceNumber] = []
    for match in _ARABIC.finditer(text):
        value = _plain(match["digits"])
        for char in match["scale"]:
            value *= _ALL[char]
        certain = not match["about"] or not match["scale"]
        found.append(SourceNumber(match.group(), value, text[match.end() : match.end() + 1], certain))
    for match in _CHINESE.finditer(text):
        if match.start() and text[match.start() - 1].isdigit():
            continue  # the scale of digits
        number = _chinese(match.group(), text[match.end() : match.end() + 1])
        if number is None:
            continue
        unit = text[match.end() : match.end() + 1]
        before = text[max(match.start() - 3, 0) : match.start()]
        vague = _VAGUE_BEFORE.search(before) and not before.endswith("百分之")
        fraction = text[match.end() : match.end() + 2] == "分之"
        certain = len(match.group()) > 1 and not vague and not fraction and unit not in tuple("多余几来")
        found.append(SourceNumber(match.group(), number, unit, certain))
    return found


def missing_numbers(source: str, target: str) -> list[str]:
    """Numbers of a source that its translation lacks, as they stand there."""
    return [number.text for number in missing_source_numbers(source, target)]


def missing_source_numbers(source: str, target: str) -> list[SourceNumber]:
    """Numbers of a source that its translation lacks."""
    numbers = source_numbers(source)
    months = {_MONTHS.index(name) + 1 for name in _MONTH.findall(target.lower())} if numbers else ()
    left = Counter(value for value, _ in target_numbers(target))
    missing = []
    for number in numbers:
        if number.unit == "月" and number.value in months:
            continue
        if left[number.value]:
            left[number.value] -= 1
        elif number.is_certain:
            missing.append(number)
    if not missing:
        return []
    others = _Others.of([value for value, count in left.items() if count], target)
    return [number for number in missing if not others.say(number)]


def added_numbers(source: str, target: str) -> list[str]:
    """Numbers in digits of a translation that its source does not have in any way."""
    known = source_values(source)
    large = _large(known)
    digits = set(re.findall(r"\d+", source))
    added = []
    for match in _TARGET.finditer(target):
        value = _plain(match["digits"])
        whole = value * _ENGLISH_SCALES.get((match["scale"] or "").lower(), 1)
        if value in known or whole in known or set(re.findall(r"\d+", match["digits"])) <= digits:
            continue
        is_decade = 1000 < value < 2100 and value % 100 in known
        if not is_decade and not is_rounded(whole, large):
            added.append(match["digits"])
    return added


def source_values(source: str) -> set[Decimal]:
    """What a translation may have in digits."""
    return {number.value for number in source_numbers(source)}.union(_shares(source))


def _shares(source: str) -> Iterator[Decimal]:
    """What 千分之一 may be in digits: 0.1 percent, or 1 in 1,000."""
    for match in _SHARE.finditer(source):
        part, whole = match["part"], Decimal((_UNITS | _SCALES)[match["whole"]])
        value = _plain(part) if part[0].isdigit() else _chinese(part, "")
        if value is not None:
            yield from (whole, (value * 100 / whole).normalize() + 0)


def target_numbers(text: str) -> Iterator[tuple[Decimal, str]]:
    """The numbers of an English text, in digits and in words, with their texts."""
    for match in _TARGET.finditer(text):
        value = _plain(match["digits"])
        yield value * _ENGLISH_SCALES.get((match["scale"] or "").lower(), 1), match.group()
    yield from _spelled(text)


def _spelled(text: str) -> Iterator[tuple[Decimal, str]]:
    """Numbers in words: "twenty-one", "three hundred and five thousand"."""
    total = current = 0
    begin = end = -1
    for match in _TARGET_WORD.finditer(text):
        word = match.group().lower().removesuffix("s")
        value = _WORDS.get(match.group().lower(), _WORDS.get(word))
        scale = _ENGLISH_SCALES.get(word, 0) if len(word) > 2 else 0
        follows = begin >= 0 and not text[end : match.start()].strip(" -")
        if begin >= 0 and not (follows and (value is not None or scale or word == "and")):
            yield Decimal(total + current), text[begin:end]
            total = current = 0
            begin = -1
        if value is not None:
            if follows and begin >= 0 and current % 100 and (value >= 10 or current % 10):
                yield Decimal(total + current), text[begin:end]
                total = current = 0
                begin = match.start()
            current += value
        elif scale and begin >= 0:
            if scale == 100:
                current = max(current, 1) * 100
            else:
                total, current = total + max(current, 1) * scale, 0
        elif word != "and" or begin < 0:
            continue
        begin = match.start() if begin < 0 else begin
        end = match.end()
    if begin >= 0:
        yield Decimal(total + current), text[begin:end]


@dataclass(frozen=True, slots=True)
class _Others:
    """The numbers of a translation that nothing in its source is equal to, looked up by what they may say.

    Attributes:
        within_century: what their last two digits say.
        roman: Roman numerals of the translation.
        large: those that may be rounded, in order.
    """

    within_century: frozenset[Decimal]
    roman: frozenset[str]
    large: Sequence[Decimal]

    @classmethod
    def of(cls, values: Collection[Decimal], target: str) -> _Others:
        years = frozenset(value % 100 for value in values if value < 10_000)
        return cls(years, frozenset(_ROMAN.findall(target)), _large(values))

    def say(self, number: SourceNumber) -> bool:
        """Whether they hold a number: the eighties as 1980s, a chapter in Roman numerals, a rounded sum."""
        value = number.value
        if number.unit == "年" and value in self.within_century:
            return True
        if value <= 39 and value == int(value) and _roman(int(value)) in self.roman:
            return True
        return is_rounded(value, self.large)


def _large(values: Collection[Decimal]) -> Sequence[Decimal]:
    return sorted(value for value in values if value >= ROUNDED)


def is_rounded(value: Decimal, large: Sequence[Decimal]) -> bool:
    """Whether one of some large numbers, in order, is the same but for rounding: then a neighbour is."""
    place = bisect_left(large, value)
    near = large[max(place - 1, 0) : place + 1] if value >= ROUNDED else ()
    return any(abs(value - other) <= max(value, other) / 50 for other in near)


def _plain(digits: str) -> Decimal:
    """A number without thousands separators; of "1.2.3" the whole is nobody's value but its own."""
    text = re.sub(r",(?=\d{3}(?:\D|$))", "", digits).replace(",", ".")
    try:
        return Decimal(text).normalize() + 0
    except InvalidOperation:
        return Decimal("".join(char for char in text if char.isdigit())) + Decimal("0.5")


def _chinese(text: str, unit: str) -> Decimal | None:
    """What a Chinese numeral says; None for what is none, such as 千万 by itself."""
    if len(text) > _LONGEST:
        return None
    whole, _, fraction = text.partition("点")
    if not any(char in _ALL for char in whole):
        if fraction:
            return Decimal(f"{_row(whole)}.{_row(fraction.rstrip('万亿'))}") * _times(fraction)
        if len(whole) == 1:
            return Decimal(_DIGITS[whole])
        is_row = (len(whole) >= 3 and "〇" in whole) or (unit == "年" and len(whole) >= 2)
        return Decimal(_row(whole)) if is_row else None
    if whole[0] not in _DIGITS and whole[0] != "十":
        return None
    value = _sum(whole)
    if value is None:
        return None
    if fraction:
        return (Decimal(value) + Decimal(f"0.{_row(fraction.rstrip('万亿'))}")) * _times(fraction)
    return Decimal(value)


def _row(digits: str) -> str:
    return "".join(str(_DIGITS[char]) for char in digits)


def _times(fraction: str) -> int:
    product = 1
    for char in fraction:
        product *= _SCALES.get(char, 1)
    return product


def _sum(text: str) -> int | None:
    """三十七亿 → 3 700 000 000; None where digits stand beside each other."""
    total = section = 0
    digit: int | None = None
    for char in text:
        if char in _DIGITS:
            if digit:
                return None
            digit = _DIGITS[char]
        elif char in _UNITS:
            section += (1 if digit is None else digit) * _UNITS[char]
            digit = None
        else:
            section += digit or 0
            total = (total + section) * _SCALES[char] if section or total else 0
            section, digit = 0, None
    return total + section + (digit or 0)


def _roman(value: int) -> str:
    text = "X" * (value // 10)
    rest = value % 10
    return text + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[rest]
