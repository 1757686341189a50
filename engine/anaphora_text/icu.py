"""ICU messages: arguments with branches, such as {count, plural, one {# file} other {# files}}.

Java's older syntax is also parsed: {0,choice,0#no files|1#one file|1<{0} files}.
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
_ENGLISH_FORMS = {False: ("one",), True: ("one", "two", "few")}
"""English plural forms except "other" (CLDR): of cardinal numbers (False) and ordinal numbers (True)."""
_WITHOUT_PLURALS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
)
"""Letters of languages with only the form "other": Thai, Lao, Burmese, Khmer, Japanese, Chinese, Korean."""
_MAX_BRANCHES = 100


def lacks_plurals(text: str) -> bool:
    return _WITHOUT_PLURALS.search(text) is not None


def missing_forms(present: Collection[str], other: str, is_ordinal: bool) -> tuple[str, ...]:
    """The plural forms that a translation into English must add to the `present` ones.

    Args:
        present: keys of branches; the key "=1" replaces "one". Without "other", the result is empty.
        other: the source text of the form "other"; if its language has plurals, the result is empty.
    """
    if "other" not in present or not lacks_plurals(other):
        return ()
    known = {*present, *(["one"] if "=1" in present else [])}
    return tuple(form for form in _ENGLISH_FORMS[is_ordinal] if form not in known)


@dataclass(frozen=True, slots=True)
class Branch:
    """An argument's branch: its case ("one", "=0", "female", "1<") as `key`, and the span of its text."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Choice:
    """An argument with branches; its span includes the braces.

    `is_plural` is True if a plural form selects the branch, in which `#` stands for the number.
    """

    name: str
    is_plural: bool
    start: int
    end: int
    branches: tuple[Branch, ...]


def choices_in(text: str) -> tuple[Choice, ...]:
    """The outermost arguments with branches; none if one is malformed or has more than `_MAX_BRANCHES`."""
    choices: list[Choice] = []
    place = 0
    ends: dict[int, int] | None = None
    while (match := _ARGUMENT.search(text, place)) is not None:
        ends = _closing_braces(text) if ends is None else ends
        choice = _choice(text, match, ends)
        if choice is None:
            return ()
        choices.append(choice)
        place = choice.end
    return tuple(choices)


def _choice(text: str, match: re.Match[str], ends: dict[int, int]) -> Choice | None:
    if match[2] == "choice":
        return _java_choice(text, match, ends)
    branches: list[Branch] = []
    place = match.end()
    while (key := _KEY.match(text, place)) is not None:
        end = ends.get(key.end() - 1)
        if end is None or len(branches) == _MAX_BRANCHES:
            return None
        branches.append(Branch(key[1], key.end(), end))
        place = end + 1
    last = _END.match(text, place)
    if last is None or not branches or ends.get(match.start()) != last.end() - 1:
        return None
    return Choice(match[1], match[2] != "select", match.start(), last.end(), tuple(branches))


def _java_choice(text: str, match: re.Match[str], ends: dict[int, int]) -> Choice | None:
    last = ends.get(match.start())
    branches: list[Branch] = []
    place = match.end()
    while last is not None and len(branches) < _MAX_BRANCHES and (key := _LIMIT.match(text, place, last)):
        end = _end_of_branch(text, key.end(), last, ends)
        branches.append(Branch(key[1], key.end(), end))
        if end == last:
            return Choice(match[1], False, match.start(), last + 1, tuple(branches))
        place = end + 1
    return None


def _end_of_branch(text: str, place: int, last: int, ends: dict[int, int]) -> int:
    while (sign := _BAR.search(text, place, last)) is not None:
        if sign.group() == "|":
            return sign.start()
        place = ends.get(sign.start(), sign.start()) + 1
    return last


def _closing_braces(text: str) -> dict[int, int]:
    """Positions of closing braces by the positions of their opening braces; quoted braces are text."""
    opened: list[int] = []
    ends: dict[int, int] = {}
    for match in _BRACE.finditer(text):
        if match.group() == "{":
            opened.append(match.start())
        elif match.group() == "}" and opened:
            ends[opened.pop()] = match.start()
    return ends
