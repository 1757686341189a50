"""Checks of a translation's wording: doubled words, spaces, punctuation, length, format strings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from anaphora.checks.segment.icu_messages import without_branch_braces
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.languages import Language, language_of
from anaphora.core.length_limits import SubtitleLimits
from anaphora.core.notes import NoteKind
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.core.text import HAN, URL
from anaphora_text.numbers.source_numbers import read_numbers
from anaphora_text.punctuation import CLOSING, COLONS, QUESTION_MARKS, WIDE_MARKS, one_of

_DOUBLED = re.compile(r"\b([^\W\d_]{2,})\s+\1\b", re.IGNORECASE)
_MAY_DOUBLE = {
    "en": frozenset(("that", "had", "very", "so", "ha", "no", "bye", "blah", "really")),
    "fr": frozenset(("nous", "vous")),
    "de": frozenset(("die", "der", "das", "sie", "den")),
}
"""By language, words that are rightly said twice."""
_ENGLISH = language_of("en")
_WIDE = re.compile(one_of(WIDE_MARKS))
_BLANKS = re.compile(r"\S {2,}\S")
_BEFORE = re.compile(r"[A-Za-z0-9)] +(?:[,;!?](?=\s|$)|[.:](?=$))")
_AFTER = re.compile(r"[a-z]{2}[,;!?][A-Za-z]{2}")
_COLON = re.compile(r"[A-Za-z]:[A-Z][a-z]")
"""Where the source has a wide colon; those in code and in times of day do not count."""
_NARROW = re.compile(rf"(?<={HAN.pattern})[,;:!?](?={HAN.pattern}|\s*$)")
_BEHIND_QUESTIONS = CLOSING + " \n"
_PRINTF = re.compile(r"%(?:\d++\$|\(\w++\))?[-+0#]*+\d*+(?:\.\d++)?(?:hh|h|ll|l|z)?[sdiufxXeEgGc@]")
_BRACES = re.compile(r"\$\{\w+\}|\{\{\s*\w+\s*\}\}|\{[A-Za-z_]\w*\}")
_CLOCK = re.compile(r"(?<!\d)(\d++):(\d{1,2}):(\d{1,2})[,.:](\d{1,3})")
_STYLE = re.compile(r"<[^<>]*>|\{\\[^{}]*\}|\\N")
MOST = 100
"""Findings of one check that are looked for in the other text: each of them costs a pass over it."""
_SHORTEST_SOURCE = 10
_WORDS = re.compile(r"[A-Za-z0-9]+")
_LEAST, _MOST = 1.4, 7.0
"""Letters and digits of English for a Chinese character; three references of docs dev have fewer."""


def doubled_words(source: str, target: str, language: Language = _ENGLISH) -> list[str]:
    """Words that are said twice in a row."""
    said = dict.fromkeys(match.group(1) for match in _DOUBLED.finditer(_bare(target)))
    known = source.lower()
    right = _MAY_DOUBLE.get(language.code, frozenset())
    may_be = (word for word in said if word.lower() not in right)
    return [word for word in islice(may_be, MOST) if f"{word} {word}".lower() not in known]


def wrong_spacing(source: str, target: str, language: Language = _ENGLISH) -> list[str]:
    """Two blanks, a blank before a mark, or none behind it; what the source has so may be so."""
    bare = _bare(target)
    patterns = (_BLANKS, _BEFORE, _AFTER) if language.is_spaced else (_BLANKS,)
    if language.is_spaced and COLONS[1] in source:
        patterns = (*patterns, _COLON)
    found = (
        match.group()
        for pattern in patterns
        for match in pattern.finditer(bare)
        if pattern is not _BEFORE or match.group()[-1] not in language.blank_before
    )
    return list(not_in(source, found))


def not_in(text: str, found: Iterable[str]) -> Iterator[str]:
    """Those of some findings, each once, that a text does not hold; of very many the first `MOST`."""
    return (each for each in islice(dict.fromkeys(found), MOST) if each not in text)


def wide_marks(target: str) -> list[str]:
    """Chinese punctuation."""
    return list(dict.fromkeys(_WIDE.findall(target)))


def narrow_marks(target: str) -> list[str]:
    """Latin punctuation between or behind Chinese characters."""
    return list(dict.fromkeys(_NARROW.findall(MARK.sub("", target))))


def lost_question(source: str, target: str, pair: LanguagePair = CHINESE_TO_ENGLISH) -> bool:
    """Whether a question has become none."""
    asks = tuple(QUESTION_MARKS + pair.source_language.questions)
    marks = (QUESTION_MARKS if pair.target_language.is_wide else "?") + pair.target_language.questions
    said = MARK.sub("", source).rstrip(_BEHIND_QUESTIONS)
    return said.endswith(asks) and not any(mark in target for mark in marks)


def odd_length(source: str, target: str, pair: LanguagePair = CHINESE_TO_ENGLISH) -> str:
    """ "short" or "long" for a translation that is hardly all of its source, or much more; else "".

    Only between Chinese and English, of which it is known how long either is.
    """
    sides = pair.source_language.code, pair.target_language.code
    if sides == ("zh", "en"):
        characters, letters, names = len(HAN.findall(source)), _letters(target), ("short", "long")
        found = _length(characters, letters, names)
        return _length(characters - _in_numerals(source), letters, names) if found == "short" else found
    if sides == ("en", "zh"):
        return _length(
            len(HAN.findall(target)) + len(_WORDS.findall(_bare(target))), _letters(source), ("long", "short")
        )
    return ""


def _in_numerals(source: str) -> int:
    """Characters of numerals beyond two each: figures are short for 壹拾贰萬叁仟肆佰."""
    return sum(max(len(HAN.findall(reading.text)) - 2, 0) for reading in read_numbers(source))


def _letters(text: str) -> int:
    return sum(char.isalnum() for char in _bare(text))


def _length(characters: int, letters: int, names: tuple[str, str]) -> str:
    """Which of two names fits if English has too few letters, or too many, for so many Chinese characters."""
    if characters < _SHORTEST_SOURCE and (names[0] == "short" or letters < _MOST * _SHORTEST_SOURCE):
        return ""
    share = letters / max(characters, 1)
    if share < _LEAST:
        return names[0]
    return names[1] if share > _MOST + 20 / max(characters, 1) else ""


def reading_speed(segment: Segment, limits: SubtitleLimits) -> int:
    """Characters a second that a viewer has to read of a subtitle; 0 for what is none."""
    for note in segment.notes:
        if note.kind is NoteKind.TIME and len(times := _CLOCK.findall(note.text)) == 2:
            begin, end = (
                int(hours) * 3600 + int(minutes) * 60 + int(seconds) + float(f"0.{part}")
                for hours, minutes, seconds, part in times
            )
            letters = limits.length(" ".join(_STYLE.sub("", MARK.sub("", segment.target)).split()))
            return round(letters / (end - begin)) if end > begin else 0
    return 0


def wrong_format_strings(source: str, target: str) -> tuple[list[str], list[str]]:
    """Format strings of a catalogue that are missing, and that are too many."""
    wanted, found = (
        Counter(match.group() for pattern in (_PRINTF, _BRACES) for match in pattern.finditer(text))
        for text in map(without_branch_braces, (source, target))
    )
    return list(wanted - found), list(found - wanted)


def _bare(text: str) -> str:
    """A text without its tags and addresses; what stands in the text by itself is a letter."""
    return URL.sub("x", MARK.sub(lambda mark: "x" if mark[3] else "", text))
