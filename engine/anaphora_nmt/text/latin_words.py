"""Latin words in texts of other scripts, such as 将 momentum 设为默认值; translations keep nearly all."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

from anaphora_nmt.text.protect import PLACEHOLDERS

_RUN = re.compile(r"[A-Za-zÀ-ÖØ-öø-ɏ]{2,}")


def latin_words(text: str) -> list[tuple[int, int]]:
    """(start, end) of the words with at least two Latin letters, in order; none if all letters are Latin.

    Words next to a digit, an underscore or a placeholder are left out as parts of longer strings.
    """
    runs = _runs(text)
    if not runs or not any(_is_other_letter(letter) for letter in text):
        return []
    return [(start, end) for start, end in runs if not (_touches(text, start - 1) or _touches(text, end))]


def all_latin_words(text: str) -> set[str]:
    """The runs of at least two Latin letters in any text."""
    return {text[start:end] for start, end in _runs(text)}


def lost_words(source: str, target: str, rewritten: Container[str] = ()) -> list[str]:
    """The Latin words of a source with which no word of the target begins, ignoring case, each once.

    Args:
        rewritten: words that may be missing, in lower case.
    """
    words = dict.fromkeys(source[start:end] for start, end in latin_words(source))
    return [
        word
        for word in words
        if word.casefold() not in rewritten
        and not re.search(rf"(?<![^\W\d_]){re.escape(word)}", target, re.IGNORECASE)
    ]


def keeps_latin_words(source: str, before: str, after: str) -> bool:
    """True if a changed target keeps the source's Latin words that the target had before."""
    words = {source[start:end] for start, end in latin_words(source)}
    old, new = ({text[start:end] for start, end in _runs(text)} for text in (before, after))
    return words & old <= new


def _runs(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _RUN.finditer(text)]


def _is_other_letter(letter: str) -> bool:
    return letter.isalpha() and not unicodedata.name(letter, "").startswith("LATIN")


def _touches(text: str, place: int) -> bool:
    return 0 <= place < len(text) and (
        text[place].isdigit() or text[place] == "_" or text[place] in PLACEHOLDERS
    )
