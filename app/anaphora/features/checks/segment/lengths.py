"""Translations that are too short or too long for the source, the file's limit, or a subtitle's time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from anaphora.core.language_pair import LanguagePair
from anaphora.core.length_limits import SubtitleLimits, length_limit, limits_of
from anaphora.core.notes import NoteKind
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.core.text import HAN
from anaphora.features.checks.segment.check import Check, Finding, RemarkKind, translate
from anaphora.features.checks.segment.wording import bare_text
from anaphora_text.numbers.source_numbers import read_numbers

_CLOCK = re.compile(r"(?<!\d)(\d++):(\d{1,2}):(\d{1,2})[,.:](\d{1,3})")
_STYLE = re.compile(r"<[^<>]*>|\{\\[^{}]*\}|\\N")
_MIN_CHARACTERS = 10
"""Lengths are compared if the Chinese text has at least this many characters or an English source is long."""
_WORDS = re.compile(r"[A-Za-z0-9]+")
_MIN_RATIO, _MAX_RATIO = 1.4, 7.0
"""Minimum and maximum number of English letters and digits per Chinese character."""

SHORT = Check(
    "too-short",
    translate("Quality", "The translation is very short for its source."),
    RemarkKind.LENGTH,
)
LONG = Check(
    "too-long", translate("Quality", "The translation is very long for its source."), RemarkKind.LENGTH
)
TOO_FAST = Check(
    "reading-speed",
    translate("Quality", "Too fast to read: {0} characters per second (at most {1})."),
    RemarkKind.LENGTH,
    is_immediate=True,
)
OVER_LIMIT = Check(
    "length-limit",
    translate("Quality", "Too long: {0} characters (at most {1})."),
    RemarkKind.LENGTH,
    is_immediate=True,
)
OVER_BYTES = replace(OVER_LIMIT, message=translate("Quality", "Too long: {0} bytes (at most {1})."))
CHECKS = (SHORT, LONG, TOO_FAST, OVER_LIMIT, OVER_BYTES)


def find(source: str, target: str, pair: LanguagePair) -> Iterator[Finding]:
    """Compare the lengths of source and target, if one is Chinese and the other English."""
    codes = pair.source_language.code, pair.target_language.code
    if codes == ("zh", "en"):
        characters, letters = len(HAN.findall(source)), _count_letters(target)
        if _balance(characters, letters) < 0 and _balance(characters - _count_numerals(source), letters) < 0:
            yield SHORT, ""
        elif _balance(characters, letters) > 0:
            yield LONG, ""
    elif codes == ("en", "zh"):
        length = _balance(
            len(HAN.findall(target)) + len(_WORDS.findall(bare_text(target))),
            _count_letters(source),
            is_reversed=True,
        )
        if length:
            yield SHORT if length > 0 else LONG, ""


def exceeded_limits(segment: Segment, pair: LanguagePair) -> Iterator[tuple[Check, int, int]]:
    """Tuples (check, measured value, limit) for an exceeded length limit and an exceeded reading speed."""
    limit, limits = length_limit(segment), limits_of(pair.target_language)
    if limit is not None and (length := limit.length(segment)) > limit.maximum:
        yield OVER_BYTES if limit.in_bytes else OVER_LIMIT, length, limit.maximum
    if (speed := _reading_speed(segment, limits)) > limits.speed:
        yield TOO_FAST, speed, limits.speed


def _count_numerals(source: str) -> int:
    """Number of Chinese characters in numerals, minus two for each, because English numerals are short."""
    return sum(max(len(HAN.findall(reading.text)) - 2, 0) for reading in read_numbers(source))


def _count_letters(text: str) -> int:
    return sum(char.isalnum() for char in bare_text(text))


def _balance(characters: int, letters: int, is_reversed: bool = False) -> int:
    """-1 if the English text (the source if `is_reversed`) has too few letters, 1 if too many, else 0."""
    if characters < _MIN_CHARACTERS and (not is_reversed or letters < _MAX_RATIO * _MIN_CHARACTERS):
        return 0
    share = letters / max(characters, 1)
    return (share > _MAX_RATIO + 20 / max(characters, 1)) - (share < _MIN_RATIO)


def _reading_speed(segment: Segment, limits: SubtitleLimits) -> int:
    """Characters per second of a subtitle; 0 for other segments and invalid times."""
    for note in segment.notes:
        if note.kind is NoteKind.TIME and len(times := _CLOCK.findall(note.text)) == 2:
            start, end = (
                int(hours) * 3600 + int(minutes) * 60 + int(seconds) + float(f"0.{part}")
                for hours, minutes, seconds, part in times
            )
            letters = limits.length(" ".join(_STYLE.sub("", MARK.sub("", segment.target)).split()))
            return round(letters / (end - start)) if end > start else 0
    return 0
