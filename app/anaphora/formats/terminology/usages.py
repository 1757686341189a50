"""Recognise words for a term's usage, and for yes and no, with the patterns in `usages.tsv`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from anaphora.core.term_entries import Usage
from anaphora.formats.base.tables import words_of

_LINES = files("anaphora_resources").joinpath("usages.tsv").read_text("utf-8").splitlines()
_PATTERNS = {name: re.compile(words) for name, words in (line.split("\t") for line in _LINES)}
_MAX_CHARACTERS = 40
"""Maximum length of a text that names a usage; a longer text is a sentence about the term."""


@lru_cache(maxsize=1024)
def meaning_of(text: str) -> str:
    """The usage that a text means, or "neutral", "yes" or "no"; "" if the text is unknown or too long."""
    words = " ".join(words_of(text)) or text.strip()
    if len(words) > _MAX_CHARACTERS:
        return ""
    return next((name for name, pattern in _PATTERNS.items() if pattern.search(words)), "")


@lru_cache(maxsize=1024)
def usage_of(texts: tuple[str, ...]) -> tuple[Usage, tuple[str, ...]]:
    """The usage of a term according to texts about it, and the texts that are not understood."""
    meanings = {text: meaning_of(text) for text in texts if text}
    usages = [Usage(meaning) for meaning in meanings.values() if meaning in [*Usage]]
    unknown = tuple(text for text, meaning in meanings.items() if not meaning)
    if Usage.FORBIDDEN in usages:
        return Usage.FORBIDDEN, unknown
    return usages[0] if usages else Usage.ADMITTED if unknown else Usage.PREFERRED, unknown


def words_about(role: str, text: str) -> Iterator[str]:
    """Words for a term's usage from a column or field: "yes" in the role "forbidden" yields "forbidden"."""
    if role == "usage":
        yield text
    elif role == "forbidden" and meaning_of(text) in ("yes", Usage.FORBIDDEN):
        yield role
    elif role == "preferred" and meaning_of(text) == "no":
        yield Usage.ADMITTED
