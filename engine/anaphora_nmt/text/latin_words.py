"""Find Latin words in texts of other scripts, as in 将 momentum 设为默认值; most translations keep them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

from anaphora_nmt.text.protect import PLACEHOLDERS

_RUN = re.compile(r"[A-Za-zÀ-ÖØ-öø-ɏ]{2,}")


def latin_words(text: str) -> list[tuple[int, int]]:
    """(start, end) of each run of at least two Latin letters; empty if all letters are Latin.

    Runs next to a digit, an underscore or a placeholder are left out as parts of longer strings.
    """
    runs = _runs(text)
    if not runs or not any(_is_other_letter(letter) for letter in text):
        return []
    return [(start, end) for start, end in runs if not (_is_joint(text, start - 1) or _is_joint(text, end))]


def all_latin_words(text: str) -> set[str]:
    """All runs of at least two Latin letters, even in a text without other letters."""
    return {text[start:end] for start, end in _runs(text)}


def lost_words(source: str, target: str, exempt: Container[str] = ()) -> list[str]:
    """The Latin words of a source that begin no word of the target (in any letter case), without duplicates.

    Args:
        exempt: words to leave out of the result, in lower case.
    """
    words = dict.fromkeys(source[start:end] for start, end in latin_words(source))
    return [
        word
        for word in words
        if word.casefold() not in exempt
        and not re.search(rf"(?<![^\W\d_]){re.escape(word)}", target, re.IGNORECASE)
    ]


def keeps_latin_words(source: str, before: str, after: str) -> bool:
    """True if a target keeps, after a change, the source's Latin words that it contained before."""
    words = {source[start:end] for start, end in latin_words(source)}
    old, new = ({text[start:end] for start, end in _runs(text)} for text in (before, after))
    return words & old <= new


def _runs(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _RUN.finditer(text)]


def _is_other_letter(letter: str) -> bool:
    return letter.isalpha() and not unicodedata.name(letter, "").startswith("LATIN")


def _is_joint(text: str, place: int) -> bool:
    return 0 <= place < len(text) and (
        text[place].isdigit() or text[place] == "_" or text[place] in PLACEHOLDERS
    )
