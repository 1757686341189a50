"""The number that a translation has in the place of a Chinese text's, as its reader would write it."""

from __future__ import annotations

import re
from decimal import Decimal

from anaphora.checks.quality_numbers import Comparison, compare_numbers, known_items
from anaphora_text.numbers.english import Said, said_numbers
from anaphora_text.numbers.readings import Item, Reading
from anaphora_text.numbers.source_numbers import read_numbers

_PLAIN = re.compile(r"\d+(?:[.,]\d+)*")
_SCALE = re.compile(r"\b(?:hundred|thousand|million|billion|trillion|bn)\b", re.IGNORECASE)
_PERCENT = re.compile(r"\s*(?:%|per ?cent\b)", re.IGNORECASE)
_NAMES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))
_MOST_ZEROS = 8
"""万 and 亿 apart, a scale is no farther off."""
_YEAR = re.compile(r"1\d{3}|20\d\d")


def with_mended_numbers(source: str, target: str) -> str:
    """The target with the numbers that it has in the place of its source's; the same one where none is sure.

    Sure is a number of the same digits on another scale ("37,000" for 三十七万), and, where one number is
    missing and one is added, that the one stands for the other. A number that can be read or said in several
    ways (三五个, 打八折, 98年) is never sure.
    """
    compared = compare_numbers(source, target)
    text = target
    for reading in compared.chinese:
        text = _put(text, _on_another_scale(source, text, reading), reading)
    if text == target and len(compared.chinese) == len(compared.english) == 1:
        text = _put(target, _instead(compared), compared.chinese[0])
    return text


def _instead(compared: Comparison) -> Said | None:
    """The one added number, if it may stand for the missing one: a year for a year and for nothing else."""
    (said,), (reading,) = compared.english, compared.chinese
    return said if _is_year(said) == (reading.kind == "year") or _PLAIN.fullmatch(reading.text) else None


def _is_year(said: Said) -> bool:
    return _YEAR.fullmatch(said.text) is not None


def _on_another_scale(source: str, target: str, reading: Reading) -> Said | None:
    """The only number of a target that differs from one of its source in its zeros; None where none does."""
    known, others = known_items(read_numbers(source)), _with_other_zeros(reading.value)
    found = [
        said
        for said in said_numbers(target)
        if said.value is not None and said.value in others and said.value not in known
        if said.figures or _SCALE.search(said.text)
    ]
    return found[0] if len(found) == 1 else None


def _with_other_zeros(value: Item | None) -> frozenset[Item]:
    """The numbers that differ from one in their zeros."""
    if not isinstance(value, Decimal) or not value:
        return frozenset()
    return frozenset(value.scaleb(by) for by in range(-_MOST_ZEROS, _MOST_ZEROS + 1) if by)


def _put(target: str, wrong: Said | None, reading: Reading) -> str:
    """A number in the place of a wrong one, which has to stand in the target once, and be one number only."""
    value = reading.value
    if wrong is None or wrong.value is None or value is None:
        return target
    places = list(re.finditer(rf"(?<![\w.,]){re.escape(wrong.text)}(?![\d]|[.,]\d|[A-Za-z])", target))
    if len(places) != 1 or (_PERCENT.match(target, places[0].end()) is None) == (reading.kind == "percent"):
        return target
    return target[: places[0].start()] + _written(reading, value, wrong.text) + target[places[0].end() :]


def _written(reading: Reading, value: Decimal, instead: str) -> str:
    """A number in English; digits that stand in the source stay as they are."""
    if _PLAIN.fullmatch(reading.text) and not _SCALE.search(instead):
        return reading.text
    if reading.kind == "year":
        return f"{value:f}"
    if _SCALE.search(instead) or value >= _NAMES[1][0]:
        for scale, name in _NAMES:
            share = (value / scale).normalize() + 0
            if share >= 1 and share == round(share, 2):
                return f"{share:f} {name}"
    return f"{value:,f}"
