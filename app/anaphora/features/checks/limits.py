"""Limits on numbers in Chinese texts (不少于五名, 30天以内) and in English ones, each "up" or "down"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora_text import punctuation as signs
from anaphora_text.stop_words import read_pairs

_WORDS = read_pairs("limits.tsv")
_UP, _DOWN = _WORDS["up"], _WORDS["down"]


def _either(kind: str) -> str:
    return rf"(?:(?P<down>{_WORDS[f'{kind}_down']})|(?P<up>{_WORDS[f'{kind}_up']}))"


_STOPS = f"{signs.SENTENCE_ENDS}{signs.WIDE_SENTENCE_ENDS}{signs.PAUSES}{signs.WIDE_PAUSES}"
_MARKS = re.escape(_STOPS + "".join(signs.ROUND_BRACKET_PAIRS))
_LIMIT_BEFORE = re.compile(_either("before"))
_LIMIT_BEHIND = re.compile(rf" ?[^\d\s以之{_MARKS}]{{0,3}}? ?{_either('behind')}")
_TIGHT = re.compile(r"[\s约为达至是±+¥￥$€£-]*")
_LOOSE = re.compile(rf"[^\d{_MARKS}]{{0,6}}")
_BOUNDS = ("最低", "最高", "最短", "最长", "最小", "最大", "最早", "最晚", "最迟", "下限", "上限")
_WITH_VERB = ("至少", "最少", "至多", "最多", *_BOUNDS)
"""Limits that a verb may follow: 最多显示 5 行."""
SOFT = ("满", *_BOUNDS)
"""Limits that a translation may omit but not reverse: 满18岁 is also "aged 18"."""
_STRICT = re.compile(_either("strict"))
"""Limits that need no number: 不得高于标准值."""
_NOT = r"(?:\b(?:not|never|cannot|without)\b|n['’]t\b)"
_ASIDE = r"(?:above|below|under|over|within|in the (?:last|past))\b"
_ENGLISH_LIMIT = re.compile(
    rf"{_NOT}(?P<either>(?:\s+[\w-]+){{0,3}}?\s+(?:for|if|when|where|at|in)(?:\s+\w+){{0,3}}?\s+(?:{_UP}|{_DOWN})\b"
    rf"|(?:\s+[\w-]+){{1,4}}?(?<!\bbe)(?<!\bgo)(?<!fall)(?<!rise)(?<!drop)\s+{_ASIDE})"
    rf"|(?:{_NOT}(?:\s+[\w-]+){{0,4}}?|\b(?:no|neither|nor))\s+"
    rf"(?:(?P<not_up>{_UP})|(?P<not_down>{_DOWN}))\b"
    rf"|(?P<down>\b(?:{_WORDS['set_down']}|{_DOWN})\b|[≤≦⩽<])"
    rf"|(?P<up>\b(?:{_WORDS['set_up']}|{_UP})\b|[≥≧⩾>]|\d\+)"
    rf"|(?P<both>{_WORDS['both']})",
    re.IGNORECASE,
)
_TIME = re.compile(_WORDS["time"])
_TIMES = {way: re.compile(rf"\b(?:{_WORDS[way]})\b", re.IGNORECASE) for way in ("before", "after")}
_FORBIDS, _CONDITION = re.compile(_WORDS["forbids"]), re.compile(_WORDS["condition"], re.IGNORECASE)
_NEGATIVE = re.compile(_WORDS["negative"], re.IGNORECASE)
_NO_MORE = re.compile(rf"\b(?:no|not) (?:{_UP}|{_DOWN}) than\b", re.IGNORECASE)
_DIRECTIONS = {"not_up": {"down"}, "not_down": {"up"}, "both": {"up", "down"}, "either": {"up", "down"}}
"""The directions that each group of the pattern can mean; "Do not use above 40°C" can mean either."""


def limit_at(text: str, start: int, end: int) -> tuple[str, int, int] | None:
    """The direction of a limit on the number at these offsets, and the offsets with the limiting words."""
    if behind := _LIMIT_BEHIND.match(text, end):
        return str(behind.lastgroup), start, behind.end()
    for match in _LIMIT_BEFORE.finditer(text, max(start - 11, 0), start):
        between = _LOOSE if match.group() in _WITH_VERB else _TIGHT
        if between.fullmatch(text, match.end(), start):
            return str(match.lastgroup), match.start(), end
    return None


def lost_time(text: str, end: int, english: str) -> int:
    """The end of 以前 or 之后 behind a number, if the English text has no equivalent; else 0."""
    match = _TIME.match(text, end)
    return 0 if match is None or _TIMES[str(match.lastgroup)].search(english) else match.end()


def strict_limits(text: str) -> Iterator[tuple[str, str]]:
    """Tuples (direction, words) of limits that need no number."""
    yield from ((str(match.lastgroup), match.group()) for match in _STRICT.finditer(text))


def limits_in(text: str) -> list[str]:
    """The directions of an English text's limits: "no fewer than" is up, "or less" down."""
    kinds = (str(match.lastgroup) for match in _ENGLISH_LIMIT.finditer(text))
    return [direction for kind in kinds for direction in _DIRECTIONS.get(kind, (kind,))]


def lost_negation(chinese: str, english: str) -> str:
    """A prohibiting word without an English equivalent, or ""; 未经许可不得 needs two equivalents."""
    found = _FORBIDS.findall(chinese)
    on_condition = "未经" in found[:-1]
    if not found or (on_condition and _CONDITION.search(english)):
        return ""
    english = _NO_MORE.sub("", english)  # a limit, not a prohibition
    return found[-1] if len(_NEGATIVE.findall(english)) < 1 + on_condition else ""
