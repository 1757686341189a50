"""Recognise words of a document's language in properties, formulas and fields."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import regex

from anaphora.core.languages import language_of
from anaphora.core.text import HAN

_QUOTED = re.compile(r'"([^"]*)"')
_MARKUP = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class SourceWords:
    """Recognises the words of a language, given by its code; "" counts as Chinese."""

    language: str = ""

    @property
    def differ_from_code(self) -> bool:
        """True if the language's letters differ from the Latin letters of code."""
        return not self.language or "Latin" not in (language_of(self.language).scripts or ("Latin",))

    def in_text(self, text: str) -> bool:
        """True if a text contains a word; where spaces separate words, one letter is not a word."""
        return _word(self.language).search(text) is not None

    def in_code(self, code: str) -> bool:
        """True if code contains a word of the language, judging by its letters."""
        return self.differ_from_code and self.in_text(code)

    def in_strings(self, code: str) -> bool:
        """True if code contains a word of the language, judging by its letters or quotation marks."""
        return self.in_code(code) or any(map(self.in_text, _QUOTED.findall(code)))

    def in_markup(self, markup: str) -> bool:
        """True if the texts between tags contain a word of the language."""
        return self.in_text(markup if self.differ_from_code else _MARKUP.sub(" ", markup))


@lru_cache(maxsize=64)
def _word(code: str) -> re.Pattern[str] | regex.Pattern[str]:
    if not code:
        return HAN
    language = language_of(code)
    letter = language.letter()
    return regex.compile(f"(?:{letter.pattern}){{2}}") if language.is_spaced else letter
