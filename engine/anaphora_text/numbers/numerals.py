"""Chinese numerals, dates, percentages and large amounts in a source text, with how English writes them.

三十七亿 is 3.7 billion, 二〇二五年六月三十日 June 30, 2025, 百分之三点五 3.5%. What may be no number is left
out: single characters (一个, 十分), multipliers by themselves (千万, 百万), neighbouring digits without a
unit, which mean "about" (七八十) or a code (九一八).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from anaphora_text.numbers.english_words import in_words, ordinal, ordinal_words

_DIGITS = {
    digit: value
    for value, digits in enumerate(
        ("零〇○", "一壹", "二两贰兩貳", "三叁參", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖")
    )
    for digit in digits
}
_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_COUPLED = ("百", "千")
"""What may follow 两 within a number."""
_LARGE = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}

_D = "".join(_DIGITS)
_ZERO = "零〇○"
_LARGE_MARK = "[万萬亿億]"
_CHINESE = rf"[{_D}十拾][{_D}十拾百佰千仟万萬亿億]*"
_FRACTION = rf"(?:点[{_D}]+(?:[百佰千仟]?{_LARGE_MARK}+)?)?"
_ASCII = r"(?<![A-Za-z0-9_.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![A-Za-z0-9_.,])\d+(?:\.\d+)?"
_MIXED = rf"(?:{_ASCII})[ ]?[百佰千仟]?{_LARGE_MARK}+(?:[{_D}十拾百佰千仟\d]+{_LARGE_MARK})?"
_YEAR = rf"[{_D}]{{4}}|(?<!\d)\d{{4}}"
_MONTH = r"十[一二]?|[一二三四五六七八九]|(?<![\d.])\d{1,2}"
_DAY = r"[二三]?十[一二三四五六七八九]?|[一二三四五六七八九]|\d{1,2}"
_TOKEN = re.compile(
    rf"(?:(?P<year>{_YEAR})年)(?:(?P<month>{_MONTH})月(?:(?P<day>{_DAY})[日号])?)?"
    rf"|(?P<lone_month>{_MONTH})月(?P<lone_day>{_DAY})[日号]"
    rf"|(?P<whole>百|千)分之(?P<part>{_CHINESE}{_FRACTION}|百|{_ASCII})"
    rf"|(?P<mixed>{_MIXED})"
    rf"|(?P<first>第)(?P<place>{_CHINESE})"
    rf"|(?P<number>{_CHINESE}{_FRACTION})"
)
_VAGUE_AFTER = ("几", "分之", "进制")
_VAGUE_BEFORE = ("几", "数", "好", "分之", "点", ".")
_NUMBERED = tuple("条章节款项目页行卷号编部篇集期册段课步类组")
"""What English numbers after its name: Article 15, page 15."""
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_SCALES = ((Decimal(10) ** 12, "trillion"), (Decimal(10) ** 9, "billion"), (Decimal(10) ** 6, "million"))


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text.

    Attributes:
        start, end: the characters that the renderings stand for: 年, 月 and 日 of a date with a month are of
            them, other units (元, 条) and 第 are not.
        kind: "number", "amount" (with 万 or 亿), "ordinal", "date", "year" or "percent".
        renderings: English texts that say the same; the first is the usual one.
    """

    start: int
    end: int
    kind: str
    renderings: tuple[str, ...]


def find_numerals(text: str) -> list[Numeral]:
    """The numerals of a text that are certain, in order; plain ASCII numbers are not among them."""
    return list(_found(text))


def _found(text: str) -> Iterator[Numeral]:
    for match in _TOKEN.finditer(text):
        if match["year"]:
            found = _date(match)
        elif match["lone_month"]:
            found = _day_of_year(match)
        elif match["part"]:
            found = _percent(match)
        elif match["mixed"]:
            found = _amount(match)
        else:
            found = _number(text, match)
        if found is not None:
            yield found


def _date(match: re.Match[str]) -> Numeral | None:
    year = _positional(match["year"])
    month = value_of(match["month"]) if match["month"] else None
    day = value_of(match["day"]) if match["day"] else None
    if month is None:
        # the model writes what 年 asks for; ASCII digits are protected as they are
        ours = not match["year"].isascii()
        return Numeral(match.start(), match.end("year"), "year", (year,)) if ours else None
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    name = _MONTHS[int(month) - 1]
    renderings: tuple[str, ...]
    if day is None:
        renderings = (f"{name} {year}", f"{name}, {year}", f"{name[:3]} {year}", f"{year}-{int(month):02}")
    else:
        number = int(day)
        renderings = (
            f"{name} {number}, {year}",
            f"{number} {name} {year}",
            f"{name} {ordinal(number)}, {year}",
            f"{name[:3]} {number}, {year}",
            f"{year}-{int(month):02}-{number:02}",
        )
    return Numeral(match.start(), match.end(), "date", renderings)


def _day_of_year(match: re.Match[str]) -> Numeral | None:
    month, day = value_of(match["lone_month"]), value_of(match["lone_day"])
    if month is None or day is None or not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    name, number = _MONTHS[int(month) - 1], int(day)
    renderings = (f"{name} {number}", f"{number} {name}", f"{name} {ordinal(number)}", f"{name[:3]} {number}")
    return Numeral(match.start(), match.end(), "date", renderings)


def _percent(match: re.Match[str]) -> Numeral | None:
    part = Decimal(100) if match["part"] == "百" else value_of(match["part"])
    if part is None:
        return None
    percent = _plain(part if match["whole"] == "百" else part / 10)
    words = in_words(int(part)) if match["whole"] == "百" and part == int(part) else None
    renderings = [f"{percent}%", f"{percent} percent", f"{percent} per cent"]
    renderings += [f"{words} percent"] if words else []
    return Numeral(match.start(), match.end(), "percent", tuple(renderings))


def _amount(match: re.Match[str]) -> Numeral | None:
    value = value_of(match["mixed"])
    if value is None:
        return None
    return Numeral(match.start(), match.end(), "amount", _large(value))


def _number(text: str, match: re.Match[str]) -> Numeral | None:
    group = "place" if match["first"] else "number"
    written, start, end = match[group], match.start(group), match.end(group)
    if text.startswith(_VAGUE_AFTER, end) or text.endswith(_VAGUE_BEFORE, 0, match.start()):
        return None
    if written.endswith("两"):  # 三十两 are thirty taels
        written, end = written[:-1], end - 1
    if len(written) < 2 or (value := value_of(written)) is None:
        return None
    if group == "place" or text.startswith("世纪", end):
        return Numeral(start, end, "ordinal", _place(int(value), text[end : end + 1]))
    if value >= 10**4 and re.search(_LARGE_MARK, written):
        return Numeral(start, end, "amount", _large(value))
    renderings = [_plain(value)]
    if value >= 1000:
        renderings.append(f"{value:,}")
    if value == int(value) and (words_ := in_words(int(value))):
        renderings += [words_, words_.replace("-", " ")] if "-" in words_ else [words_]
    return Numeral(start, end, "number", tuple(renderings))


def _place(number: int, unit: str) -> tuple[str, ...]:
    """Renderings of a place in a row: Article 15, but the 15th century."""
    figures = (f"{number}", ordinal(number)) if unit in _NUMBERED else (ordinal(number), f"{number}")
    return (*figures, *(words for words in (ordinal_words(number), in_words(number)) if words))


def _large(value: Decimal) -> tuple[str, ...]:
    """Renderings of 10,000 and more."""
    whole = value == int(value)
    renderings = []
    for scale, name in _SCALES:
        if value >= scale and (value / scale) * 1000 == int(value / scale * 1000):
            renderings.append(f"{_plain(value / scale)} {name}")
            break
    renderings += [f"{int(value):,}", f"{int(value)}"] if whole else [_plain(value)]
    if whole and (words := in_words(int(value))):
        renderings.append(words)
    return tuple(renderings)


def value_of(written: str) -> Decimal | None:
    """The number that a numeral writes, in Chinese, ASCII or mixed; None where it is not well formed."""
    written = written.replace(" ", "").replace(",", "")
    marks = re.split(_LARGE_MARK, written)
    scales = re.findall(_LARGE_MARK, written)
    if not scales:
        return _section(written)
    total, smallest = Decimal(0), None
    for number, part in enumerate(marks):
        scale = Decimal(_LARGE[scales[number]]) if number < len(scales) else Decimal(1)
        if not part:
            if number == len(marks) - 1:
                break
            if number and scales[number - 1 : number + 1] in (["万", "亿"], ["萬", "億"]):
                total, smallest = total * scale, scale  # 万亿
                continue
            return None
        rest = part.lstrip(_ZERO) if number and len(part) > 1 else part
        value = _section(rest)
        if value is None or (smallest is not None and scale >= smallest):
            return None
        if scale == 1 and smallest is not None and len(part) == 1 and part not in _ZERO:
            scale = smallest / 10  # 三万五
        total, smallest = total + value * scale, min(scale, smallest or scale)
    return total


def _section(written: str) -> Decimal | None:
    """A number without 万 and 亿."""
    whole, point, decimals = written.partition("点")
    if point:
        before = _section(whole)
        if before is None or not decimals or any(mark not in _DIGITS for mark in decimals):
            return None
        return before + Decimal("0." + "".join(str(_DIGITS[mark]) for mark in decimals))
    if written[:1].isdigit() and written[:1].isascii():
        match = re.fullmatch(r"(\d+(?:\.\d+)?)([百佰千仟]?)", written)
        return Decimal(match[1]) * _SMALL.get(match[2], 1) if match else None
    return _hundreds(written)


def _hundreds(written: str) -> Decimal | None:
    total, digit, last_unit, gap = 0, None, 10**4, False
    for place, mark in enumerate(written):
        if mark in _ZERO:
            if digit is not None or (place == 0 and len(written) > 1):
                return None
            if len(written) == 1:
                return Decimal(0)
            gap = True
        elif mark in _DIGITS:
            if digit is not None or (mark == "两" and place and written[place + 1 :][:1] not in _COUPLED):
                return None
            digit = _DIGITS[mark]
        else:
            unit = _SMALL.get(mark)  # an ASCII digit between Chinese ones is no unit
            if (
                unit is None
                or unit >= last_unit
                or (digit is None and not (unit == 10 and (place == 0 or gap)))
            ):
                return None
            total, last_unit, digit, gap = total + (digit or 1) * unit, unit, None, False
    if digit is not None:
        after_unit = last_unit in (100, 1000) and not gap
        total += digit * (last_unit // 10 if after_unit else 1)
    return Decimal(total)


def _positional(written: str) -> str:
    return "".join(mark if mark.isascii() else str(_DIGITS[mark]) for mark in written)


def _plain(value: Decimal) -> str:
    """Digits without an exponent and without zeros at the end of a fraction."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
