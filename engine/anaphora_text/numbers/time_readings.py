"""Possible translations of years, months, centuries, decades, clock times and spans of time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from anaphora_text.numbers.amount_readings import and_a_half
from anaphora_text.numbers.chinese import ERAS, ascii_digits
from anaphora_text.numbers.readings import (
    FIGURES,
    NUMBER,
    NUMERAL,
    D,
    Item,
    Reading,
    Rule,
    Way,
    number_of,
    reader,
    ways_of,
)

_PLAIN = rf"(?:{FIGURES}|{NUMERAL})"
_AFTERNOON = "中午|下午|午后|傍晚|今晚|当晚|昨晚|晚上|夜里|夜间|晚间|晚"
_MORNING = "凌晨|清晨|清早|早上|早晨|今早|上午|半夜|午夜|深夜|早"
_MINUTE = rf"(?P<exact>整|半)|(?P<quarter>[一1三3])刻|(?P<minute>[零〇]?{_PLAIN})分(?![之钟])"
_CLOCK = re.compile(
    rf"(?:(?P<pm>{_AFTERNOON})|(?P<am>{_MORNING}))?[ ]?"
    rf"(?P<hour>(?P<late>(?<![\d.,])(?:1[3-9]|2[0-4])(?=点(?!\d)))|{_PLAIN})[ ]?(?:点|时(?![代间期候刻]))"
    rf"(?:[ ]?(?:{_MINUTE}))?(?P<o_clock>钟)?"
)
FIGURES_OF_CLOCK = re.compile(r"(?<![\d:.])([01]?\d|2[0-4]):([0-5]\d)(?![\d:]|\.\d)")
"""Clock times in figures, which are the same in both languages: 3:30, 15:00."""
_CENTURY_NAMES = {"上": 20, "本": 21, "这": 21, "新": 21}
DECADE = re.compile(
    rf"(?:(?:(?P<which>[上本这新])(?:一?个)?|(?P<century>{_PLAIN})[ ]?)世纪)?[ ]?(?P<decade>{_PLAIN})[ ]?年代"
)
_CENTURY = re.compile(rf"(?P<number>{_PLAIN})[ ]?世纪")
_YEAR = re.compile(rf"(?P<year>{FIGURES}|(?<![{D}])[{D}]{{2,4}}(?=[ ]?年)|{NUMERAL})[ ]?年(?![级代])")
_ERA = re.compile(rf"(?P<era>{'|'.join(ERAS)})(?P<year>元|{FIGURES}|[{D}十百]{{1,5}})(?=年(?!代))")
_MONTH = re.compile(
    r"(?<![个第])(?P<number>十[一二]?|[一二三四五六七八九]|(?<![\d.,])\d{1,2})[ ]?月(?!球|亮|票|薪)"
)
_SPAN = re.compile(
    rf"(?P<number>{NUMBER})[ ]?"
    r"(?P<of>个?(?:小时|钟头|季度|季|星期|礼拜|学期)|周|天|刻钟|分钟)(?P<half>半)?"
)
_AND_A_HALF = re.compile(rf"(?P<number>{_PLAIN})(?P<of>个半小时|个半钟头|个半月|年半)")
_HALF = re.compile(r"半(?:个)?(?P<of>年|小时|钟头|世纪|月|天|日)")
_SUBUNITS = {"小时": 60, "钟头": 60, "季度": 3, "季": 3, "星期": 7, "礼拜": 7, "周": 7, "刻钟": 15, "天": 24}
_HALVES = {"年": (6,), "小时": (30,), "钟头": (30,), "世纪": (50,), "月": (15, 2), "天": (12,), "日": (12,)}
_SMALLER_UNITS = {"个半小时": 60, "个半钟头": 60, "个半月": 30, "年半": 12}
_MONTH_AFTER_YEAR = re.compile(r"[ ]?年[ ]?[\d一二三四五六七八九十]{1,2}[ ]?月")
_FEAST = re.compile(
    r"双十一|双十二|初[一二三四五六七八九十]|(?<![零〇一二两三四五六七八九十百千万亿点])"
    r"(?:十一(?=长假|黄金周|假期|国庆)|九一八|三八|五一|五四|六一|七一|八一)(?![零〇一二两三四五六七八九十百千万亿点])"
)
_VAGUE_PAIRS = ("一两", "两三", "一二", "二三", "三四", "四五", "五六", "六七", "七八", "八九", "三五")
"""Pairs of digits that may mean two numbers: 两三年 is two or three years. But 七八年 may also be 1978."""
_VAGUE_BEFORE = tuple("几数上好近")


def _clock(match: re.Match[str]) -> Reading | None:
    """Read 三点半, 下午3点 and 15时30分, but not 3点5, and not 三点 alone, which may be three points."""
    has_time_of_day = match["pm"] or match["am"] or match["late"]
    has_minute = match["exact"] or match["quarter"] or match["minute"] or match["o_clock"]
    hour, minute = number_of(match["hour"]), _minute(match)
    if hour is None or minute is None or not (has_time_of_day or has_minute):
        return None
    if hour > 24 or hour % 1 or minute > 59:
        return None
    if (match["am"] or match["pm"]) in ("早", "晚") and not has_minute and hour == 1:
        return None  # 早一点 is a little earlier, not 1 a.m.
    return Reading(*match.span(), tuple(_times(hour, minute)), True, "clock")


def _minute(match: re.Match[str]) -> Decimal | None:
    if match["quarter"]:
        return Decimal(15 if match["quarter"] in "一1" else 45)
    if match["minute"]:
        return number_of(match["minute"].lstrip("零〇") or "零")
    return Decimal(30 if match["exact"] == "半" else 0)


def _times(stated_hour: Decimal, minute: Decimal) -> Iterator[Way]:
    for hour in (stated_hour, stated_hour - 12 if stated_hour > 12 else stated_hour + 12):
        yield (hour, minute) if minute else (hour,)
        yield from ((hour + minute / 100,),) if minute else ()
        if minute == 30:
            yield hour, "half"
        elif minute == 15:
            yield hour, "quarter"
        elif minute > 30:
            past: Item = "quarter" if minute == 45 else 60 - minute
            yield from ((hour + 1, past), (hour - 11, past))
    if stated_hour in (0, 12, 24) and not minute:
        yield from (("noon",), ("midnight",), (Decimal(0),))


def _clock_in_figures(match: re.Match[str]) -> Reading:
    hour, minute = map(Decimal, match.groups())
    return Reading(*match.span(), ((hour, minute), *dict.fromkeys(_times(hour, minute))), True, "clock")


def read_decade(match: re.Match[str]) -> Reading | None:
    """20世纪90年代, 上世纪九十年代 and 1990年代 are the 1990s, or the nineties of the 20th century."""
    decade = number_of(match["decade"])
    if decade is None or decade > 3000 or decade % 10:
        return None
    century = _CENTURY_NAMES.get(match["which"] or "")
    if match["century"]:
        value = number_of(match["century"])
        if value is None:
            return None
        century = int(value)
    if decade > 100:
        ways: list[Way] = [(decade,), (decade % 100,)]
    elif century is None:
        ways = [(decade,), *((hundred * 100 + decade,) for hundred in (19, 20, 18, 17))]
    else:
        ways = [((century - 1) * 100 + decade,), (decade, Decimal(century)), (decade,)]
    return Reading(*match.span(), tuple(ways), True, "decade")


def _century(match: re.Match[str], century: Decimal) -> tuple[Way, ...]:
    return () if century > 100 or century % 1 else ways_of(century, (century - 1) * 100)


def _year(match: re.Match[str]) -> Reading | None:
    """一九九八年 is 1998; 98年 is 1998 or 98 years; 二十年 is also two decades."""
    numeral = match["year"]
    in_figures = numeral[0].isdigit()
    is_row = not in_figures and len(numeral) > 1 and not numeral.strip(D)
    value = Decimal(ascii_digits(numeral)) if is_row else number_of(numeral)
    if value is None:
        return None
    before = match.string[max(match.start() - 1, 0) : match.start()]
    is_vague = not in_figures and before in _VAGUE_BEFORE
    certain = (len(numeral) > 1 or numeral.isdigit()) and not is_vague and numeral not in _VAGUE_PAIRS
    is_of_republic = 80 < value < 150 and _MONTH_AFTER_YEAR.match(match.string, match.end("year"))
    is_half = match.string[match.end() : match.end() + 1] == "半"
    ways = (*_calendar_years(value, bool(is_of_republic)), *_durations(numeral, value, is_half))
    return Reading(*match.span("year"), tuple(dict.fromkeys(ways)), certain, "year")


def _era(match: re.Match[str]) -> Reading | None:
    """昭和五十年 is 1975, or the year 50 of the era."""
    value = Decimal(1) if match["year"] == "元" else number_of(match["year"])
    return (
        None
        if value is None
        else Reading(*match.span("year"), ways_of(ERAS[match["era"]] + value, value), True, "year")
    )


def _calendar_years(value: Decimal, is_of_republic: bool) -> Iterator[Way]:
    """98年 is 1998; years of the Republic of China count from 1912."""
    if is_of_republic:
        yield (value + 1911,)
    yield (value,)
    if value < 100 and not value % 1:
        yield from ways_of(value + 1900, value + 2000, value + 1800)


def _durations(numeral: str, value: Decimal, is_half: bool) -> Iterator[Way]:
    """Durations in decades, centuries, months or half years; 两三年 is two or three years."""
    if numeral in _VAGUE_PAIRS:
        pair = tuple(Decimal(ascii_digits(char)) for char in numeral)
        yield from (pair, *ways_of(*pair))
    if value < 100:
        yield from ((value / 10, "decade"), ("decade",)) if value and not value % 10 else ()
        yield (value * 12,)
        if is_half:
            yield from ((value, "half"), (value + Decimal("0.5"),), (value * 12 + 6,))
    elif value < 1000 and not value % 100:
        yield from ((value / 100, "century"), ("century",))


def _month(match: re.Match[str], month: Decimal) -> tuple[Way, ...]:
    return ways_of(f"month {month}", month) if 1 <= month <= 12 else ()


def _span(match: re.Match[str]) -> Reading | None:
    """两周 may be 14 days, and 一刻钟 may be 15 minutes."""
    numeral, unit = match["number"], match["of"].removeprefix("个")
    value = number_of(numeral)
    if value is None:
        return None
    ways: list[Way] = [(value,), *([(value * _SUBUNITS[unit],)] if unit in _SUBUNITS else [])]
    if unit == "分钟":
        ways += [(value / 60,)] if value < 1000 and not value % 30 else []
        ways += [("half",)] if value == 30 else []
    if match["half"]:
        ways = [(value + Decimal("0.5"),), (value, "half"), *ways]
    before = match.string[max(match.start() - 1, 0) : match.start()]
    certain = numeral[0].isdigit() or (len(numeral) > 1 and before not in _VAGUE_BEFORE)
    return Reading(
        match.start(), match.end("half" if match["half"] else "number"), tuple(ways), certain, "span"
    )


def _and_a_half(match: re.Match[str], value: Decimal) -> tuple[Way, ...]:
    """一个半小时 is 1.5 hours or 90 minutes."""
    return *and_a_half(match, value), ((value + Decimal("0.5")) * _SMALLER_UNITS[match["of"]],)


def _half(match: re.Match[str]) -> Reading:
    ways = ways_of("half", *map(Decimal, _HALVES[match["of"]]), Decimal("0.5"))
    is_part = match.string.endswith(tuple("上下大小后前多"), 0, match.start())
    return Reading(*match.span(), ways, match["of"] in ("年", "小时", "钟头") and not is_part, "span")


def _feast(match: re.Match[str]) -> Reading:
    """九一八 and 双十一 are days, for which a translation may use a name, or month and day."""
    first, *rest = [value for char in match.group() if (value := number_of(char)) is not None]
    ways: list[Way] = [*ways_of(first, *rest, Decimal(11), Decimal(18)), (f"month {first}", *rest)]
    return Reading(*match.span(), tuple(ways), False, "feast")


TIME_RULES: tuple[Rule, ...] = (
    ("代", DECADE, read_decade),
    ("世", _CENTURY, reader("century", _century, "number", certain=True)),
    (":", FIGURES_OF_CLOCK, _clock_in_figures),
    ("点时", _CLOCK, _clock),
    ("".join(ERAS), _ERA, _era),
    ("半", _AND_A_HALF, reader("span", _and_a_half, certain=True)),
    ("年", _YEAR, _year),
    ("月", _MONTH, reader("month", _month, "number")),
    ("半", _HALF, _half),
    ("时头季期拜周天刻分", _SPAN, _span),
)

FEAST_RULES: tuple[Rule, ...] = (("双初一五九三六七八", _FEAST, _feast),)
"""These rules apply after the rules for amounts, because 五一 in 三块五一斤 is not a day."""
