"""Possible translations of shares, discounts, prices, measures, multiples and ordinals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from anaphora_text.numbers.readings import (
    FIGURES,
    NUMBER,
    NUMERAL,
    D,
    Reading,
    Rule,
    Way,
    number_of,
    reader,
    rounded,
    trimmed,
    ways_of,
)

_PLAIN = rf"(?:{FIGURES}|{NUMERAL})"
_PERCENTS_WITH_WORDS = (25, 50, 75, 100)
_MAX_TERM = 10**6
"""Maximum numerator and denominator; with greater numbers, decimal arithmetic may fail."""
_WHOLES = {"百": 100, "千": 1000, "万": 10_000, "十万": 10**5, "百万": 10**6}
_SHARE = re.compile(rf"(?<![{D}十百千])(?P<whole>[十百]万|[百千万])分之(?P<part>{NUMBER}|百)")
_QUARTERS = re.compile(r"(?<![\d/.])(?P<part>\d)/(?P<whole>[24])(?![\d/])")
_PERCENT = re.compile(rf"(?P<number>{FIGURES})(?=[ ]?%)")
_PER_MILLE = re.compile(rf"(?P<number>{FIGURES})(?=[ ]?‰)")
_FRACTION = re.compile(rf"(?P<whole>{_PLAIN})分之(?P<part>{_PLAIN})")
TENTHS = re.compile(
    rf"(?<![几数分十{D}])(?P<tens>[一二两三四五六七八九])成(?P<more>[一二三四五六七八九])?(?![不立为了就功员本果品长语交因分名家人年])"
)
_DISCOUNT = re.compile(
    r"(?P<strong>打|享受?|低至|仅|全场)?"
    rf"(?P<off>\d(?:\.\d)?|\d\d|[{D}]{{1,2}}|对)(?:点(?P<more>[{D}]))?[ ]?折"
    r"(?![叠线返磨腾射中旧合断扣现])"
)
_PRICE = re.compile(
    rf"(?P<number>{NUMBER})(?:[块元](?P<tenths>[{D}\d])(?:[毛角](?P<hundredths>[{D}\d])?分?)?"
    rf"(?!(?!一[斤个件张本杯碗公])[{D}\d十百千万亿])"
    rf"|[米吨斤尺丈升亩](?P<more>[{D}])(?=$|\W|[的高长宽深重多左以])|[米秒](?P<two>\d\d)(?![.,]?\d|[秒帧次个米毫]))"
)
"""Matches 三块五, 三元五角, 一米八 and 12秒88."""
_KILO = re.compile(
    rf"(?P<all>(?P<number>{FIGURES}|[{D}十百]{{1,6}})(?P<kilo>[千兆]))"
    r"(?:米|克|瓦|卡|伏|字节|比特|赫|帕|焦|欧|安)"
)
_MEASURE = re.compile(rf"(?P<number>{NUMBER})[ ]?(?P<unit>公里|公斤|市斤|斤|里|打|对|双)(?!面|程)")
_FACTORS = {
    "斤": ("0.5", "500"), "市斤": ("0.5", "500"), "里": ("0.5", "500"), "公里": ("1000",), "公斤": ("1000",),
    "打": ("12",), "对": ("2",), "双": ("2",),
}  # fmt: skip
_TIMES = re.compile(rf"(?P<number>{NUMBER})[ ]?倍(?P<half>半)?")
_HALF = re.compile(r"一半|对半|半(?=数|价|[个分成]|[^导径圆])")
_AND_A_HALF = re.compile(
    rf"(?P<number>{NUMBER})[ ]?[个张倍公斤吨升亩尺里米杯碗瓶块页本]{{1,2}}半(?![径圆球边])"
)
_BASES = re.compile(r"(?P<number>二|八|十六|十|2|8|16|10)[ ]?进制")
_PLACE = re.compile(rf"第[ ]?(?P<number>{_PLAIN})(?:季度)?")
_HALVES = (("half",), (Decimal(50),), (Decimal("0.5"),))


def _share(match: re.Match[str]) -> Reading | None:
    """百分之五 is 5%, 0.05 or 5 in 100; 千分之五 is 0.5%, 5‰ or 5 in 1,000."""
    whole = Decimal(_WHOLES[match["whole"]])
    part = Decimal(100) if match["part"] == "百" else number_of(match["part"])
    if part is None:
        return None
    percent = trimmed(part * 100 / whole)
    if whole == 100:
        ways: tuple[Way, ...] = (*ways_of(percent, trimmed(percent / 100)), *_fractions(percent))
        return Reading(*match.span(), ways, percent != 100, "percent")
    ways = ((percent,), (part, whole), *ways_of(whole, part, trimmed(part / whole)))
    return Reading(*match.span(), ways, part != 1, "share")


def _percent(match: re.Match[str], percent: Decimal) -> Iterator[Way]:
    """50% may be 0.5, or half."""
    yield (percent,)
    if percent in _PERCENTS_WITH_WORDS:
        yield (percent / 100,)
        yield from _fractions(percent)


def _fractions(percent: Decimal) -> Iterator[Way]:
    """Words and simple fractions for a percentage: "half", 3 in 10, 2 in 5."""
    if percent in (50, 25, 75):
        yield ("half",) if percent == 50 else ("quarter",)
    if percent > 100:
        return
    if not percent % 10:
        yield from ((percent / 10, Decimal(10)), (percent / 100,))
    if not percent % 20:
        yield percent / 20, Decimal(5)


def _fraction(match: re.Match[str]) -> Reading | None:
    whole, part = number_of(match["whole"]), number_of(match["part"])
    if not whole or part is None or max(whole, part) > _MAX_TERM:
        return None
    share = part / whole
    ways: list[Way] = [(part, whole), (part,), (whole,), *rounded(share), *rounded(share * 100)]
    ways += [("half",)] if share == Decimal("0.5") else []
    ways += [("quarter",), (part, "quarter")] if whole == 4 else []
    return Reading(*match.span(), tuple(ways), "/" in match.group(), "fraction")


def _tenths(match: re.Match[str]) -> Reading | None:
    """三成 is 30%, and 三成五 is 35%."""
    value, more = number_of(match["tens"]), number_of(match["more"] or "零")
    if value is None or more is None:
        return None
    percent = value * 10 + more
    ways = (*ways_of(percent, percent / 100, value), *_fractions(percent))
    return Reading(*match.span(), ways, False, "tenths")


def _discount(match: re.Match[str]) -> Reading | None:
    """打八折 is 20% off, or 80% of the price; 八五折 is 15% off."""
    price = Decimal(50)
    if match["off"] != "对":
        digits = [number_of(char) for char in match["off"] + (match["more"] or "") if char != "."]
        if None in digits:
            return None
        price = Decimal("".join(str(digit) for digit in digits).ljust(2, "0")[:2])
    ways = (*ways_of(100 - price, price, (price / 100).normalize()), *_fractions(100 - price))
    return Reading(*match.span(), ways, bool(match["strong"]) and price > 10, "discount")


def _price(match: re.Match[str], whole: Decimal) -> Iterator[Way]:
    """三块五 and 三元五角 are 3.5 yuan, 一米八 is 1.8 m."""
    tenths = number_of(match["tenths"] or match["more"] or "零")
    hundredths = number_of(match["hundredths"] or match["two"] or "零")
    if tenths is not None and hundredths is not None:
        yield (whole + tenths / 10 + hundredths / 100,)
        yield from ((whole, tenths), (whole, tenths * 10 + hundredths))


def _kilo(match: re.Match[str], value: Decimal) -> tuple[Way, ...]:
    """3千米 is 3 km or 3,000 m."""
    thousand = 1000 if match["kilo"] == "千" else 10**6
    return ways_of(value, value * thousand, value * thousand / 1000)


def _measure(match: re.Match[str], value: Decimal) -> tuple[Way, ...]:
    """三十斤 may be 15 kg, and 两打 may be 24."""
    return ways_of(value, *(trimmed(value * Decimal(factor)) for factor in _FACTORS[match["unit"]]))


def _times(match: re.Match[str], value: Decimal) -> tuple[Way, ...]:
    """增长三倍 may be three times, fourfold, or by 300%."""
    value += Decimal("0.5") if match["half"] else 0
    return ways_of(value, value + 1, value * 100, value * 100 - 100, value - 1)


def and_a_half(match: re.Match[str], value: Decimal) -> tuple[Way, ...]:
    """两个半 is 2.5, or two and a half."""
    return (value + Decimal("0.5"),), (value, "half"), ("and a half",)


AMOUNT_RULES: tuple[Rule, ...] = (
    ("%", _PERCENT, reader("percent", _percent, certain=True)),
    ("‰", _PER_MILLE, reader("share", lambda _, value: ways_of(value, trimmed(value / 10)), certain=True)),
    ("分", _SHARE, _share),
    ("分", _FRACTION, _fraction),
    ("/", _QUARTERS, _fraction),
    ("折", _DISCOUNT, _discount),
    ("成", TENTHS, _tenths),
    ("块元米吨斤尺丈升亩秒", _PRICE, reader("price", _price, certain=True)),
    ("千兆", _KILO, reader("measure", _kilo, "all")),
    ("半", _AND_A_HALF, reader("half", and_a_half, certain=True)),
    ("里斤打对双", _MEASURE, reader("measure", _measure, "number")),
    ("倍", _TIMES, reader("times", _times, "number")),
    ("进", _BASES, reader("base", lambda _, value: ways_of(value, f"base {value}"), "number")),
    ("第", _PLACE, reader("place", lambda _, value: ways_of(value), "number")),
    ("半", _HALF, lambda match: Reading(*match.span(), _HALVES, False, "half")),
)
