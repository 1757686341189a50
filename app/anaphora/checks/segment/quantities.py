"""Signs, units, shares and limits that an English translation of Chinese lacks or turns round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from anaphora.checks.limits import limit_at, strict_limits, ways_said
from anaphora.checks.segment.check import Check, Said, plain_signs, translate
from anaphora.core.language_pair import LanguagePair
from anaphora.core.remarks import RemarkKind
from anaphora.core.text import without_kept_addresses
from anaphora_text.numbers.amount_readings import TENTHS
from anaphora_text.numbers.chinese import value_of
from anaphora_text.numbers.english import Said as Number
from anaphora_text.numbers.english import said_numbers
from anaphora_text.numbers.quantities import RATIO, SHARE, share_of, unit_behind
from anaphora_text.numbers.readings import Item, Reading, rounded
from anaphora_text.numbers.source_numbers import read_numbers

QUANTITY = Check(
    "quantity-differs",
    translate("Quality", "The sign, unit or share of “{0}” is missing or another one."),
    RemarkKind.NUMBERS,
)
LIMIT = Check(
    "limit-differs", translate("Quality", "The limit “{0}” is missing or reversed."), RemarkKind.NUMBERS
)
CHECKS = (QUANTITY, LIMIT)

_NEAR = 32
"""Characters beside a number in which its sign, unit or limit is looked for."""
_YUAN = r"¥|yuan|RMB|CNY|renminbi|\bkuai\b"
_SIGNS = {
    "零下": r"minus|below|negative|[-−–]\d|sub",
    "±": r"±|\+/-|\+-|plus[ -](?:or|and)[ -]minus|tolerance|within|either way",
    "≈": r"≈|~|approx|about|around|roughly|some|nearly|almost|circa",
    "≠": r"≠|!=|not|n't|other than|differ|unequal",
    "¥": rf"{_YUAN}|yen|JPY",
    "€": r"€|euro|EUR",
    "£": r"£|pound|sterling|GBP|quid",
    "₩": r"₩|won\b|KRW",
    "₹": r"₹|rupee|INR|Rs",
    "₽": r"₽|ro?uble|RUB",
    "$": r"\$|dollar|USD|buck",
    "‰": r"‰|per ?mil|per thousand|per 1,?000|in 1,?000|in a thousand|of 1,?000",
    "%": r"%|percent|per cent|pct|percentage",
    "°": r"°|º|˚|degree|deg\b|Celsius|Fahrenheit|centigrade|\d ?[CF]\b",
    "×": r"×|x|X|\*|times|\bby\b|multipl|·|⋅|fold",
    "÷": r"÷|/|divi",
}
"""What English writes for a sign."""
_CURRENCIES = {"美元": "$", "美金": "$", "欧元": "€", "英镑": "£", "韩元": "₩", "卢比": "₹", "卢布": "₽"}
_SIGN_BEFORE = re.compile(r"(零下|[±≈≠¥€£₩₹₽$])[ +-]*$")
_SIGN_BEHIND = re.compile(rf"[ ]?(?:([‰%°€£₩])|({'|'.join(_CURRENCIES)}))")
_POWER = re.compile(r"(?<=\d)\^(?P<power>-?\d+)")
_OPERATOR = re.compile(r"(?<=[\w)])[ ]?([×÷])[ ]?(?=[\w(])")


def find(source: str, target: str, pair: LanguagePair) -> Iterator[Said]:
    if not pair.is_chinese_to_english:
        return
    given, said = map(plain_signs, without_kept_addresses(source, target))
    numbers = said_numbers(said)
    values = {item for number in numbers for item in number.items}
    worded = any(not number.figures for number in numbers)
    yield from ((QUANTITY, shown) for shown in _shares(given, values, worded))
    limited = False
    for reading in read_numbers(given):
        near = _stretches(reading, numbers, said)
        if near and (shown := _wanting(given, reading, near)):
            yield QUANTITY, shown
        elif given.startswith("百分之", reading.start):
            exact = _stretches(replace(reading, ways=reading.ways[:1]), numbers, said)
            if exact and not _stands(rf"{_SIGNS['%']}|hundred", exact):
                yield QUANTITY, given[reading.start : reading.end]
        if limit := limit_at(given, reading.start, reading.end):
            limited = True
            way, start, end = limit
            ways = [ways_said(text) for text in near]
            if not any(way in each for each in ways) and (any(ways) or way not in ways_said(said)):
                if near or ways_said(said):
                    yield LIMIT, given[start:end]
    everywhere = ways_said(said)
    for way, words in () if limited else strict_limits(given):
        if way not in everywhere and everywhere:
            yield LIMIT, words
    for sign in dict.fromkeys(_OPERATOR.findall(given)):
        if not re.search(_SIGNS[sign], said):
            yield QUANTITY, sign


def _shares(text: str, said: set[Item], worded: bool) -> Iterator[str]:
    """The shares and ratios that a translation does not say: two thirds, 30%, 7 to 5."""
    for match in SHARE.finditer(text):
        part, whole = share_of(match)
        if part is None or not whole:
            continue
        name: Item = {2: "half", 4: "quarter"}.get(int(whole), whole)
        share = (part / whole).normalize()
        figures = {way[0] for each in (share, share * 100) for way in rounded(each)} if share >= Decimal("0.01") else set()
        figures |= {share, (share * 100).normalize() + 0, *({share * 1000 + 0} if whole >= 1000 else ())}
        has_whole = bool({name, whole} & said)
        says_both = has_whole and (part in said or (part == 1 and (worded or "quarter" in said)))
        halves = share == Decimal("0.5") and "half" in said
        if not (says_both or halves or figures & said or (whole >= 1000 and part in said and whole in said)):
            yield match.group()
    for match in RATIO.finditer(text):
        both = {value_of(match["first"]), value_of(match["last"])}
        if None not in both and not both <= said:
            yield match.group()
    for match in TENTHS.finditer(text):
        tens, more = value_of(match["tens"]), value_of(match["more"] or "零")
        before = text[match.start() - 1 : match.start()]
        if tens is None or more is None or value_of(before or "-") is not None or before in ("几", "数", "分"):
            continue
        percent = tens * 10 + more
        if not {percent, percent / 100, Decimal(10), Decimal(5), "half", 100 - percent} & said:
            yield match.group()


def _stretches(reading: Reading, numbers: Sequence[Number], text: str) -> list[str]:
    """What stands around the number in the translation, at each place where it says it."""
    items = {item for way in reading.ways for item in way}
    places = (number for number in numbers if not items.isdisjoint(number.items))
    return [text[max(each.start - _NEAR, 0) : each.end + _NEAR] for each in places]


def _wanting(text: str, reading: Reading, near: Sequence[str]) -> str:
    """A number with the sign or unit that stands at none of some places."""
    start, end = reading.start, reading.end
    if before := _SIGN_BEFORE.search(text, max(start - 4, 0), start):
        if not _stands(_SIGNS[before[1]], near):
            return text[before.start() : end]
    if behind := _SIGN_BEHIND.match(text, end):
        if not _stands(_SIGNS[behind[1] or _CURRENCIES[behind[2]]], near):
            return text[start : behind.end()]
    thousands = text[end - 1] in "千兆"
    unit = unit_behind(text, end - 1) or unit_behind(text, end) if thousands else unit_behind(text, end)
    if unit and not any(map(unit[0].said.search, near)):
        return text[start : unit[1]]
    if (power := _POWER.match(text, end)) and not _stands(rf"\^{power['power']}|illion|thousand|power", near):
        return text[start : power.end()]
    return ""


def _stands(pattern: str, near: Sequence[str]) -> bool:
    return any(re.search(pattern, text) for text in near)
