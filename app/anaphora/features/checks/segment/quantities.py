"""Signs, units, shares and limits that an English translation of Chinese lacks or turns round."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from decimal import Decimal
from functools import cache
from itertools import islice

from anaphora.core.language_pair import LanguagePair
from anaphora.core.text import without_kept_addresses
from anaphora.features.checks.limits import limit_at, strict_limits, ways_said
from anaphora.features.checks.remarks import RemarkKind
from anaphora.features.checks.segment.check import Check, Said, plain_signs, translate
from anaphora_text.numbers.amount_readings import TENTHS
from anaphora_text.numbers.chinese import value_of
from anaphora_text.numbers.english import Said as Number
from anaphora_text.numbers.english import said_numbers
from anaphora_text.numbers.quantities import RATIO, SHARE, share_of, unit_behind
from anaphora_text.numbers.readings import Item, Reading, Way, each, rounded, trimmed
from anaphora_text.numbers.source_numbers import read_numbers
from anaphora_text.stop_words import read_pairs

QUANTITY = Check(
    "quantity-differs",
    translate("Quality", "The sign, unit or share of “{0}” is missing or another one."),
    RemarkKind.NUMBERS,
)
LIMIT = Check(
    "limit-differs", translate("Quality", "The limit “{0}” is missing or reversed."), RemarkKind.NUMBERS
)
CHECKS = (QUANTITY, LIMIT)

_MOST_PLACES = 20
_NEAR = 32
"""Characters beside a number in which its sign, unit or limit is looked for."""
_SIGNS = read_pairs("signs.tsv")
"""What English writes for a sign or currency, as a pattern."""
_SIGN_BEFORE = re.compile(r"(零下|[±≈≠¥€£₩₹₽$])[ +-]*$")
_SIGN_BEHIND = re.compile(r"[ ]?([‰%°€£₩]|[美欧韩]元|美金|英镑|卢[比布])")
_POWER = re.compile(r"(?<=\d)\^(?P<power>-?\d+)")
_OPERATOR = re.compile(r"(?<=[\w)])[ ]?([×÷])[ ]?(?=[\w(])")


def find(source: str, target: str, pair: LanguagePair) -> Iterator[Said]:
    if not pair.is_chinese_to_english:
        return
    given, said = map(plain_signs, without_kept_addresses(source, target))
    numbers = said_numbers(said)
    places: dict[Item, list[Number]] = defaultdict(list)
    for number in numbers:
        for item in number.items:
            places[item].append(number)
    yield from ((QUANTITY, shown) for shown in _shares(given, places.keys()))
    ways_near = cache(ways_said)  # one place may be the nearest of many limits
    everywhere, strict = ways_said(said), list(strict_limits(given))
    for reading in read_numbers(given):
        exact = _stretches(reading.ways[:1], places, said)
        if exact and (shown := _wanting(given, reading, exact)):
            yield QUANTITY, shown
        if limit := limit_at(given, reading.start, reading.end):
            way, start, end = limit
            near = _stretches(reading.ways, places, said)
            ways = set().union(*map(ways_near, near)) or everywhere
            if way not in ways and (near or ways):
                yield LIMIT, given[start:end]
        strict = [] if limit else strict
    yield from ((LIMIT, words) for way, words in strict if everywhere and way not in everywhere)
    for sign in dict.fromkeys(_OPERATOR.findall(given)):
        if not re.search(_SIGNS[sign], said):
            yield QUANTITY, sign


def _shares(text: str, said: Set[Item]) -> Iterator[str]:
    """The shares and ratios that a translation does not say: two thirds, 30%, 7 to 5."""
    for pattern, ways_of in ((SHARE, _ways_of_share), (RATIO, _ways_of_ratio), (TENTHS, _ways_of_tenths)):
        for match in pattern.finditer(text):
            if (ways := [*ways_of(match)]) and not any(said >= {*way} for way in ways):
                yield match.group()


def _ways_of_share(match: re.Match[str]) -> Iterator[Way]:
    part, whole = share_of(match)
    if part is not None and whole and whole != 100:  # a percentage is a number of its own
        name: Item = {2: "half", 4: "quarter"}.get(int(whole), whole)
        share = part / whole
        yield from ((part, name), (part, whole), *((name,) for _ in range(part == 1)))
        yield from each(
            trimmed(share), trimmed(share * 100), *(trimmed(share * 1000) for _ in range(whole >= 1000))
        )
        yield from (*rounded(share), *rounded(share * 100)) if share >= Decimal("0.01") else ()


def _ways_of_ratio(match: re.Match[str]) -> Iterator[Way]:
    first, last = map(value_of, match.group("first", "last"))
    if first is not None and last is not None:
        yield first, last


def _ways_of_tenths(match: re.Match[str]) -> Iterator[Way]:
    tens, more = value_of(match["tens"]), value_of(match["more"] or "零")
    if tens is not None and more is not None:
        percent = tens * 10 + more
        yield from each(percent, percent / 100, Decimal(10), Decimal(5), "half", 100 - percent)


def _stretches(ways: Iterable[Way], places: Mapping[Item, Sequence[Number]], text: str) -> list[str]:
    """What stands around the places where a translation says a number; of very many the first ones."""
    found = (place for way in ways for item in way for place in places.get(item, ()))
    return [text[max(each.start - _NEAR, 0) : each.end + _NEAR] for each in islice(found, _MOST_PLACES)]


def _wanting(text: str, reading: Reading, near: Sequence[str]) -> str:
    """A number with the sign or unit that stands at none of some places."""
    start, end = reading.start, reading.end
    before = _SIGN_BEFORE.search(text, max(start - 4, 0), start)
    if before and not _stands(_SIGNS[before[1]], near):
        return text[before.start() : end]
    behind = _SIGN_BEHIND.match(text, end)
    if behind and not _stands(_SIGNS[behind[1]], near):
        return text[start : behind.end()]
    if text.startswith("百分之", start) and not _stands(_SIGNS["百分之"], near):
        return text[start:end]
    unit = (text[end - 1] in "千兆" and unit_behind(text, end - 1)) or unit_behind(text, end)
    if unit and not any(map(unit[0].said.search, near)):
        return text[start : unit[1]]
    if (power := _POWER.match(text, end)) and not _stands(rf"\^{power['power']}|illion|thousand|power", near):
        return text[start : power.end()]
    return ""


def _stands(pattern: str, near: Sequence[str]) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE) for text in near)
