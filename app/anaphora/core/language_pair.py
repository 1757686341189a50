"""The source and target language of a project, and checks of texts by their letters."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property

import regex

from anaphora.core.languages import Language, code_of, language_of
from anaphora.core.untrusted import read_json


@dataclass(frozen=True)
class LanguagePair:
    """Languages by their codes (zh, zho_Hans, zh-CN, …); "" for unknown."""

    source: str = "zh"
    target: str = "en"

    @classmethod
    def from_text(cls, text: str) -> LanguagePair | None:
        """The inverse of `to_text`; None for other text."""
        try:
            source, target = read_json(text)
        except (ValueError, TypeError):
            return None
        return cls(str(source), str(target))

    def to_text(self) -> str:
        return json.dumps([self.source, self.target])

    @property
    def is_chinese_to_english(self) -> bool:
        return (self.source_language.code, self.target_language.code) == ("zh", "en")

    def is_like(self, other: LanguagePair) -> bool:
        """True if the languages are the same; codes, regions and scripts may differ."""
        sides = self.source_language, self.target_language
        return sides == (other.source_language, other.target_language)

    def holds(self, source: str, target: str) -> bool:
        """True if two language codes are those of the pair, in either direction.

        "" matches any language.
        """
        sides = self.source_language.code, self.target_language.code
        codes = code_of(source), code_of(target)
        return any(
            all(not code or not own or code == own for code, own in zip(way, sides, strict=True))
            for way in (codes, codes[::-1])
        )

    def needs_translation(self, source: str) -> bool:
        """True if a text has letters of the source language; other texts are copied.

        The marks of tags have no letters.
        """
        return self._letter.search(source) is not None

    def fits(self, source: str, target: str) -> bool:
        """True if two texts are in the pair's direction, so that a memory for the pair can store them."""
        search = self._letter.search
        return search(source) is not None or search(target) is None

    def left_over(self, target: str) -> list[str]:
        """Stretches of a target in letters that only the source language uses.

        Latin letters do not count: names, code and abbreviations use them in all languages.
        """
        return self._left.findall(target) if self._left is not None else []

    @cached_property
    def source_language(self) -> Language:
        return language_of(self.source)

    @cached_property
    def target_language(self) -> Language:
        return language_of(self.target)

    @cached_property
    def share_letters(self) -> bool:
        """True if a text may be in either language, judging by its letters."""
        sides = {*self.source_language.scripts}, {*self.target_language.scripts}
        return not all(sides) or bool(sides[0] & sides[1])

    @cached_property
    def _letter(self) -> regex.Pattern[str]:
        return self.source_language.letter()

    @cached_property
    def _left(self) -> regex.Pattern[str] | None:
        own = [*self.source_language.scripts]
        there = {*self.target_language.scripts, "Latin"}
        only = "".join(rf"\p{{Script={name}}}" for name in own if name not in there)
        return regex.compile(rf"(?:(?=\p{{L}})[{only}])+") if only and self.target_language.scripts else None


CHINESE_TO_ENGLISH = LanguagePair()
