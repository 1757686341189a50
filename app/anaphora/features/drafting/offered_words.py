"""Choice of the machine's alternatives that are worth offering."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable

import regex

from anaphora.core.tags import MARK
from anaphora.core.text import has_han
from anaphora_text.word_forms import content_words, stems

LEAST_SHARE = 0.4
"""Shorter than this share of the draft, or longer than its inverse, an alternative says something else."""
FEW_LETTERS = 12
"""In texts with fewer characters than this, length says nothing."""
_BROKEN = regex.compile(r"[\ufffd\p{Cc}--\s]", regex.V1)
_NUMBER = regex.compile(r"\d+")
_NAME = regex.compile(r"[A-Za-z][\w.+#-]*[A-Za-z0-9]")
_RUN = regex.compile(r"([\p{P}\p{S}])\1+")
_LETTER = regex.compile(r"\p{L}")
_TWICE = regex.compile(r"\b(\p{L}[\w'’-]*+(?:\s++[\w'’-]++){0,5})\s+\1\b", regex.IGNORECASE)
_NOT = regex.compile(r"\b(?:cannot|(?:can|won|shan)['’]t)\b|n['’]t\b", regex.IGNORECASE)
_WORD = regex.compile(r"[^\W_]+")
_SHORTENED = regex.compile(r"['’](?:s|re|ll|m|ve|d)\b", regex.IGNORECASE)
_NEGATIONS = ("no", "not")
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"))


def is_junk(source: str, text: str, draft: str) -> bool:
    """True if an alternative is worse than the draft in ways that the text alone shows.

    Text that both languages write alike (numbers, names and code in Latin letters) is compared
    with the source and the draft; the rest only with the draft: marks in a row, repeated words, brackets
    that do not close, a length of another order. A fault that the draft has too is not held against the
    alternative.

    Args:
        draft: the machine's best text; empty if `text` is that itself.
    """
    if (
        not text.strip()
        or _BROKEN.search(text)
        or (_LETTER.search(draft or source) and not _LETTER.search(text))
    ):
        return True
    plain = unicodedata.normalize("NFKC", source)
    if _invents_a_number(plain, text, draft) or _has_new(_RUN, text, f"{plain} {draft}"):
        return True
    return bool(draft) and (
        _loses_a_name(plain, text, draft)
        or _has_new(_TWICE, text, draft)
        or _opens_without_closing(text) > _opens_without_closing(draft)
        or _is_of_another_length(text, draft)
        or (has_han(text) and not has_han(draft))
    )


def _invents_a_number(source: str, text: str, draft: str) -> bool:
    """A number of two digits or more that neither has, or one of the source that the draft kept is lost."""
    numbers = {found for found in _NUMBER.findall(text) if len(found) > 1}
    known = _NUMBER.findall(source)
    # A date or a sum may be written otherwise: 1.5万 is 15,000.
    if numbers and known and not numbers <= {*known, *_NUMBER.findall(draft)}:
        return True
    kept = Counter(known) & Counter(_NUMBER.findall(draft))
    return any(len(number) > 1 for number in kept - Counter(_NUMBER.findall(text)))


def _loses_a_name(source: str, text: str, draft: str) -> bool:
    kept = {name.casefold() for name in _NAME.findall(source) if name.casefold() in draft.casefold()}
    return any(name not in text.casefold() for name in kept)


def _has_new(pattern: regex.Pattern[str], text: str, known: str) -> bool:
    return any(
        found.group() not in known for found in pattern.finditer(text) if found.group() not in ("..", "...")
    )


def _opens_without_closing(text: str) -> int:
    return sum(abs(text.count(opening) - text.count(closing)) for opening, closing in _BRACKETS)


def _is_of_another_length(text: str, draft: str) -> bool:
    shorter, longer = sorted((len(text.strip()), len(draft.strip())))
    return longer >= FEW_LETTERS and shorter < LEAST_SHARE * longer


def says_it_otherwise(text: str, known: Iterable[str]) -> bool:
    """True if a text differs from each known one in a content word or in the order of these words.

    Articles, prepositions, inflection, punctuation, case and tags do not count; a "not" does. A text without
    content words is compared by all its words.
    """
    words = _words_that_say(text)
    return not any(_are_forms(words, _words_that_say(other)) for other in known)


def _words_that_say(text: str) -> tuple[str, ...]:
    plain = _SHORTENED.sub("", _NOT.sub(" not", MARK.sub(" ", text))).lower()
    words = _WORD.findall(plain)
    return tuple(word for word in words if word in _NEGATIONS or content_words(word)) or tuple(words)


def _are_forms(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """True if each word is a form of the one at its place among the others."""
    return len(words) == len(others) and all(
        word == other or stems(word) & stems(other) for word, other in zip(words, others, strict=True)
    )
