"""Limits of a Chinese text (不少于五名, 30天以内), and which way an English text goes from a number."""

from __future__ import annotations

import re
from collections.abc import Iterator

UP, DOWN = "up", "down"
_NOT = "(?:不(?:[得能应可宜会许]|应当)?|无法|未能|难以)"
_LESS, _MORE = "(?:少于|低于|小于|短于|早于|下于)", "(?:超过|超出|多于|高于|大于|长于|晚于|迟于)"
_BEFORE = (
    (UP, rf"{_NOT}{_LESS}|至少|最少|(?<!未)(?:超过|大于|高于|多于)|大于(?:或|或者)?等于|[≥≧⩾]|>="),
    (DOWN, rf"{_NOT}{_MORE}|至多|最多|(?:小于|低于|少于)|小于(?:或|或者)?等于|未{_MORE}|[未不]满|不足|不到|[≤≦⩽]|<="),
)
_BEHIND = ((UP, "(?:及|或|和|含)?以上"), (DOWN, "(?:(?:及|或|和|含)?以下(?![功内方步示列代命])|(?:之|以)内)"))
_LIMIT_BEFORE = re.compile("|".join(f"(?P<{way}>{words})" for way, words in reversed(_BEFORE)))
_LIMIT_BEHIND = re.compile(
    r" ?[^\d,.;:，。；、：\s以之(（)）]{0,3}?(?:" + "|".join(f"(?P<{way}>{words})" for way, words in _BEHIND) + ")"
)
_TIGHT = re.compile(r"[\s约为达至是±+¥￥$€£-]*")
_LOOSE = re.compile(r"[^\d,.;:，。；、：(（)）]{0,6}")
_WITH_VERB = ("至少", "最少", "至多", "最多")
"""A verb may stand behind these: 最多显示 5 行."""
_STRICT = re.compile(rf"(?P<up>{_NOT}{_LESS})|(?P<down>{_NOT}{_MORE})")
"""Limits that hold without a number behind them, too: 不得高于标准值."""
_NUMBER = r"(?=\s+(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|[\d$¥€£])\b)"
_NOT_SHOWN = r"(?<!example )(?<!shown )(?<!listed )(?<!the )(?<!described )(?<!mentioned )(?<!see )"
_UP = (
    r"more|greater|higher|larger|longer|older|later|newer|bigger|over|exceed\w*|beyond|surpass\w*|excess\w*"
    rf"|{_NOT_SHOWN}above|upwards?|outnumber\w*|heavier|faster|farther|further|wider|deeper|(?:past|after|since){_NUMBER}"
)
_DOWN = (
    r"less|fewer|lower|smaller|shorter|younger|earlier|under|beneath|short of|prior|older versions"
    rf"|{_NOT_SHOWN}below|before{_NUMBER}"
)
_SAID = re.compile(
    r"(?:\b(?:not|never|cannot|without)\b|n['’]t\b)(?:\s+[\w-]+){0,4}?\s+"
    rf"(?:(?P<not_up>{_UP})|(?P<not_down>{_DOWN}))\b"
    rf"|\b(?:no|neither|nor)\s+(?:(?P<no_up>{_UP})|(?P<no_down>{_DOWN}))\b"
    rf"|(?P<down>\b(?:at (?:the )?most|up to|at maximum|max(?:imum)?|within|inside|limit\w*|{_DOWN})\b|[≤≦⩽<])"
    rf"|(?P<up>\b(?:at (?:the )?(?:very )?least|min(?:imum)?|or more|plus|{_UP})\b|[≥≧⩾>]|\d\+)"
    r"|(?P<both>\bbetween\b|\brang\w+|\d ?(?:-|–|to) ?\d)",
    re.IGNORECASE,
)
_MEANT = {"not_up": {DOWN}, "no_up": {DOWN}, "not_down": {UP}, "no_down": {UP}, "both": {UP, DOWN}}


def limit_at(text: str, start: int, end: int) -> tuple[str, int, int] | None:
    """Which way a Chinese text limits the number that stands there, and where it says so."""
    before = [match for match in _LIMIT_BEFORE.finditer(text, max(start - 11, 0), start)]
    if before and (_LOOSE if before[-1].group() in _WITH_VERB else _TIGHT).fullmatch(text, before[-1].end(), start):
        match = before[-1]
        return str(match.lastgroup), match.start(), end
    if match := _LIMIT_BEHIND.match(text, end):
        return str(match.lastgroup), start, match.end()
    return None


def strict_limits(text: str) -> Iterator[tuple[str, str]]:
    """(way, words) of the limits that are none by accident."""
    yield from ((str(match.lastgroup), match.group()) for match in _STRICT.finditer(text))


def ways_said(text: str) -> set[str]:
    """The ways that an English text goes: "no fewer than" is up, "or less" down."""
    found: set[str] = set()
    for match in _SAID.finditer(text):
        kind = str(match.lastgroup)
        found |= _MEANT.get(kind, {kind})
    return found
