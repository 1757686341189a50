"""Selects the model's alternatives that are worth offering."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable

import regex

from anaphora.core.tags import MARK
from anaphora.core.text import has_han
from anaphora_text.word_forms import content_words, stems

MIN_LENGTH_RATIO = 0.4
"""An alternative is rejected if it or the draft is shorter than this share of the other."""
MIN_LENGTH = 12
"""Lengths of texts with fewer characters are not compared."""
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
    """True if an alternative has faults that the draft does not have.

    Faults are invented or lost numbers and names, repeated marks and words, unpaired brackets, and a very
    different length. Numbers, and names and code in Latin letters, are also compared with the source.

    Args:
        draft: the model's best text; empty if `text` is the best text.
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
    """True if a number of several digits is new, or one that the draft copied from the source is lost."""
    numbers = {found for found in _NUMBER.findall(text) if len(found) > 1}
    known = _NUMBER.findall(source)
    # A date or an amount may be written differently: 1.5万 is 15,000.
    if numbers and known and not numbers <= {*known, *_NUMBER.findall(draft)}:
        return True
    copied = Counter(known) & Counter(_NUMBER.findall(draft))
    return any(len(number) > 1 for number in copied - Counter(_NUMBER.findall(text)))


def _loses_a_name(source: str, text: str, draft: str) -> bool:
    copied = {name.casefold() for name in _NAME.findall(source) if name.casefold() in draft.casefold()}
    return any(name not in text.casefold() for name in copied)


def _has_new(pattern: regex.Pattern[str], text: str, known: str) -> bool:
    return any(
        found.group() not in known for found in pattern.finditer(text) if found.group() not in ("..", "...")
    )


def _opens_without_closing(text: str) -> int:
    return sum(abs(text.count(opening) - text.count(closing)) for opening, closing in _BRACKETS)


def _is_of_another_length(text: str, draft: str) -> bool:
    shorter, longer = sorted((len(text.strip()), len(draft.strip())))
    return longer >= MIN_LENGTH and shorter < MIN_LENGTH_RATIO * longer


def differs_in_words(text: str, known: Iterable[str]) -> bool:
    """True if a text differs from each known text in a content word or in the order of content words.

    Function words except "not", inflection, punctuation, case and tags do not count. A text without
    content words is compared by all its words.
    """
    words = _meaningful_words(text)
    return not any(_are_forms(words, _meaningful_words(other)) for other in known)


def _meaningful_words(text: str) -> tuple[str, ...]:
    plain = _SHORTENED.sub("", _NOT.sub(" not", MARK.sub(" ", text))).lower()
    words = _WORD.findall(plain)
    return tuple(word for word in words if word in _NEGATIONS or content_words(word)) or tuple(words)


def _are_forms(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """True if the words are pairwise equal or forms of the same word."""
    return len(words) == len(others) and all(
        word == other or stems(word) & stems(other) for word, other in zip(words, others, strict=True)
    )
