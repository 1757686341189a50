"""Numbers below zero (零下5度, 负三, -5) that are above it in the translation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from anaphora.checks.segment.check import Check, Said, bare, translate
from anaphora.core.language_pair import LanguagePair
from anaphora.core.remarks import RemarkKind
from anaphora_text.numbers.english import said_numbers
from anaphora_text.numbers.readings import NUMBER, Item, number_of
from anaphora_text.numbers.source_numbers import simplified

_BELOW = re.compile(rf"零下[ ]?(?P<number>{NUMBER})|负[ ]?(?P<negative>{NUMBER})(?![责担])")
_SIGNED = re.compile(r"(?<![\w.)\]}/\-−%,])[-−](?P<number>\d+(?:\.\d+)?)(?![\w.\-/])")
_SIGN = re.compile(r"[-−–‐]\s?[$€£¥]?\s?$")
_SAID = re.compile(
    r"\b(?:minus|negative|below|sub-?zero|freezing|loss|deficit|decreas|drop|declin|fell|less)", re.I
)
_NEAR = 30
"""Characters."""
_CUES = ("零下", "负", "負", "-", "−")


MISSING = Check(
    "minus-missing", translate("Quality", "The minus sign of {0} is missing."), RemarkKind.NUMBERS
)
CHECKS = (MISSING,)


def find(source: str, target: str, pair: LanguagePair) -> Iterator[Said]:
    """Only of Chinese in English."""
    if not pair.is_chinese_to_english or not any(cue in source for cue in _CUES):
        return
    source, target = bare(source), bare(target)
    plain = simplified(source)
    matches = [*_BELOW.finditer(plain), *_SIGNED.finditer(plain)]
    if not matches:
        return
    signs: dict[Item | None, list[bool]] = {value: [] for value in map(_value, matches)}
    for said in said_numbers(target):
        for item in said.items:
            if item in signs:
                signs[item].append(_is_below(target, said.start, said.end))
    for match in matches:
        found = signs[_value(match)]
        if found and not any(found):
            yield MISSING, source[match.start() : match.end()]


def _is_below(target: str, start: int, end: int) -> bool:
    """Whether a number has a minus sign, or a word for it near by."""
    if _SIGN.search(target, max(start - 3, 0), start):
        return True
    return _SAID.search(target, max(start - _NEAR, 0), end + _NEAR) is not None


def _value(match: re.Match[str]) -> Decimal | None:
    groups = match.groupdict()
    return number_of(groups["number"] or groups.get("negative") or "")
