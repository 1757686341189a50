"""Limits of a Chinese text (不少于五名, 30天以内), and which way an English text goes from a number."""

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
"""A verb may stand behind these: 最多显示 5 行."""
SOFT = ("满", *_BOUNDS)
"""A translation may leave these out, but not turn them: 满18岁 is also "aged 18"."""
_STRICT = re.compile(_either("strict"))
"""Limits that hold without a number after them, too: 不得高于标准值."""
_NOT = r"(?:\b(?:not|never|cannot|without)\b|n['’]t\b)"
_ASIDE = r"(?:above|below|under|over|within|in the (?:last|past))\b"
_SAID = re.compile(
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
_MEANT = {"not_up": {"down"}, "not_down": {"up"}, "both": {"up", "down"}, "either": {"up", "down"}}
"""Separate words may belong to a negation or not: Do not use above 40°C."""


def limit_at(text: str, start: int, end: int) -> tuple[str, int, int] | None:
    """The direction in which a Chinese text limits a number, and the words that do so."""
    if behind := _LIMIT_BEHIND.match(text, end):
        return str(behind.lastgroup), start, behind.end()
    for match in _LIMIT_BEFORE.finditer(text, max(start - 11, 0), start):
        between = _LOOSE if match.group() in _WITH_VERB else _TIGHT
        if between.fullmatch(text, match.end(), start):
            return str(match.lastgroup), match.start(), end
    return None


def lost_time(text: str, end: int, english: str) -> int:
    """The end of 以前 or 之后 behind a number, where the English text does not say that; else 0."""
    match = _TIME.match(text, end)
    return 0 if match is None or _TIMES[str(match.lastgroup)].search(english) else match.end()


def strict_limits(text: str) -> Iterator[tuple[str, str]]:
    """(direction, words) of the limits that are deliberate."""
    yield from ((str(match.lastgroup), match.group()) for match in _STRICT.finditer(text))


def ways_said(text: str) -> list[str]:
    """The ways that an English text goes: "no fewer than" is up, "or less" down."""
    kinds = (str(match.lastgroup) for match in _SAID.finditer(text))
    return [way for kind in kinds for way in _MEANT.get(kind, (kind,))]


def lost_negation(chinese: str, english: str) -> str:
    """A word that forbids or denies, where the English text does not: 未经许可不得 wants two such words."""
    found = _FORBIDS.findall(chinese)
    on_condition = "未经" in found[:-1]
    if not found or (on_condition and _CONDITION.search(english)):
        return ""
    english = _NO_MORE.sub("", english)  # which limits, and forbids nothing
    return found[-1] if len(_NEGATIVE.findall(english)) < 1 + on_condition else ""
