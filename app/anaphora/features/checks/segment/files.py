"""Characters that a file cannot store, direction marks, and lines that look like subtitle times."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from anaphora.core.language_pair import LanguagePair
from anaphora.features.checks.remarks import RemarkKind
from anaphora.features.checks.segment.check import Check, Finding, not_in, translate
from anaphora.formats.base.targets import clean_target

_DIRECTIONS = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"
_TIMES = re.compile(r"^[^\S\n]*\d{1,3}:\d{1,2}:\d{1,2}[,.:]\d{1,3}[^\S\n]*-->.*", re.MULTILINE)
_CODE = re.compile(r"U\+([0-9A-F]{4,6})")


def _clean(source: str, target: str, code: str) -> str:
    return clean_target(target, source)


def _without(source: str, target: str, code: str) -> str:
    match = _CODE.fullmatch(code)
    return clean_target(target.replace(chr(int(match[1], 16)), ""), source) if match else target


FORBIDDEN = Check(
    "character-forbidden",
    translate("Quality", "The file cannot store this character, so it will be omitted: {0}."),
    RemarkKind.WORDING,
    _clean,
)
DIRECTION = Check(
    "direction-mark",
    translate("Quality", "Direction control character not in the source: {0}."),
    RemarkKind.WORDING,
    _without,
)
TIME_LINE = Check(
    "time-line",
    translate("Quality", "A line looks like a subtitle time: “{0}”."),
    RemarkKind.WORDING,
)
CHECKS = (FORBIDDEN, DIRECTION, TIME_LINE)


def find(source: str, target: str, _: LanguagePair) -> Iterator[Finding]:
    """Characters that `formats.base.targets` removes, and lines that subtitle files misread."""
    lost = Counter(target) - Counter(clean_target(target, source))
    yield from ((FORBIDDEN, _code(char)) for char in lost if char not in "\r\n\x0b\x0c\x85\u2028\u2029")
    marks = dict.fromkeys(char for char in target if char in _DIRECTIONS)
    yield from ((DIRECTION, _code(char)) for char in marks if char not in source)
    times = (match.group().strip() for match in _TIMES.finditer(target))
    yield from ((TIME_LINE, time) for time in not_in(source, times))


def _code(char: str) -> str:
    return f"U+{ord(char):04X}"
