"""What shares, discounts, prices, measures, multiples and places in a row may be called in a translation."""

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
    plain_figures,
)

_PLAIN = rf"(?:{FIGURES}|{NUMERAL})"
_HAVE_WORDS = (25, 50, 75, 100)
_MOST = 10**6
"""Greater numbers have no other reading, and decimal arithmetic may give no remainder."""
_WHOLES = {"百": 100, "千": 1000, "万": 10_000, "百万": 10**6}
_SHARE = re.compile(rf"(?P<whole>百万|[百千万])分之(?P<part>{NUMBER}|百)")
_PERCENT = re.compile(rf"(?P<part>{FIGURES})(?=[ ]?%)")
_FRACTION = re.compile(rf"(?P<whole>{_PLAIN})分之(?P<part>{_PLAIN})")
_TENTHS = re.compile(
    r"(?P<tens>[一二两三四五六七八九])成(?P<more>[一二三四五六七八九])?(?![立为了就功员本果品长语交因分名家人年])"
)
_DISCOUNT = re.compile(
    r"(?P<strong>打|享受?|低至|仅|全场)?"
    rf"(?P<off>\d(?:\.\d)?|\d\d|[{D}]{{1,2}}|对)(?:点(?P<more>[{D}]))?[ ]?折"
    r"(?![叠线返磨腾射中旧合断扣现])"
)
_PRICE = re.compile(
    rf"(?P<whole>{NUMBER})(?:[块元](?P<tenths>[{D}\d])(?:[毛角](?P<hundredths>[{D}\d])?分?)?"
    rf"(?!(?!一[斤个件张本杯碗公])[{D}\d十百千万亿])"
    rf"|[米吨斤尺丈升亩](?P<more>[{D}])(?=$|\W|[的高长宽深重多左以]))"
)
"""三块五, 三元五角, 一米八."""
_TENTHS_OF_PRICE = re.compile(rf"(?P<tenths>[{D}\d])[毛角]")
_KILO = re.compile(
    rf"(?P<number>{FIGURES}|[{D}十百]{{1,6}})(?P<kilo>[千兆])"
    r"(?P<unit>米|克|瓦|卡|伏|字节|比特|赫|帕|焦|欧|安)"
)
_MEASURE = re.compile(
    rf"(?P<number>{NUMBER})[ ]?"
    r"(?P<unit>公里|英里|海里|公斤|市斤|英亩|公亩|斤|里|亩|打|对|双|尺|寸|丈)(?!面|程)"
)
_FACTORS = {
    "斤": ("0.5", "500"), "市斤": ("0.5", "500"), "里": ("0.5", "500"), "公里": ("1000",), "公斤": ("1000",),
    "打": ("12",), "对": ("2",), "双": ("2",),
}  # fmt: skip
_MU = {"亩": 15}
_TIMES = re.compile(rf"(?P<number>{NUMBER})[ ]?(?P<of>倍)(?P<half>半)?")
_DOUBLING = re.compile(r"翻(?:了)?(?P<number>[一二两三四五六1-6])?(?P<of>番|倍)")
_HALF = re.compile(r"一半|对半|半(?=数|价|[个分成]|[^导径圆])")
_AND_A_HALF = re.compile(rf"(?P<number>{NUMBER})[ ]?(?P<unit>[个张倍公斤里米杯碗块页本]{{1,2}})半")
_BASES = re.compile(r"(?P<number>二|八|十六|十|2|8|16|10)[ ]?进制")
_PLACE = re.compile(rf"第[ ]?(?P<number>{_PLAIN})(?P<quarter>季度)?")


def _share(match: re.Match[str]) -> Reading | None:
    """百分之五: 5%, 0.05, 5 in 100; 千分之五: 0.5%, 5‰, 5 in 1,000."""
    whole = Decimal(_WHOLES[match["whole"]])
    part = Decimal(100) if match["part"] == "百" else number_of(match["part"])
    if part is None:
        return None
    percent = (part * 100 / whole).normalize() + 0
    if whole == 100:
        ways: tuple[Way, ...] = ((percent,), ((percent / 100).normalize() + 0,), *_common(percent))
        return Reading(*match.span(), ways, percent != 100, "percent")
    ways = ((percent,), (part, whole), (whole,), (part,), ((part / whole).normalize() + 0,))
    return Reading(*match.span(), ways, part != 1, "share")


def _percent(match: re.Match[str]) -> Reading:
    """50%: half."""
    percent = plain_figures(match["part"])
    ways = ((percent,), (percent / 100,), *_common(percent))
    return Reading(*match.span(), ways if percent in _HAVE_WORDS else ((percent,),), True, "percent")


def _common(percent: Decimal) -> Iterator[Way]:
    """Shares that have a word, and tenths."""
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
    if not whole or part is None or max(whole, part) > _MOST:
        return None
    share = part / whole
    ways: list[Way] = [(part, whole), (part,), (whole,)]
    for value in (share, share * 100):
        for digits in ("1", "0.1", "0.01"):
            ways.append((value.quantize(Decimal(digits)).normalize() + 0,))
    ways += [("half",)] if share == Decimal("0.5") else []
    ways += [("quarter",), (part, "quarter")] if whole == 4 else []
    return Reading(*match.span(), tuple(ways), False, "fraction")


def _tenths(match: re.Match[str]) -> Reading | None:
    """三成 is 30%, 三成五 35%."""
    value = number_of(match["tens"])
    more = number_of(match["more"]) if match["more"] else Decimal(0)
    if value is None or more is None:
        return None
    percent = value * 10 + more
    ways: tuple[Way, ...] = ((percent,), (percent / 100,), (value,), *_common(percent))
    return Reading(*match.span(), ways, False, "tenths")


def _discount(match: re.Match[str]) -> Reading | None:
    """打八折 is 20% off, or at 80%; 八五折 15% off."""
    if match["off"] == "对":
        left = Decimal(50)
    else:
        written = match["off"] + (match["more"] or "")
        digits = [number_of(char) for char in written if char != "."]
        if None in digits:
            return None
        left = Decimal("".join(str(digit) for digit in digits).ljust(2, "0")[:2])
    ways: tuple[Way, ...] = ((100 - left,), (left,), ((left / 100).normalize(),), *_common(100 - left))
    return Reading(*match.span(), ways, bool(match["strong"]) and left > 10, "discount")


def _price(match: re.Match[str]) -> Reading | None:
    """三块五 and 三元五角 are 3.5 yuan, 一米八 is 1.8 m."""
    whole, tenths = number_of(match["whole"]), number_of(match["tenths"] or match["more"])
    hundredths = number_of(match["hundredths"]) if match["hundredths"] else Decimal(0)
    if whole is None or tenths is None or hundredths is None:
        return None
    value = whole + tenths / 10 + hundredths / 100
    ways: tuple[Way, ...] = ((value,), (whole, tenths), (whole, tenths * 10 + hundredths))
    return Reading(*match.span(), ways, True, "price")


def _tenths_of_price(match: re.Match[str]) -> Reading | None:
    tenths = number_of(match["tenths"])
    if tenths is None:
        return None
    ways: tuple[Way, ...] = ((tenths,), (tenths / 10,), (tenths * 10,))
    return Reading(*match.span("tenths"), ways, False, "price")


def _kilo(match: re.Match[str]) -> Reading | None:
    """3千米 is 3 km or 3,000 m."""
    value = number_of(match["number"])
    if value is None:
        return None
    written = match["number"]
    certain = written[0].isdigit() or len(written) > 1
    thousand = 1000 if match["kilo"] == "千" else 10**6
    ways = ((value,), (value * thousand,), (value * thousand / 1000,))
    return Reading(match.start(), match.end("kilo"), ways, certain, "measure")


def _measure(match: re.Match[str]) -> Reading | None:
    """三十斤 may be 15 kg, 两打 24."""
    value = number_of(match["number"])
    if value is None:
        return None
    written, unit = match["number"], match["unit"]
    ways: list[Way] = [(value,)]
    ways += [((value * Decimal(factor)).normalize() + 0,) for factor in _FACTORS.get(unit, ())]
    if unit in _MU and value < _MOST:
        hectares = value / _MU[unit]
        ways += [(hectares.quantize(Decimal(digits)).normalize() + 0,) for digits in ("1", "0.1", "0.01")]
    certain = written[0].isdigit() or len(written) > 1
    return Reading(*match.span("number"), tuple(ways), certain, "measure")


def _times(match: re.Match[str]) -> Reading | None:
    """增长三倍: three times, fourfold, by 300%."""
    value = number_of(match["number"])
    if value is None:
        return None
    if match["half"]:
        value += Decimal("0.5")
    written = match["number"]
    certain = written[0].isdigit() or len(written) > 1
    ways = ((value,), (value + 1,), (value * 100,), (value * 100 - 100,), (value - 1,))
    return Reading(*match.span("number"), ways, certain, "times")


def _doubling(match: re.Match[str]) -> Reading | None:
    """翻一番 is twice as much, 翻两番 four times."""
    value = number_of(match["number"]) if match["number"] else Decimal(1)
    if value is None:
        return None
    many = Decimal(2) ** int(value)
    ways = ((many,), (value,), (many * 100,), ((many - 1) * 100,))
    return Reading(*match.span(), ways, False, "times")


def _half(match: re.Match[str]) -> Reading:
    return Reading(*match.span(), (("half",), (Decimal(50),), (Decimal("0.5"),)), False, "half")


def _and_a_half(match: re.Match[str]) -> Reading | None:
    value = number_of(match["number"])
    if value is None:
        return None
    more = value + Decimal("0.5")
    return Reading(*match.span(), ((more,), (value, "half"), ("half",)), False, "half")


def _base(match: re.Match[str]) -> Reading | None:
    value = number_of(match["number"])
    if value is None:
        return None
    ways: tuple[Way, ...] = ((value,), (f"base {value}",))
    certain = match["number"][0].isdigit() or len(match["number"]) > 1
    return Reading(*match.span("number"), ways, certain, "base")


def _place(match: re.Match[str]) -> Reading | None:
    """第十五届: a place in a row is the number by itself."""
    value = number_of(match["number"])
    if value is None:
        return None
    certain = match["number"][0].isdigit() or len(match["number"]) > 1
    return Reading(*match.span("number"), ((value,),), certain, "place")


AMOUNT_RULES: tuple[Rule, ...] = (
    ("%", _PERCENT, _percent),
    ("分", _SHARE, _share),
    ("分", _FRACTION, _fraction),
    ("折", _DISCOUNT, _discount),
    ("成", _TENTHS, _tenths),
    ("块元米吨斤尺丈升亩", _PRICE, _price),
    ("毛角", _TENTHS_OF_PRICE, _tenths_of_price),
    ("千兆", _KILO, _kilo),
    ("半", _AND_A_HALF, _and_a_half),
    ("里斤亩打对双尺寸丈", _MEASURE, _measure),
    ("倍", _TIMES, _times),
    ("翻", _DOUBLING, _doubling),
    ("进", _BASES, _base),
    ("第", _PLACE, _place),
    ("半", _HALF, _half),
)
