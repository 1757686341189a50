"""Checks of final punctuation marks, and of unpaired brackets and quotation marks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.core.language_pair import LanguagePair
from anaphora.core.tags import MARK
from anaphora.features.checks.segment.check import Check, Finding, RemarkKind, translate
from anaphora_text.punctuation import (
    BRACKET_PAIRS,
    CLOSING,
    COLONS,
    NARROW,
    QUESTION_MARKS,
    QUOTE_PAIRS,
    SEMICOLONS,
    WIDE_BRACKET_PAIRS,
    WIDE_SENTENCE_ENDS,
    one_of,
)

_CLOSED = re.compile(rf"{one_of(WIDE_SENTENCE_ENDS + '!?' + COLONS + SEMICOLONS)}[{re.escape(CLOSING)}\s]*$")
_FINAL_COLON = re.compile(rf"(?<!{one_of(COLONS)}){one_of(COLONS)}\s*$")
_STRAY_LETTERS = re.compile(r"(?<=[A-Za-z)\"”][.:!?;])\s?[A-Za-z]{1,2}$")
_WORD_AT_END = re.compile(r"[A-Za-z0-9]\s*$")
_TAIL = CLOSING + " \n"
_NARROW_BRACKETS = str.maketrans({mark: NARROW[mark] for pair in WIDE_BRACKET_PAIRS for mark in pair})
_LIST_LABEL = re.compile(r"(?<![(\w])\w{1,4}\)")
_OPENING_QUOTES = ('"', *(pair[0] for pair in QUOTE_PAIRS))
_INCHES = re.compile(r"(?<=\d)[\"”]")
_MENTIONED_MARK = re.compile(r"`[^`]*`|'[\"“”]'|\\\"")
"""Code, and quotation marks that the text mentions rather than uses."""


def _fix_ending(source: str, target: str, _: str) -> str:
    """Remove letters after the final mark, or append the source's colon, unless a tag ends the target."""
    if target.endswith("}"):
        return target
    text = _STRAY_LETTERS.sub("", target.rstrip())
    return f"{text}:" if text == target.rstrip() and _FINAL_COLON.search(MARK.sub("", source)) else text


def _add_question_mark(source: str, target: str, _: str) -> str:
    body = target.rstrip(_TAIL)
    return f"{body[:-1]}?{target[len(body) :]}" if body.endswith((".", "!")) else target


PAIR = Check(
    "pair-unbalanced",
    translate("Quality", "One of the pair {0} is missing."),
    RemarkKind.WORDING,
)
CLOSING_MARK = Check(
    "closing-mark",
    translate("Quality", "The final punctuation differs from the source: “…{0}”."),
    RemarkKind.WORDING,
    _fix_ending,
)
QUESTION = Check(
    "question-lost",
    translate("Quality", "The source is a question, but the translation is not."),
    RemarkKind.WORDING,
    _add_question_mark,
)
CHECKS = (PAIR, CLOSING_MARK, QUESTION)


def find(source: str, target: str, pair: LanguagePair) -> Iterator[Finding]:
    """Unpaired marks, letters after a final mark ("training:a"), a lost colon or question mark at the end."""
    yield from ((PAIR, " ".join(ends)) for ends in _unbalanced(source, target, pair))
    plain, text = MARK.sub("", source).rstrip(), MARK.sub("", target).rstrip()
    if _CLOSED.search(plain):
        letters = _STRAY_LETTERS.search(text)
        is_stray = letters is not None and not plain.rstrip(WIDE_SENTENCE_ENDS + COLONS).endswith(
            letters.group().strip()
        )
        if is_stray or (_FINAL_COLON.search(plain) and _WORD_AT_END.search(text)):
            yield CLOSING_MARK, text[max(len(text) - 12, 0) :]
    question_ends = tuple(QUESTION_MARKS + pair.source_language.question_marks)
    marks = (QUESTION_MARKS if pair.target_language.is_wide else "?") + pair.target_language.question_marks
    if plain.rstrip(_TAIL).endswith(question_ends) and not any(mark in target for mark in marks):
        yield QUESTION, ""


def _unbalanced(source: str, target: str, pair: LanguagePair) -> Iterator[str]:
    original = source.translate(_NARROW_BRACKETS)
    translation = target.translate(_NARROW_BRACKETS) if pair.target_language.is_wide else target
    yield from (ends for ends in BRACKET_PAIRS if _excess(translation, ends) and not _excess(original, ends))
    if _is_quoted(source):
        text = _MENTIONED_MARK.sub(" ", MARK.sub(" ", target))
        yield from (ends for ends in QUOTE_PAIRS if not _has_paired_quotes(text, ends))
        if not _has_even_quotes(text):
            yield '""'


def _excess(text: str, ends: str) -> int:
    """The number of unpaired brackets of one kind; list labels such as "a)" do not count."""
    excess = text.count(ends[1]) - text.count(ends[0])
    return max(excess - len(_LIST_LABEL.findall(text)), 0) if excess > 0 else -excess


def _is_quoted(source: str) -> bool:
    """True if a source has quotation marks and all are paired; an unpaired one may continue a quotation."""
    pairs = all(source.count(ends[0]) == source.count(ends[1]) for ends in QUOTE_PAIRS)
    return pairs and _has_even_quotes(source) and any(mark in source for mark in _OPENING_QUOTES)


def _has_paired_quotes(text: str, ends: str) -> bool:
    opened, closed = (text.count(end) for end in ends)
    inches = len(_INCHES.findall(text)) if ends == "“”" else 0
    return opened <= closed <= opened + inches


def _has_even_quotes(text: str) -> bool:
    marks = text.count('"')
    return marks % 2 == 0 or (marks - len(_INCHES.findall(text))) % 2 == 0
