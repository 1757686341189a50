"""The values of Chinese numerals: 三万五, 两千零五, 廿一, 參萬伍仟, 1.2万亿, 二〇二五."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

DIGITS = {
    digit: value
    for value, digits in enumerate(
        ("零〇○", "一壹", "二两贰兩貳", "三叁參", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖")
    )
    for digit in digits
}
_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_AFTER_LIANG = ("百", "千", "佰", "仟")
_LARGE = (("亿億", 10**8), ("万萬", 10**4))
SCALES = {**_SMALL, **{mark: scale for marks, scale in _LARGE for mark in marks}}
_ZERO = "零〇○"
_TENS = {"廿": "二十", "卅": "三十", "卌": "四十"}
_TENS_WRITTEN_OUT = str.maketrans(_TENS)

D = "".join(DIGITS)
LARGE_MARK = "[万萬亿億]"
STARTS = f"{D}十拾{''.join(_TENS)}"
"""First characters of numerals, for character sets; 百, 千 and 万 alone are often not numbers."""
CHINESE = rf"[{STARTS}][{STARTS}百佰千仟万萬亿億]*"
DECIMALS = rf"(?:[点點][{D}]+(?:[百佰千仟]?{LARGE_MARK}+)?)?"
ASCII = r"(?<![A-Za-z0-9_.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![A-Za-z0-9_.,])\d+(?:\.\d+)?"
ERAS = {
    "民国": 1911, "明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018,
    "顺治": 1643, "康熙": 1661, "雍正": 1722, "乾隆": 1735, "嘉庆": 1795, "道光": 1820, "咸丰": 1850,
    "同治": 1861, "光绪": 1874, "宣统": 1908,
}  # fmt: skip
"""The year before the first year of each era of Japan, of the Qing emperors and of the Republic of China."""
MAX_LENGTH = 50
_STEPS = re.compile(r"(?:\d[千仟])?(?:\d[百佰])?(?:\d[十拾])?\d?")
"""Matches figures before each unit, as in 5千3百."""


@lru_cache(maxsize=1024)
def value_of(numeral: str) -> Decimal | None:
    """The value of a numeral in Chinese, ASCII or mixed characters; None if it is not well formed."""
    if len(numeral) > MAX_LENGTH:
        return None
    return _value(numeral.replace(" ", "").replace(",", "").translate(_TENS_WRITTEN_OUT))


def _value(numeral: str) -> Decimal | None:
    for marks, scale in _LARGE:
        place = max(map(numeral.rfind, marks))
        if place >= 0:
            high = _value(numeral[:place]) if place else None
            low = _value_after_unit(numeral[place + 1 :], scale)
            is_single = not any(mark in numeral[:place] for mark in marks)  # not 三亿五亿
            return high * scale + low if high is not None and low is not None and is_single else None
    return _section(numeral)


def _value_after_unit(numeral: str, scale: int) -> Decimal | None:
    """The value of the part after 万 or 亿; a single digit counts tenths of this unit: 三万五 is 35,000."""
    if not numeral:
        return Decimal(0)
    if len(numeral) == 1 and numeral not in _ZERO:
        digit = _section(numeral)
        return digit * scale / 10 if digit is not None else None
    value = _value(numeral.lstrip(_ZERO) or "零")
    return value if value is not None and value < scale else None


def _section(numeral: str) -> Decimal | None:
    whole, point, decimals = numeral.replace("點", "点").partition("点")
    if point:
        integer = _section(whole)
        if integer is None or not decimals or any(mark not in DIGITS for mark in decimals):
            return None
        return integer + Decimal("0." + ascii_digits(decimals))
    if numeral[:1].isdigit() and numeral[:1].isascii():
        match = re.fullmatch(r"(\d+(?:\.\d+)?)([十拾百佰千仟]?)", numeral)
        if match is not None:
            return Decimal(match[1]) * _SMALL.get(match[2], 1)
        return _hundreds(numeral.translate(_CHINESE_DIGITS)) if _STEPS.fullmatch(numeral) else None
    return _hundreds(numeral)


_CHINESE_DIGITS = str.maketrans("0123456789", "零一二三四五六七八九")


def _hundreds(numeral: str) -> Decimal | None:
    total, digit, last_unit, has_gap = 0, None, 10**4, False
    for place, mark in enumerate(numeral):
        if mark in _ZERO:
            if digit is not None or (place == 0 and len(numeral) > 1):
                return None
            if len(numeral) == 1:
                return Decimal(0)
            has_gap = True
        elif mark in DIGITS:
            if digit is not None or (mark == "两" and place and numeral[place + 1 :][:1] not in _AFTER_LIANG):
                return None
            digit = DIGITS[mark]
        else:
            unit = _SMALL.get(mark)  # an ASCII digit between Chinese ones is not a unit
            if (
                unit is None
                or unit >= last_unit
                or (digit is None and not (unit == 10 and (place == 0 or has_gap)))
            ):
                return None
            total, last_unit, digit, has_gap = total + (digit or 1) * unit, unit, None, False
    if digit is not None:
        follows_unit = last_unit in (100, 1000) and not has_gap
        total += digit * (last_unit // 10 if follows_unit else 1)
    return Decimal(total)


def ascii_digits(numeral: str) -> str:
    return "".join(mark if mark.isascii() else str(DIGITS[mark]) for mark in numeral)
