"""Signs, formulas and marks that a translation copies: ≤36V, ¥98,000, 3×10⁸m/s, H₂O, ●, ①, ★."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import regex

from anaphora_text.numbers.numerals import Numeral

SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ"
COMPARISONS = "≤≥≦≧⩽⩾≈≒≠"
CURRENCIES = "¢-¥฿₠-⃏￠￡￥￦"
"""Currency signs without $, which also occurs in code and which a model copies correctly."""
_SQUARED = r"\u3371-\u33df"
_OPERATORS = f"±∓×÷∙√∞∼−{COMPARISONS}"
_FORMULA = rf"{_OPERATORS}{SUPERSCRIPTS}₀-₎¼-¾⅐-⅞‰‱°′″℃℉№Ωμµ{_SQUARED}"
"""Signs that turn letters and figures beside them into a formula."""
_SPACE = rf"(?<=[\d{CURRENCIES}]) (?=[½¼¾])|(?<=[{CURRENCIES}]) (?=\d)|(?<=\d) (?=[cdkmμµn]?m[²³])"
_TERM = rf"(?:[A-Za-z0-9%Α-ωµ{_FORMULA}{CURRENCIES}]|{_SPACE}|(?<=\d)[.,](?=\d))+"
_OPERATOR_BETWEEN = rf"(?: ?[=<>{_OPERATORS}] ?|[-+*/~])[-+]?"
_RUN = regex.compile(
    rf"(?<![A-Za-z0-9_.])(?:(?:零下|[-+<>~])(?=[\d{CURRENCIES}])|[{_OPERATORS}] ?)?"
    rf"{_TERM}(?:(?:{_OPERATOR_BETWEEN}|个/){_TERM})*",
    regex.V1,
)
_MAKES_FORMULA = regex.compile(rf"[{_FORMULA}{CURRENCIES}]|[\d%]~[-+]?\d")
_MARKS = regex.compile(
    r"(?!(?<=[\p{L}])[←-⇿]\p{L})"
    r"(?:[[\p{So}\p{Sm}\p{No}※§†‡•\U0001f3fb-\U0001f3ff]--[+<=>|~¬\ufffd]]|[0-9#*](?=\ufe0f?\u20e3))"
    r"(?:[[\p{So}\p{No}\ufe0f\u20e3\U0001f3fb-\U0001f3ff]--\ufffd])*",
    regex.V1,
)
"""Marks except arrows between words (文件→打开), which a model translates correctly."""
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SQUARE = str.maketrans("23", "²³")


def find_signs(text: str) -> Iterator[Numeral]:
    """The formulas and marks of a text, of the kinds "formula" and "mark"."""
    for match in _RUN.finditer(text):
        if _MAKES_FORMULA.search(match.group()) and any(map(str.isalnum, match.group())):
            yield Numeral(match.start(), match.end(), "formula", (_in_english(match.group()),))
    for match in _MARKS.finditer(text):
        yield Numeral(match.start(), match.end(), "mark", (_in_english(match.group()),))


def narrowed(text: str) -> str:
    return text if text.isascii() else "".join(map(plain_sign, text)).translate(_NARROW)


def is_mark(text: str) -> bool:
    return _MARKS.fullmatch(text) is not None


def _in_english(sign: str) -> str:
    text = "".join(map(plain_sign, sign)).replace("№", "No. ").replace("零下", "-").replace("个", "")
    return regex.sub(r"(?<=[\w%°])~(?=\d)", "-", regex.sub(r"(?<=[\w%°])~(?=[-+])", " to ", text))


def plain_sign(char: str) -> str:
    """The plain form of a wide or squared character: °C for ℃, m² for ㎡, ¥ for ￥."""
    plain = unicodedata.normalize("NFKC", char)
    if "\u3371" <= char <= "\u33df":
        return plain.translate(_SQUARE)
    return plain if "\uffe0" <= char <= "\uffe6" or char in "℃℉" else char
