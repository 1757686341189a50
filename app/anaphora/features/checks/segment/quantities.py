"""Signs, units, shares, limits and negations that an English translation of Chinese lacks or reverses."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache, partial
from itertools import chain, islice

from anaphora.core.language_pair import LanguagePair
from anaphora.core.text import without_kept_addresses
from anaphora.features.checks.segment.check import Check, Finding, RemarkKind, plain_signs, translate
from anaphora_text import punctuation as signs
from anaphora_text.function_words import read_pairs
from anaphora_text.numbers.amount_readings import TENTHS
from anaphora_text.numbers.chinese import value_of
from anaphora_text.numbers.english import EnglishNumber as Number
from anaphora_text.numbers.english import english_numbers
from anaphora_text.numbers.numerals import in_words
from anaphora_text.numbers.quantities import RATIO, SHARE, rate_after, share_of, unit_after
from anaphora_text.numbers.readings import Item, Reading, Way, rounded, trimmed, ways_of
from anaphora_text.numbers.source_numbers import read_numbers, simplified

_WORDS = read_pairs("limits.tsv")
_UP, _DOWN = _WORDS["up"], _WORDS["down"]


def _direction_pattern(kind: str) -> str:
    return rf"(?:(?P<down>{_WORDS[f'{kind}_down']})|(?P<up>{_WORDS[f'{kind}_up']}))"


_STOPS = f"{signs.SENTENCE_ENDS}{signs.WIDE_SENTENCE_ENDS}{signs.PAUSES}{signs.WIDE_PAUSES}"
_MARKS = re.escape(_STOPS + "".join(signs.ROUND_BRACKET_PAIRS))
_LIMIT_BEFORE = re.compile(_direction_pattern("before"))
_LIMIT_AFTER = re.compile(rf" ?[^\d\s以之{_MARKS}]{{0,3}}? ?{_direction_pattern('behind')}")
_TIGHT_GAP = re.compile(r"[\s约为达至是±+¥￥$€£-]*")
_LOOSE_GAP = re.compile(rf"[^\d{_MARKS}]{{0,6}}")
_BOUNDS = ("最低", "最高", "最短", "最长", "最小", "最大", "最早", "最晚", "最迟", "下限", "上限")
_BEFORE_VERBS = ("至少", "最少", "至多", "最多", *_BOUNDS)
"""Limit words that a verb may separate from the number: 最多显示 5 行."""
SOFT_LIMITS = ("满", *_BOUNDS)
"""Limits that a translation may omit, but not reverse: 满18岁 can be "aged 18"."""
_STRICT = re.compile(_direction_pattern("strict"))
"""Words that state a limit even without a number: 不得高于标准值."""
_NOT = r"(?:\b(?:not|never|cannot|without)\b|n['’]t\b)"
_ASIDE = r"(?:above|below|under|over|within|in the (?:last|past))\b"
_LIMIT_WORDS = re.compile(
    rf"{_NOT}(?P<either>(?:\s+[\w-]+){{0,3}}?\s+(?:for|if|when|where|at|in)(?:\s+\w+){{0,3}}?\s+(?:{_UP}|{_DOWN})\b"
    rf"|(?:\s+[\w-]+){{1,4}}?(?<!\bbe)(?<!\bgo)(?<!fall)(?<!rise)(?<!drop)\s+{_ASIDE})"
    rf"|(?:{_NOT}(?:\s+[\w-]+){{0,4}}?|\b(?:no|neither|nor))\s+"
    rf"(?:(?P<not_up>{_UP})|(?P<not_down>{_DOWN}))\b"
    rf"|(?P<down>\b(?:{_WORDS['set_down']}|{_DOWN})\b|[≤≦⩽<])"
    rf"|(?P<up>\b(?:{_WORDS['set_up']}|{_UP})\b|[≥≧⩾>]|\d\+)"
    rf"|(?P<both>{_WORDS['both']})",
    re.IGNORECASE,
)
_TIME_AFTER = re.compile(_WORDS["time"])
_ENGLISH_TIMES = {way: re.compile(rf"\b(?:{_WORDS[way]})\b", re.IGNORECASE) for way in ("before", "after")}
_FORBIDS, _CONDITION = re.compile(_WORDS["forbids"]), re.compile(_WORDS["condition"], re.IGNORECASE)
_NEGATIVE = re.compile(_WORDS["negative"], re.IGNORECASE)
_NO_MORE = re.compile(rf"\b(?:no|not) (?:{_UP}|{_DOWN}) than\b", re.IGNORECASE)
_DIRECTIONS = {"not_up": {"down"}, "not_down": {"up"}, "both": {"up", "down"}, "either": {"up", "down"}}
"""Directions by group of `_LIMIT_WORDS`. In "either", "not" may negate a verb: "do not use above 40°C"."""


def limit_at(text: str, start: int, end: int) -> tuple[str, int, int] | None:
    """The limit on the number from `start` to `end` in a Chinese text; None if the number has no limit.

    Returns the direction ("up" for a minimum, "down" for a maximum), and the span of number and limit words.
    """
    if after := _LIMIT_AFTER.match(text, end):
        return str(after.lastgroup), start, after.end()
    for match in _LIMIT_BEFORE.finditer(text, max(start - 11, 0), start):
        between = _LOOSE_GAP if match.group() in _BEFORE_VERBS else _TIGHT_GAP
        if between.fullmatch(text, match.end(), start):
            return str(match.lastgroup), match.start(), end
    return None


def lost_time(text: str, end: int, english: str) -> int:
    """The end of a word such as 以前 after a number, if the English text has no such word; otherwise 0."""
    match = _TIME_AFTER.match(text, end)
    return 0 if match is None or _ENGLISH_TIMES[str(match.lastgroup)].search(english) else match.end()


def strict_limits(text: str) -> Iterator[tuple[str, str]]:
    """Tuples (direction, words) of the limits in a Chinese text that need no number."""
    yield from ((str(match.lastgroup), match.group()) for match in _STRICT.finditer(text))


def limits_in(text: str) -> list[str]:
    """The directions of the limits in an English text: "no fewer than" is "up", "or less" is "down"."""
    kinds = (str(match.lastgroup) for match in _LIMIT_WORDS.finditer(text))
    return [direction for kind in kinds for direction in _DIRECTIONS.get(kind, (kind,))]


def lost_negation(chinese: str, english: str) -> str:
    """The last Chinese prohibition if the English text lacks it, or "". 未经许可不得 needs two negatives."""
    found = _FORBIDS.findall(chinese)
    on_condition = "未经" in found[:-1]
    if not found or (on_condition and _CONDITION.search(english)):
        return ""
    english = _NO_MORE.sub("", english)  # a limit, not a prohibition
    return found[-1] if len(_NEGATIVE.findall(english)) < 1 + on_condition else ""


QUANTITY = Check(
    "quantity-differs",
    translate("Quality", "The sign, unit or fraction of “{0}” is missing or wrong."),
    RemarkKind.NUMBERS,
)
LIMIT = Check(
    "limit-differs",
    translate("Quality", "The limit “{0}” (such as “at least” or “at most”) is missing or reversed."),
    RemarkKind.NUMBERS,
)
CHECKS = (QUANTITY, LIMIT)

_MAX_NUMBERS = 20
_CONTEXT_LENGTH = 32
"""Number of characters on each side of a number that are searched for its sign, unit or limit."""
_SIGNS = read_pairs("signs.tsv")
"""Patterns of the English forms of signs and currencies."""
_CURRENCY = "|".join(name for name in _SIGNS if len(name) > 1 and name[-1] in "元圆币金镑布比铢盾")
_SIGN_BEFORE = re.compile(r"(零下|(?:(?<![A-Z])(?:HK|NT|AU|CA|[SAC]))?\$|[±≈≠√¥€£₩₹₽฿₱₫₺₪₴₦])[ +-]*$")
_SIGN_AFTER = re.compile(rf"[ ]?([‰%°€£₩]|{_CURRENCY})")
_SCALES = {"‰": 1000, "ppm": 10**6}
_CLAUSE_END, _NEVER = re.compile(r"[,;:.()](?=\s|$)"), re.compile(r"(?!)")
_SCORE = re.compile(r"(?<![\d:.])(?P<first>\d{1,2}):(?P<last>\d)(?![\d:.])")
_PLACES = tuple("次名位个届回遍轮天年周层")
_DEFEAT = re.compile(r"\w{0,3}(?:[负败输]|不敌|落后)")
_LIMIT = re.compile(r"\blimits?\b(?! to)")
_POWER = re.compile(r"(?<=\d)\^(?P<power>-?\d+)")
_SPEED = re.compile(r"\d ?(?:kph|kmh|mps)\b", re.IGNORECASE)
_OPERATOR = re.compile(r"(?<=[\w)])[ ]?([×÷])[ ]?(?=[\w(])")


def find(source: str, target: str, pair: LanguagePair) -> Iterator[Finding]:
    if not pair.is_chinese_to_english:
        return
    chinese, english = map(plain_signs, without_kept_addresses(source, target))
    chinese = simplified(chinese)
    numbers = english_numbers(english)
    by_item: dict[Item, list[Number]] = defaultdict(list)
    for number in numbers:
        for item in number.items:
            by_item[item].append(number)
    yield from ((QUANTITY, shown) for shown in _missing_shares(chinese, english, by_item))
    # Cached, because many limits may be near the same text, and many numbers may be equal.
    directions_in, contexts = cache(limits_in), cache(partial(_contexts, by_item, english))
    directions, strict = limits_in(english), list(strict_limits(chinese))
    readings = read_numbers(chinese)
    limits = [limit_at(chinese, each.start, each.end) for each in readings]
    cuts = [each.ways[0] for each in readings if each.kind == "discount"]
    wanted = Counter(limit[0] for limit in limits if limit)
    for reading, limit in zip(readings, limits, strict=True):
        exact = contexts(reading.ways[:1])
        if exact and (shown := _missing_sign(chinese, reading, exact)):
            yield QUANTITY, shown
        off, left = reading.ways[:2] if reading.kind == "discount" else ((), ())
        if off != left and left not in cuts and re.search(rf"(?<![\d.]){left[0]}% (?:off|discount)", english):
            yield QUANTITY, reading.text  # 打九折 is not 90% off
        if (end := lost_time(chinese, reading.end, english)) and contexts(reading.ways):
            yield LIMIT, chinese[reading.start : end]
        if limit:
            direction, start, end = limit
            near, clauses = contexts(reading.ways), contexts(reading.ways, _CLAUSE_END)
            found = [*chain(*map(directions_in, clauses))]
            # If the translation has fewer such limits than the source, they belong to other numbers.
            if not found and (not near or directions.count(direction) >= wanted[direction]):
                found = [*chain(*map(directions_in, near))] or directions
            if direction not in found and (found or (near and not chinese.startswith(SOFT_LIMITS, start))):
                yield LIMIT, chinese[start:end]
        strict = [] if limit else strict
    if "限" in chinese:  # "limit" may be part of a name: 最高限价
        directions = limits_in(_LIMIT.sub("", english))
    yield from ((LIMIT, words) for direction, words in strict if directions and direction not in directions)
    if words := lost_negation(chinese, english):
        yield LIMIT, words
    for sign in dict.fromkeys(_OPERATOR.findall(chinese)):
        if not re.search(_SIGNS[sign], english):
            yield QUANTITY, sign


def _missing_shares(text: str, english: str, by_item: Mapping[Item, Sequence[Number]]) -> Iterator[str]:
    """The fractions and ratios of a Chinese text that a translation lacks: two thirds, 30%, 7 to 5."""
    scales = [1, 100, *(scale for sign, scale in _SCALES.items() if re.search(_SIGNS[sign], english))]
    for pattern, read_ways in ((SHARE, partial(_ways_of_share, scales)), (TENTHS, _ways_of_tenths)):
        for match in pattern.finditer(text):
            if (ways := [*read_ways(match)]) and not any(by_item.keys() >= {*way} for way in ways):
                yield match.group()
    for match in chain(RATIO.finditer(text), _SCORE.finditer(text)):
        first, last = (by_item.get(value_of(each) or Decimal(0), ()) for each in match.group("first", "last"))
        in_order = any(left.start < right.start for left in first for right in last)
        if not first or not last or not (in_order or _DEFEAT.match(text, match.end())):
            yield match.group()


def _ways_of_share(scales: Iterable[int], match: re.Match[str]) -> Iterator[Way]:
    part, whole = share_of(match)
    if part is not None and whole and whole != 100:  # a percentage is a number itself
        name: Item = {2: "half", 4: "quarter"}.get(int(whole), whole)
        share = part / whole
        yield from ((part, name), (part, whole), *((name,) for _ in range(part == 1)))
        yield from ways_of(*(trimmed(share * scale) for scale in scales))
        yield from (*rounded(share), *rounded(share * 100)) if share >= Decimal("0.01") else ()


def _ways_of_tenths(match: re.Match[str]) -> Iterator[Way]:
    tens, more = value_of(match["tens"]), value_of(match["more"] or "零")
    if tens is not None and more is not None:
        percent = tens * 10 + more
        yield from ways_of(percent, percent / 100, Decimal(10), Decimal(5), "half", 100 - percent)


def _contexts(
    by_item: Mapping[Item, Sequence[Number]],
    text: str,
    ways: tuple[Way, ...],
    ends: re.Pattern[str] = _NEVER,
) -> list[str]:
    """The texts around the first numbers with an item of `ways`; a match of `ends` cuts a text off."""
    found = (number for way in ways for item in way for number in by_item.get(item, ()))
    return [
        ends.split(text[max(each.start - _CONTEXT_LENGTH, 0) : each.start])[-1]
        + text[each.start : each.end]
        + ends.split(text[each.end : each.end + _CONTEXT_LENGTH])[0]
        for each in islice(found, _MAX_NUMBERS)
    ]


def _missing_sign(text: str, reading: Reading, near: Sequence[str]) -> str:
    """A Chinese number with a sign, unit, rate or power that no text in `near` has, or a rank that is a count
    in all these texts; otherwise ""."""
    start, end = reading.start, reading.end
    before = _SIGN_BEFORE.search(text, max(start - 4, 0), start)
    if before and not _in_any(_SIGNS[before[1]], near):
        return text[before.start() : end]
    after = _SIGN_AFTER.match(text, end)
    if after and not _in_any(_SIGNS[after[1]], near):
        return text[start : after.end()]
    is_place = reading.kind == "place" and text.startswith(_PLACES, end)
    if is_place and all(_count_pattern(reading.ways[0][0]).search(each) for each in near):
        return text[start:end]
    if text.startswith("百分之", start) and not _in_any(_SIGNS["百分之"], near):
        return text[start:end]
    unit = (text[end - 1] in "千兆" and unit_after(text, end - 1)) or unit_after(text, end)
    if unit and not any(unit[0].pattern.search(each) or _SPEED.search(each) for each in near):
        return text[start : unit[1]]
    rate = rate_after(text, unit[1] if unit else end)
    if rate and not any(map(rate[0].search, near)):
        return text[start : rate[1]]
    if (power := _POWER.match(text, end)) and not _in_any(rf"\^{power['power']}|illion|thousand|power", near):
        return text[start : power.end()]
    return ""


@cache
def _count_pattern(value: Item) -> re.Pattern[str]:
    """A pattern for a number of things, not a rank: "21 times", "the first 21"."""
    words = in_words(int(value)) if isinstance(value, Decimal) and not value % 1 else None
    number = rf"\b(?:{value}|{words})\b"
    return re.compile(rf"first {number}|{number} (?!(?:is|was|has|as)\b)[a-z]+s\b", re.IGNORECASE)


def _in_any(pattern: str, near: Sequence[str]) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE) for text in near)
