"""Repeated words and phrases, spaces, and punctuation of the wrong width."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

from anaphora.core.language_pair import LanguagePair
from anaphora.core.languages import Language
from anaphora.core.tags import MARK, partner
from anaphora.core.text import HAN, URL
from anaphora.features.checks.segment.check import MAX_FINDINGS, Check, Finding, RemarkKind, not_in, translate
from anaphora_text.punctuation import (
    COLONS,
    NARROW,
    ROUND_BRACKET_PAIRS,
    WIDE_MARKS,
    WIDE_PAUSES,
    WIDE_SENTENCE_ENDS,
    one_of,
)
from anaphora_text.repeated_phrases import repeated_phrases

_DOUBLED = re.compile(r"\b([^\W\d_]{2,})\s+\1\b", re.IGNORECASE)
_DOUBLING_WORDS = {
    "en": frozenset(("that", "had", "very", "so", "ha", "no", "bye", "blah", "really")),
    "fr": frozenset(("nous", "vous")),
    "de": frozenset(("die", "der", "das", "sie", "den")),
}
"""By language, words that may correctly occur twice in a row."""
_WIDE = re.compile(one_of(WIDE_MARKS))
_NARROW = re.compile(rf"(?<={HAN.pattern})[,;:!?](?={HAN.pattern}|\s*$)")
_TWO_SPACES = re.compile(r"\S {2,}\S")
_SPACE_BEFORE = re.compile(r"[A-Za-z0-9)] +(?:[,;!?](?=\s|$)|[.:](?=$))")
_NO_SPACE_AFTER = re.compile(r"[a-z]{2}[,;!?][A-Za-z]{2}")
_COLON = re.compile(r"[A-Za-z]:[A-Z][a-z]")
"""A colon between two words without a space. It counts as a fault if the source has a wide colon."""
_STOPS = WIDE_PAUSES + WIDE_SENTENCE_ENDS
_GAP = r"[^\S\r\n]"
_WIDE_OPEN, _WIDE_CLOSE = tuple(ROUND_BRACKET_PAIRS[1])
_NARROW_MARKS = str.maketrans(dict(NARROW))


def _drop_word(source: str, target: str, word: str) -> str:
    return re.sub(rf"\b({re.escape(word)})\s+{re.escape(word)}\b", r"\1", target, flags=re.IGNORECASE)


def _drop_phrase(source: str, target: str, phrase: str) -> str:
    for _, second, end in repeated_phrases(target):
        if target[second:end] == phrase:
            return target[:second].rstrip(" ") + target[end:]
    return target


def _make_narrow(source: str, target: str, mark: str) -> str:
    """Convert all Chinese punctuation to English marks with the usual spaces; keep line breaks."""
    text = re.sub(rf"(?<!{_GAP}){_GAP}+(?={one_of(_STOPS + _WIDE_OPEN + _WIDE_CLOSE)})", "", target)
    text = re.sub(rf"({one_of(_STOPS)}){_GAP}*", lambda stop: f"{NARROW[stop[1]]} ", text)
    text = re.sub(rf" ?{_WIDE_OPEN}{_GAP}*", " (", text)
    text = re.sub(rf"{_WIDE_CLOSE}{_GAP}*", ") ", text).translate(_NARROW_MARKS)
    text = re.sub(r"(?<! ) +(?=[\r\n,.;:!?)\]]|$)|(?<=[\r\n]) (?=\()", "", text)
    return text.strip(" ") if target.strip(" ") == target else text


def _space(source: str, target: str, shown: str) -> str:
    wrong = shown.replace("␣", " ")
    right = re.sub(r" +([,;!?.:])", r"\1", re.sub(" {2,}", " ", wrong))
    right = re.sub(r"([,;!?:])(?=[A-Za-z])", r"\1 ", right)
    return target.replace(wrong, right)


DOUBLED = Check("word-doubled", translate("Quality", "Repeated word: “{0}”."), RemarkKind.WORDING, _drop_word)
PHRASE = Check(
    "phrase-doubled",
    translate("Quality", "Repeated phrase: “{0}”."),
    RemarkKind.WORDING,
    _drop_phrase,
)
WIDE = Check(
    "full-width-mark",
    translate("Quality", "Full-width punctuation mark in the translation: {0}."),
    RemarkKind.LEFT_OVER,
    _make_narrow,
)
LATIN = Check(
    "latin-mark",
    translate("Quality", "Latin punctuation mark in Chinese text: {0}."),
    RemarkKind.WORDING,
)
SPACING = Check("spacing", translate("Quality", "Missing or extra space: “{0}”."), RemarkKind.WORDING, _space)
CHECKS = (DOUBLED, PHRASE, WIDE, LATIN, SPACING)


def find(source: str, target: str, pair: LanguagePair) -> Iterator[Finding]:
    """Repetitions that the source lacks, marks of the wrong width, and missing or extra spaces."""
    language = pair.target_language
    text, known = bare_text(target), source.casefold()
    allowed = _DOUBLING_WORDS.get(language.code, frozenset())
    words = dict.fromkeys(match.group(1) for match in _DOUBLED.finditer(text))
    for word in islice((word for word in words if word.lower() not in allowed), MAX_FINDINGS):
        if f"{word} {word}".casefold() not in known:
            yield DOUBLED, word
    if language.is_spaced:
        masked = URL.sub(_masking("x"), MARK.sub(_masking("\0"), target))
        phrases = dict.fromkeys(masked[second:end] for _, second, end in repeated_phrases(masked))
        yield from ((PHRASE, each) for each in islice(phrases, MAX_FINDINGS) if each.casefold() not in known)
    if not language.is_wide:
        yield from ((WIDE, mark) for mark in dict.fromkeys(_WIDE.findall(target)))
    elif language.code == "zh":
        yield from ((LATIN, mark) for mark in dict.fromkeys(_NARROW.findall(MARK.sub("", target))))
    yield from ((SPACING, each.replace(" ", "␣")) for each in not_in(source, _spaces(source, text, language)))


def _spaces(source: str, target: str, language: Language) -> Iterator[str]:
    patterns = (_TWO_SPACES, _SPACE_BEFORE, _NO_SPACE_AFTER) if language.is_spaced else (_TWO_SPACES,)
    if language.is_spaced and COLONS[1] in source:
        patterns = (*patterns, _COLON)
    for pattern in patterns:
        for match in pattern.finditer(target):
            if pattern is not _SPACE_BEFORE or match.group()[-1] not in language.blank_before:
                yield match.group()


def _masking(char: str) -> Callable[[re.Match[str]], str]:
    return lambda match: char * len(match.group())


def bare_text(text: str) -> str:
    """A text without paired tags, and with a letter instead of each address and unpaired tag.

    An unpaired tag may stand for a part of the text, such as {0} in a program.
    """
    marks = {match.group() for match in MARK.finditer(text)}
    return URL.sub("x", MARK.sub(lambda mark: "" if partner(mark.group()) in marks else "x", text))
