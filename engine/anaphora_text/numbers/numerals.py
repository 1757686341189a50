"""Chinese numerals, dates, percentages and large amounts in a source text, with English renderings.

三十七亿 is 3.7 billion, 百分之三点五 is 3.5%. Uncertain numbers are left out: single characters (一个),
multipliers alone (千万), and adjacent digits, which mean "about" (七八十) or a code (九一八).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from anaphora_text.numbers.chinese import (
    ASCII,
    CHINESE,
    DECIMALS,
    DIGITS,
    LARGE_MARK,
    D,
    ascii_digits,
    value_of,
)
from anaphora_text.punctuation import COLONS, COMMAS, OPENING

_MIXED = rf"(?:{ASCII})[ ]?[百佰千仟]?{LARGE_MARK}+(?:[{D}十拾百佰千仟\d]+{LARGE_MARK})?"
_YEAR = rf"[{D}]{{4}}|(?<!\d)\d{{4}}"
_MONTH = r"十[一二]?|[一二三四五六七八九]|(?<![\d.])\d{1,2}"
_DAY = r"[二三]?十[一二三四五六七八九]?|[一二三四五六七八九]|\d{1,2}"
_GOALS = rf"\d{{1,3}}|{CHINESE}"
_AFTER_DATELINE = re.escape(f"{OPENING}{COMMAS}{COLONS}")
_TOKEN = re.compile(
    rf"(?:(?P<year>{_YEAR})年)(?:(?P<month>{_MONTH})月(?:(?P<day>{_DAY})[日号])?)?"
    rf"|(?P<lone_month>{_MONTH})月(?P<lone_day>{_DAY})[日号](?:[电電](?=$|[ {_AFTER_DATELINE}]))?"
    rf"|(?P<score>(?P<ours>{_GOALS})比(?P<theirs>{_GOALS}))"
    r"(?=[大完险險惜小]?(?:[胜勝败敗]|[负負](?!责|荷|载))|[战戰打][胜勝平]|[击擊][败敗]|领先|落后)"
    rf"|(?P<whole>百|千)分之(?P<part>{CHINESE}{DECIMALS}|百|{ASCII})"
    rf"|(?P<mixed>{_MIXED})"
    rf"|(?P<first>第)(?P<place>{CHINESE})"
    rf"|(?P<number>{CHINESE}{DECIMALS})"
    rf"|(?P<figures>{ASCII})(?=[ ]?[多余餘])"
)
_VAGUE_AFTER = ("几", "幾", "分之", "进制", "進制")
_VAGUE_BEFORE = ("几", "幾", "数", "數", "好", "分之", "点", "點", ".")
_COUNTED = (
    "个個位名人国國家种種年天日月周次条條项項件座间間所张張篇章部台辆艘架只隻头匹棵株"
    "块里公米千克吨平分小时秒层楼页行句字场轮倍箱元美"
)
"""First characters of measure words and units."""
_MORE = re.compile(rf"[ ]?[多余餘](?:(?P<scale>{LARGE_MARK}+)|(?=[ ]?[{_COUNTED}]))")
"""多 or 余 before a scale or a unit: 二十多个, 20多万人; but not 四十多岁 (in one's forties) or 32 多核."""
_APPROXIMATION_BEFORE = re.compile("(?:超过|超過|超|逾|近|约|約|不到|至少|最多|左右)[ ]?$")
_LABELS = tuple("条章节款项目页行卷号编部篇集期册段课步类组")
"""Nouns that come before their number in English: Article 15, page 15."""
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DAY_RENDERING = re.compile(rf"(?:{'|'.join(MONTHS)}) \d{{1,2}}(?:, \d{{4}})?")
_SCALES = ((Decimal(10) ** 12, "trillion"), (Decimal(10) ** 9, "billion"), (Decimal(10) ** 6, "million"))


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text; its span includes 年, 月 and 日 of a date, but not other units or 第.

    Attributes:
        kind: "number", "amount" (with 万 or 亿), "more" (more than a number), "score", "ordinal", "date",
            "year" or "percent"; other modules add further kinds.
        renderings: equivalent English texts; the first is the usual one.
    """

    start: int
    end: int
    kind: str
    renderings: tuple[str, ...]


def is_day(rendering: str) -> bool:
    """True for the usual rendering of a date with a day: June 30, or June 30, 2025, but not June 2025."""
    return _DAY_RENDERING.fullmatch(rendering) is not None


def find_numerals(text: str) -> list[Numeral]:
    """The certain numerals of a text, in order, without plain ASCII numbers."""
    return list(_numerals(text))


def _numerals(text: str) -> Iterator[Numeral]:
    for match in _TOKEN.finditer(text):
        if match["year"]:
            numeral = _date(match)
        elif match["lone_month"]:
            numeral = _day_of_year(match)
        elif match["score"]:
            numeral = _score(match)
        elif match["part"]:
            numeral = _percent(match)
        elif match["first"]:
            numeral = _number(text, match)
        else:
            numeral = _more_than(text, match) or _plain_number(text, match)
        if numeral is not None:
            yield numeral


def _date(match: re.Match[str]) -> Numeral | None:
    year = ascii_digits(match["year"])
    month = value_of(match["month"]) if match["month"] else None
    day = value_of(match["day"]) if match["day"] else None
    if month is None:
        # 年 is left to the model; ASCII digits are protected elsewhere.
        is_chinese = not match["year"].isascii()
        return Numeral(match.start(), match.end("year"), "year", (year,)) if is_chinese else None
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    name = MONTHS[int(month) - 1]
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
    name, number = MONTHS[int(month) - 1], int(day)
    renderings = (f"{name} {number}", f"{number} {name}", f"{name} {ordinal(number)}", f"{name[:3]} {number}")
    return Numeral(match.start(), match.end(), "date", renderings)


def _score(match: re.Match[str]) -> Numeral | None:
    ours, theirs = value_of(match["ours"]), value_of(match["theirs"])
    if ours is None or theirs is None:
        return None
    renderings = tuple(f"{ours}{mark}{theirs}" for mark in ("-", "–", ":", " to "))
    return Numeral(match.start(), match.end(), "score", renderings)


def _percent(match: re.Match[str]) -> Numeral | None:
    part = Decimal(100) if match["part"] == "百" else value_of(match["part"])
    if part is None:
        return None
    percent = plain(part if match["whole"] == "百" else part / 10)
    words = in_words(int(part)) if match["whole"] == "百" and part == int(part) else None
    renderings = [f"{percent}%", f"{percent} percent", f"{percent} per cent"]
    renderings += [f"{words} percent"] if words else []
    return Numeral(match.start(), match.end(), "percent", tuple(renderings))


def _plain_number(text: str, match: re.Match[str]) -> Numeral | None:
    if match["figures"]:  # protected elsewhere
        return None
    return _amount(match) if match["mixed"] else _number(text, match)


def _more_than(text: str, match: re.Match[str]) -> Numeral | None:
    """A round number with 多 or 余 after it: "more than" this number; None for any other number."""
    numeral, more = match.group(), _MORE.match(text, match.end())
    start, is_vague = match.start(), text.endswith(_VAGUE_BEFORE, 0, match.start())
    if more is None or is_vague or _APPROXIMATION_BEFORE.search(text, max(start - 3, 0), start):
        return None
    is_round = numeral.endswith("0") if numeral[-1].isascii() else numeral[-1] not in DIGITS
    value = value_of(numeral + (more["scale"] or ""))
    if not is_round or value is None:
        return None
    figures = large(value) if value >= 10**4 else _small_renderings(value)
    forms = ("more than {}", "over {}", "{}+")
    renderings = tuple(form.format(each) for form in forms for each in figures)
    return Numeral(start, more.end(), "more", renderings)


def _amount(match: re.Match[str]) -> Numeral | None:
    value = value_of(match["mixed"])
    if value is None:
        return None
    return Numeral(match.start(), match.end(), "amount", large(value))


def _number(text: str, match: re.Match[str]) -> Numeral | None:
    group = "place" if match["first"] else "number"
    numeral, start, end = match[group], match.start(group), match.end(group)
    if text.startswith(_VAGUE_AFTER, end) or text.endswith(_VAGUE_BEFORE, 0, match.start()):
        return None
    if numeral.endswith("两"):  # 三十两 is thirty taels
        numeral, end = numeral[:-1], end - 1
    if len(numeral) < 2 or (value := value_of(numeral)) is None:
        return None
    if group == "place" or text.startswith("世纪", end):
        return Numeral(start, end, "ordinal", _place(int(value), text[end : end + 1]))
    if value >= 10**4 and re.search(LARGE_MARK, numeral):
        return Numeral(start, end, "amount", large(value))
    return Numeral(start, end, "number", _small_renderings(value))


def _place(number: int, unit: str) -> tuple[str, ...]:
    """Renderings of an ordinal number, the usual one first: Article 15, but the 15th century."""
    figures = (f"{number}", ordinal(number)) if unit in _LABELS else (ordinal(number), f"{number}")
    return (*figures, *(words for words in (ordinal_words(number), in_words(number)) if words))


def _small_renderings(value: Decimal) -> tuple[str, ...]:
    """Renderings of a number below 10,000."""
    renderings = [plain(value)]
    if value >= 1000:
        renderings.append(f"{value:,}")
    if value == int(value) and (words := in_words(int(value))):
        renderings += [words, words.replace("-", " ")] if "-" in words else [words]
    return tuple(renderings)


def large(value: Decimal) -> tuple[str, ...]:
    """Renderings of a number of at least 10,000."""
    is_whole = value == int(value)
    renderings = []
    for scale, name in _SCALES:
        if value >= scale and (value / scale) * 1000 == int(value / scale * 1000):
            renderings.append(f"{plain(value / scale)} {name}")
            break
    renderings += [f"{int(value):,}", f"{int(value)}"] if is_whole else [plain(value)]
    if is_whole and (words := in_words(int(value))):
        renderings.append(words)
    return tuple(renderings)


def plain(value: Decimal) -> str:
    """Digits without an exponent or trailing zeros after the decimal point."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ROUND = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip


def in_words(number: int) -> str | None:
    """The number in words if it is below 100 or round, as is usual in prose; otherwise None."""
    if not 0 <= number < 10**12:
        return None
    if number < 20:
        return ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return TENS[tens] + (f"-{ONES[ones]}" if ones else "")
    for scale, name in _ROUND:
        if number >= scale:
            count, remainder = divmod(number, scale)
            return f"{in_words(count)} {name}" if not remainder and count < 100 else None
    return None


def ordinal(number: int) -> str:
    """Figures with an ordinal ending, such as 1st, 2nd, 3rd, 11th and 21st."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def ordinal_words(number: int) -> str | None:
    """An ordinal number in words, such as "fifteenth"; None if `in_words` returns None."""
    words = in_words(number)
    if words is None:
        return None
    head, mark, last = words.rpartition("-" if "-" in words else " ")
    if last in _ORDINALS:
        last = _ORDINALS[last]
    elif last.endswith("y"):
        last = last[:-1] + "ieth"
    else:
        last += "th"
    return head + mark + last
