"""ICU messages: the branches of {count, plural, one {# file} other {# files}} and of their kin.

Java's {0,choice,0#no files|1#one file|1<{0} files} is one of them, written otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

_ARGUMENT = re.compile(r"\{\s*([\w.]{1,64})\s*,\s*(plural|selectordinal|select|choice)\s*,")
_KEY = re.compile(r"\s*(?:offset\s*:\s*\d+\s*)?([^\s{},]{1,64})\s*\{")
_LIMIT = re.compile(r"\s*(-?(?:[0-9][0-9.]{0,20}|\u221e)\s*[#<\u2264])")
_BAR = re.compile(r"[|{}]")
_END = re.compile(r"\s*\}")
_BRACE = re.compile(r"'[{}][^']*'?|[{}]")
PLURAL_FORMS = frozenset(("zero", "one", "two", "few", "many", "other"))
"""Unicode's names of them (CLDR)."""
_OF_ENGLISH = {False: ("one",), True: ("one", "two", "few")}
"""Those that English has besides "other", of numbers and of ordinals (CLDR)."""
_WITHOUT_PLURALS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
)
"""Letters of languages that have "other" alone: Thai, Lao, Burmese, Khmer, Japanese, Chinese, Korean."""
_MOST = 100
"""Branches of one argument; more are code, no text."""


def lacks_plurals(text: str) -> bool:
    """True if a text has letters of a language with only the form "other"."""
    return _WITHOUT_PLURALS.search(text) is not None


def lacking_forms(held: Collection[str], other: str, is_ordinal: bool) -> tuple[str, ...]:
    """The forms that English needs of a text beside those that are held.

    Args:
        other: the text of the form "other"; in a language with plurals it lacks nothing.
    """
    if "other" not in held or not lacks_plurals(other):
        return ()
    known = {*held, *(["one"] if "=1" in held else [])}
    return tuple(form for form in _OF_ENGLISH[is_ordinal] if form not in known)


@dataclass(frozen=True, slots=True)
class Branch:
    """The branch of an argument for one case ("one", "=0", "female", "1<"); offsets of its text and closing
    brace."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Choice:
    """An argument with branches; offsets of its first brace, and after its last one.

    Attributes:
        is_plural: whether a number chooses, which `#` stands for.
    """

    name: str
    is_plural: bool
    start: int
    end: int
    branches: tuple[Branch, ...]


def choices_in(text: str) -> tuple[Choice, ...]:
    """The arguments with branches that stand in no branch; none if their braces do not match."""
    found: list[Choice] = []
    place = 0
    ends: dict[int, int] | None = None
    while (match := _ARGUMENT.search(text, place)) is not None:
        ends = _closing(text) if ends is None else ends
        choice = _choice(text, match, ends)
        if choice is None:
            return ()
        found.append(choice)
        place = choice.end
    return tuple(found)


def _choice(text: str, match: re.Match[str], ends: dict[int, int]) -> Choice | None:
    if match[2] == "choice":
        return _java_choice(text, match, ends)
    branches: list[Branch] = []
    place = match.end()
    while (key := _KEY.match(text, place)) is not None:
        end = ends.get(key.end() - 1)
        if end is None or len(branches) == _MOST:
            return None
        branches.append(Branch(key[1], key.end(), end))
        place = end + 1
    last = _END.match(text, place)
    if last is None or not branches or ends.get(match.start()) != last.end() - 1:
        return None
    return Choice(match[1], match[2] != "select", match.start(), last.end(), tuple(branches))


def _java_choice(text: str, match: re.Match[str], ends: dict[int, int]) -> Choice | None:
    """Branches after their limits, with bars between them."""
    last = ends.get(match.start())
    branches: list[Branch] = []
    place = match.end()
    while last is not None and (key := _LIMIT.match(text, place, last)) is not None and len(branches) < _MOST:
        end = _end_of_branch(text, key.end(), last, ends)
        branches.append(Branch(key[1], key.end(), end))
        if end == last:
            return Choice(match[1], False, match.start(), last + 1, tuple(branches))
        place = end + 1
    return None


def _end_of_branch(text: str, place: int, last: int, ends: dict[int, int]) -> int:
    """The position of the next bar outside braces; else the end of all branches."""
    while (sign := _BAR.search(text, place, last)) is not None:
        if sign.group() == "|":
            return sign.start()
        place = ends.get(sign.start(), sign.start()) + 1
    return last


def _closing(text: str) -> dict[int, int]:
    """The closing position of each brace; those in quotes are text."""
    opened: list[int] = []
    ends: dict[int, int] = {}
    for match in _BRACE.finditer(text):
        if match.group() == "{":
            opened.append(match.start())
        elif match.group() == "}" and opened:
            ends[opened.pop()] = match.start()
    return ends
