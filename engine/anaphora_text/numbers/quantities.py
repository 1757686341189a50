"""Quantities in a Chinese text, with English renderings: ≥500毫升 is ≥500 mL, 三分之二 is two-thirds.

Units are not converted: 3斤 is 3 jin. The units are in `words/units.tsv`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import chain

from anaphora_text.function_words import read_pairs, read_table
from anaphora_text.numbers.amount_readings import TENTHS
from anaphora_text.numbers.chinese import DECIMALS, ERAS, LARGE_MARK, STARTS, value_of
from anaphora_text.numbers.numerals import Numeral, in_words, large, ordinal_words, plain
from anaphora_text.numbers.signs import COMPARISONS, CURRENCIES, SUPERSCRIPTS
from anaphora_text.numbers.time_readings import DECADE, read_decade
from anaphora_text.punctuation import COMMAS


@dataclass(frozen=True)
class Unit:
    """A unit: Chinese names, usual English name (plural or symbol), other English names (singular first)."""

    chinese: tuple[str, ...]
    english: str
    others: tuple[str, ...]

    @property
    def is_word(self) -> bool:
        return self.english.endswith(("s", "feet")) and len(self.english) > 3

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        forms = sorted((self.english, *self.others), key=len, reverse=True)
        names = "|".join(f"(?i:{re.escape(form)})" if len(form) > 3 else re.escape(form) for form in forms)
        return re.compile(rf"(?<![A-Za-z])(?:{names})(?:s|es)?(?![A-Za-z])")

    def with_figures(self, figures: str, is_attribute: bool) -> str:
        if self.is_word and is_attribute:
            return f"{figures}-{self.others[0]}"
        name = self.others[0] if self.is_word and figures.lstrip("-+") == "1" else self.english
        return f"{figures}{name}" if name[0] == "°" else f"{figures} {name}"


def _units() -> Iterator[Unit]:
    for line in read_table("units.tsv").splitlines():
        chinese, english, others = line.split("\t")
        yield Unit(tuple(chinese.split("|")), english, tuple(others.split("|")))


UNITS = tuple(_units())
_NAMES = {name: unit for unit in UNITS for name in unit.chinese}
_SYMBOLS = {name: unit for unit in UNITS[::-1] for name in (unit.others[0], unit.english) if len(name) < 4}
_BOUNDS = read_pairs("unit_bounds.tsv")
"""Patterns of the text after a short name of a unit, because the name may also begin another word."""
_NAME = "|".join(f"{name}{_BOUNDS.get(name, '')}" for name in sorted(_NAMES, key=len, reverse=True))
_PER = {"秒": "s", "小时": "h", "分钟": "min", "天": "day", "日": "day", "年": "year", "人": "person"}
_PARTS = "½¼¾⅓⅔⅛⅜⅝⅞"
_FIGURES = rf"\d[\d,]*(?:\.\d+)?(?:[ ]?[{_PARTS}]|/\d+|×10[{SUPERSCRIPTS}]+)?(?:[百千]?[万萬亿億]+)?"
_CHINESE = rf"[{STARTS}][{STARTS}百佰千仟万萬亿億]*?{DECIMALS}"
_NOT_IN_NUMBER = f"(?<![A-Za-z0-9_.,/{STARTS}百千万亿几幾数數好])"
_NOT_AFTER_LABEL = "(?<![第图表章节例骤])(?<![第图表章节例骤] )"
_QUANTITY = re.compile(
    rf"(?P<sign>零下|[{COMPARISONS}±<>~]|(?<![A-Za-z0-9)])[+-])?[ ]?{_NOT_AFTER_LABEL}{_NOT_IN_NUMBER}"
    rf"(?P<first>{_FIGURES}|{_CHINESE})"
    rf"(?:[ ]?(?P<to>[~±×–—-]|至|到)[ ]?(?P<last>{_FIGURES}|{_CHINESE}))?(?P<more>[多余餘])?[ ]?"
    rf"(?P<unit>{_NAME})(?:[/每](?P<per>{_NAME}|{'|'.join(_PER)}))?(?![一二三四五六七八九])"
)
_BELOW_ZERO = re.compile(rf"零下(?P<first>{_FIGURES}|{_CHINESE})(?P<last>(?P<to>))?度")
_SUM = re.compile(
    rf"(?P<currency>(?P<of>(?<![A-Za-z])[A-Z]{{1,3}})?[${CURRENCIES}]"
    r"|(?<![A-Za-z])(?:RMB|CNY|USD|EUR|GBP|JPY|HKD)[ ]?)"
    rf"[ ]?(?P<number>\d[\d,]*(?:\.\d+)?)(?P<scale>[百千]?{LARGE_MARK}+)?"
    rf"(?:元?/(?P<per>{_NAME})|元|(?<={LARGE_MARK})|(?(of)|(?!)))"
)
SHARE = re.compile(
    rf"{_NOT_IN_NUMBER}(?:(?P<whole>\d+|{_CHINESE})又)?(?P<of>百万|[百千万]|\d+|{_CHINESE})分之"
    rf"(?P<part>\d+(?:\.\d+)?|{_CHINESE}(?![{STARTS}]))"
)
RATIO = re.compile(
    rf"(?<!第){_NOT_IN_NUMBER}(?P<first>\d+|{_CHINESE})比(?P<last>\d+|{_CHINESE})"
    rf"(?![A-Za-z0-9_.:{STARTS}百千万大小多少高低好快慢强弱长短远更还要增减上下涨跌提降])"
)
_ERA = re.compile(rf"(?:中华)?(?P<era>{'|'.join(ERAS)})(?P<year>元|\d{{1,3}}|{_CHINESE})(?=年(?!代))")
_AND_A_HALF = re.compile(
    rf"{_NOT_IN_NUMBER}(?P<number>\d+|{_CHINESE})(?:个半(?P<what>小时|钟头|月|星期)|(?P<one>[周年天倍])半(?![数价夜空载]))"
)
_MAX_IN_WORDS = 10
_LIMIT = re.compile(
    r"(?:(?P<at_least>至少不[少低]于|不[少小下短]于)|(?P<at_most>[至最]多不超过|不[多大高长]于|至多)"
    rf"|(?P<less_than>[未不]满|不足|不到)|(?P<aged>[年已]?满))[ ]?$|[{COMPARISONS}±]$"
)
"""Limits, which a model often reverses."""
_LIMIT_AFTER = re.compile("(?P<up_to>[以之]内)|[及或含]?以(?:(?P<down>下(?![功内方步示列代命]))|(?P<up>上))")
_AGED = re.compile("[年已]?满$")
_OF_AGE = re.compile("岁(?!以[上下])")
_COUNTERS = read_pairs("counters.tsv")
_COUNTED = re.compile(
    rf"{_NOT_IN_NUMBER}(?P<number>半|\d[\d,]*(?:\.\d+)?|{_CHINESE})[ ]?(?![\d.,点{STARTS}百千万亿倍成])"
    rf"(?P<of>{'|'.join(sorted(_COUNTERS, key=len, reverse=True))})?(?![级代度半岁])"
)
_KINDS_WITHOUT_LIMIT = ("date", "year", "ordinal", "score", "formula", "mark", "kept", "few")
_ANY_SYMBOL = "|".join(map(re.escape, sorted(_SYMBOLS, key=len, reverse=True)))
_UNIT_AFTER = re.compile(rf"[ ]?(?:(?P<name>{_NAME})|(?P<symbol>{_ANY_SYMBOL})(?![A-Za-z0-9²³_-]))")
_RATES = {name: re.compile(rf"(?:\b|\d)(?:{names})\b") for name, names in read_pairs("rates.tsv").items()}
_RATES |= {name: unit.pattern for name, unit in (*_SYMBOLS.items(), *_NAMES.items()) if name not in _RATES}
_RATE = re.compile(
    rf"[元块]?/(?P<name>{'|'.join(map(re.escape, sorted(_RATES, key=len, reverse=True)))})(?![A-Za-z0-9²³/])"
)


def unit_after(text: str, end: int) -> tuple[Unit, int] | None:
    if (match := _UNIT_AFTER.match(text, end)) is None:
        return None
    return _NAMES[match["name"]] if match["name"] else _SYMBOLS[match["symbol"]], match.end()


def rate_after(text: str, end: int) -> tuple[re.Pattern[str], int] | None:
    """The unit after a slash at `end` (/斤, /h), as a pattern of its English names, and its end; or None."""
    return (_RATES[match["name"]], match.end()) if (match := _RATE.match(text, end)) else None


def find_quantities(text: str) -> Iterator[Numeral]:
    for pattern, read in _KINDS:
        for match in pattern.finditer(text):
            if renderings := tuple(read(match)):
                after = _DE[match.re].match(text, match.end()) if match.re in _DE else None
                yield Numeral(match.start(), (after or match).end(), "quantity", renderings)


def with_limits(text: str, numerals: Iterable[Numeral]) -> Iterator[Numeral]:
    """The numerals, and numerals that include a sign or limits: ≥五百元, 不少于五百元, 三年以上七年以下."""
    minima: dict[int, Numeral] = {}
    for item in sorted(chain(numerals, _counted(text)), key=lambda each: each.start):
        if text.startswith("周岁", item.end):
            item = replace(item, end=item.end + 1)  # include 周, which a model confuses with weeks
        if item.kind not in ("counted", "few", "half"):
            yield item
        rendering, is_count = item.renderings[0], item.kind == "counted"
        before = _LIMIT.search(text, max(item.start - 6, 0), item.start)
        after = _LIMIT_AFTER.match(text, item.end)
        if before and not is_count and not rendering.startswith("more"):
            limit = before.lastgroup
            lead = f"{limit} ".replace("_", " ").replace("aged", "at least") if limit else before.group()
            is_unit = limit != "less_than" or item.kind in ("half", "quantity")
            if is_unit and (limit != "aged" or _OF_AGE.match(text, item.end)):
                yield _with_lead(lead, item, before.start(), item.end)
        elif not after or (item.kind in _KINDS_WITHOUT_LIMIT and not rendering.endswith("%")):
            continue
        elif after["up_to"] and item.kind != "kept" and (not is_count or rendering.endswith("people")):
            is_in = item.kind == "half" and text[: item.start].endswith(("在", "于"))
            yield _with_lead("within " if is_in else "up to ", item, item.start - is_in, after.end())
        elif after["up"]:
            minima[after.end()] = minima[after.end() + text.startswith((*COMMAS,), after.end())] = item
        elif after["down"] and (lower := minima.get(item.start)):
            shared = {*rendering.split()[1:]} - {"million", "billion", "trillion"}
            low = " ".join(word for word in lower.renderings[0].split() if word not in shared)
            aged = _AGED.search(text, max(lower.start - 2, 0), lower.start)
            yield _with_lead(f"{low} to ", item, aged.start() if aged else lower.start, after.end())


def _with_lead(lead: str, item: Numeral, start: int, end: int) -> Numeral:
    return replace(item, start=start, end=end, renderings=tuple(lead + each for each in item.renderings))


def _counted(text: str) -> Iterator[Numeral]:
    """Numbers that a caller protects only together with a limit: 五, 十人, 半年."""
    for match in _COUNTED.finditer(text):
        number, name = match["number"], _COUNTERS.get(match["of"] or "", "")
        if number == "半" and name.endswith("s"):
            yield Numeral(*match.span(), "half", (f"half a{'n' * (name == 'hours')} {name[:-1]}",))
        elif (value := value_of(number)) is not None:
            count = in_words(int(value)) if number.isalpha() and value <= _MAX_IN_WORDS else _figures(number)
            name = name.replace("people", "person").removesuffix("s") if value == 1 else name
            yield from [Numeral(*match.span("number"), "few", (str(count),))] * (len(number) == 1)
            yield Numeral(*match.span(), "counted", (f"{count} {name}".strip(),))


def _figures(numeral: str) -> str | None:
    if numeral[-1].isascii() or numeral[-1] in _PARTS + SUPERSCRIPTS:
        return numeral
    if (value := value_of(numeral)) is None or value >= 10**6:
        return None if value is None else large(value)[0]
    return f"{plain(value)}" if value < 10**3 else f"{value.normalize():,f}"


def _between(match: re.Match[str]) -> str | None:
    figures = [_figures(each) for each in match.group("first", "last") if each]
    mark = match["to"] if (match["to"] or "-") in "±×" else "-"
    return None if None in figures else (mark or "-").join(filter(None, figures))


def _quantity(match: re.Match[str]) -> Iterator[str]:
    figures, unit = _between(match), _NAMES[match["unit"]]
    if figures is None:
        return
    lead = ("more than " if match["more"] else "") + (match["sign"] or "").replace("零下", "-")
    if match["per"]:
        per = _PER.get(match["per"]) or _NAMES[match["per"]].english
        yield f"{lead}{unit.with_figures(figures, False)}/{per}"
        return
    yield lead + unit.with_figures(figures, match.string.startswith("的", match.end()))
    for name in (unit.english, *unit.others, *(f"{each}s" for each in unit.others)):
        yield from (f"{lead}{figures}{space}{name}" for space in (" ", "-", ""))


def _below_zero(match: re.Match[str]) -> Iterator[str]:
    if figures := _between(match):
        yield from (f"minus {figures} degrees", f"-{figures} degrees", f"{figures} degrees below zero")


def _sum(match: re.Match[str]) -> Iterator[str]:
    figures = _figures(match["number"] + (match["scale"] or ""))
    currency = match["currency"].replace("￥", "¥")
    if figures is not None:
        yield f"{currency}{figures}" + (f"/{_NAMES[match['per']].english}" if match["per"] else "")


def share_of(match: re.Match[str]) -> tuple[Decimal | None, Decimal | None]:
    wholes = {"万": Decimal(10**4), "百万": Decimal(10**6), "百": Decimal(100), "千": Decimal(1000)}
    return value_of(match["part"]), wholes.get(match["of"]) or value_of(match["of"])


def _share(match: re.Match[str]) -> Iterator[str]:
    """万分之五 is 0.05%, 百万分之三 is 3 ppm, 四分之三 is three-quarters, and 十六分之三 is 3/16."""
    part, whole = share_of(match)
    if part is None or not whole or whole in (100, 1000):
        return
    if whole > 1000 and not whole % 1000:
        percent = plain(part * 100 / whole)
        ppm = (f"{plain(part)} ppm", f"{plain(part)} parts per million")
        yield from ppm if whole == 10**6 else (f"{percent}%", f"{percent} percent")
        return
    mixed = f"{_figures(match['whole']) or ''} " if match["whole"] else ""
    names = {2: "half", 4: "quarter"}
    following = _DE[SHARE].match(match.string, match.end())
    ending = "" if following is None else " of people" if following[1] else " of"
    count, name = in_words(int(part)), names.get(int(whole)) or ordinal_words(int(whole))
    if part % 1 == 0 and count and name and not mixed and part < whole <= _MAX_IN_WORDS:
        yield from (f"{count}{space}{name}{'s' * (part > 1)}{ending}" for space in "- ")
    yield f"{mixed}{plain(part)}/{plain(whole)}{ending}"


def _ratio(match: re.Match[str]) -> Iterator[str]:
    first, last = map(value_of, match.group("first", "last"))
    if first is not None and last is not None:
        yield from (f"{plain(first)}{to}{plain(last)}" for to in (" to ", ":", "-"))


def _and_a_half(match: re.Match[str]) -> Iterator[str]:
    if (value := value_of(match["number"])) is not None:
        yield f"{plain(value + Decimal('0.5'))} {_COUNTERS[match['one'] or '个' + match['what']]}"


def _decade(match: re.Match[str]) -> Iterator[str]:
    """二十世纪九十年代 and 九十年代 are the 1990s; 二十年代 has no rendering, as its century is unknown."""
    reading = None if match.string.endswith(tuple(ERAS), 0, match.start()) else read_decade(match)
    decade = reading.ways[0][0] if reading else None
    if isinstance(decade, Decimal) and decade >= 50:
        yield from (f"{article}{decade if decade > 100 else 1900 + decade}s" for article in ("the ", ""))


def _tenths(match: re.Match[str]) -> Iterator[str]:
    tens, more = value_of(match["tens"]), value_of(match["more"] or "零")
    if tens is not None and more is not None:
        yield from (f"{plain(tens * 10 + more)}{percent}" for percent in ("%", " percent", " per cent"))


def _era(match: re.Match[str]) -> Iterator[str]:
    value = Decimal(1) if match["year"] == "元" else value_of(match["year"])
    if value is not None:
        yield str(ERAS[match["era"]] + int(value))


_DE = {
    _QUANTITY: re.compile("的"),
    SHARE: re.compile("的(人(?![口员类民们生工才物均力士事家格]))|(?=个)"),
}
"""Patterns of text that follows a match and belongs to it: 三分之二的人 is two-thirds of people."""
_KINDS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Iterator[str]]], ...] = (
    (_QUANTITY, _quantity), (_BELOW_ZERO, _below_zero), (_SUM, _sum), (SHARE, _share), (RATIO, _ratio),
    (TENTHS, _tenths), (_ERA, _era), (_AND_A_HALF, _and_a_half), (DECADE, _decade),
)  # fmt: skip
