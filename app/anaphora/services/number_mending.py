"""The number that a translation has in the place of a Chinese text's, as its reader would write it."""

from __future__ import annotations

import re
from decimal import Decimal

from anaphora.services.quality_numbers import (
    SourceNumber,
    added_numbers,
    missing_source_numbers,
    source_values,
    target_numbers,
)

_PLAIN = re.compile(r"\d+(?:[.,]\d+)*")
_SCALE = re.compile(r"\b(?:hundred|thousand|million|billion|trillion|bn)\b", re.IGNORECASE)
_LETTER = re.compile(r"\d[\s-]?[km]$", re.IGNORECASE)
_NAMES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))
_MOST_ZEROS = 8
"""万 and 亿 apart, a scale is no farther off."""


def with_mended_numbers(source: str, target: str) -> str:
    """The target with the numbers that it has in the place of its source's; the same one where none is sure.

    Sure is a number of the same digits on another scale ("37,000" for 三十七万), and, where one number is
    missing and one is added, that the one stands for the other.
    """
    missing = missing_source_numbers(source, target)
    text = target
    for number in missing:
        text = _put(text, _on_another_scale(source, text, number), number)
    if text == target and len(missing) == 1 and len(added := added_numbers(source, target)) == 1:
        wrong = [said for _, said in target_numbers(target) if added[0] in said]
        text = _put(target, wrong[0] if len(wrong) == 1 else "", missing[0])
    return text


def _on_another_scale(source: str, target: str, number: SourceNumber) -> str:
    """The only number of a target that differs from one of its source in its zeros; "" where none does."""
    known = source_values(source)
    found = [
        said
        for value, said in target_numbers(target)
        if value not in known and _differs_in_zeros(value, number.value)
        if said[0].isdigit() or _SCALE.search(said)
    ]
    return found[0] if len(found) == 1 else ""


def _differs_in_zeros(one: Decimal, other: Decimal) -> bool:
    if not one or not other or one == other:
        return False
    exponents = range(-_MOST_ZEROS, _MOST_ZEROS + 1)
    return any(one * Decimal(10) ** exponent == other for exponent in exponents)


def _put(target: str, wrong: str, number: SourceNumber) -> str:
    """A number in the place of a wrong one, which has to stand in the target once."""
    if not wrong or _LETTER.search(wrong):
        return target
    places = list(re.finditer(rf"(?<![\w.,]){re.escape(wrong)}(?![\d]|[.,]\d|[A-Za-z])", target))
    if len(places) != 1:
        return target
    return target[: places[0].start()] + _written(number, wrong) + target[places[0].end() :]


def _written(number: SourceNumber, instead: str) -> str:
    """A number in English; digits that stand in the source stay as they are."""
    value = number.value
    if _PLAIN.fullmatch(number.text) and not _SCALE.search(instead):
        return number.text
    if number.unit == "年":
        return f"{value:f}"
    if _SCALE.search(instead) or value >= _NAMES[1][0]:
        for scale, name in _NAMES:
            share = (value / scale).normalize()
            if share >= 1 and share == round(share, 2):
                return f"{share:f} {name}"
    return f"{value:,f}"
