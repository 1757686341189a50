"""The languages of a translation, and the writing direction of its texts."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import regex

from anaphora.core.languages import Language, code_of, language_of
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.core.untrusted import read_json


@dataclass(frozen=True)
class LanguagePair:
    """The source and target languages by their codes (zh, zho_Hans, zh-CN, …); "" for unknown."""

    source: str = "zh"
    target: str = "en"

    @classmethod
    def from_text(cls, text: str) -> LanguagePair | None:
        """The inverse of `to_text`; None for an invalid text."""
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
        """True if both pairs have the same languages; their codes may differ in form, region or script."""
        sides = self.source_language, self.target_language
        return sides == (other.source_language, other.target_language)

    def has_codes(self, source: str, target: str) -> bool:
        """True if two codes stand for the pair's languages in any order; an unknown language matches any."""
        sides = self.source_language.code, self.target_language.code
        codes = code_of(source), code_of(target)
        return any(
            all(not code or not side or code == side for code, side in zip(ordered, sides, strict=True))
            for ordered in (codes, codes[::-1])
        )

    def needs_translation(self, source: str) -> bool:
        """True if a text, with or without tags, has a letter of the source language's scripts."""
        return self._letter.search(source) is not None

    def fits(self, source: str, target: str) -> bool:
        """False if only the target has letters of the source language, as after a reversed translation."""
        search = self._letter.search
        return search(source) is not None or search(target) is None

    def untranslated_stretches(self, target: str) -> list[str]:
        """Stretches of a target in scripts of the source language that the target language does not use.

        Latin letters do not count: names, code and abbreviations use them in all languages. If the scripts of
        either language are unknown, no stretch counts.
        """
        return self._source_only.findall(target) if self._source_only is not None else []

    @cached_property
    def source_language(self) -> Language:
        return language_of(self.source)

    @cached_property
    def target_language(self) -> Language:
        return language_of(self.target)

    @cached_property
    def share_letters(self) -> bool:
        """True if letters do not tell the languages apart, because scripts are shared or unknown."""
        sides = {*self.source_language.scripts}, {*self.target_language.scripts}
        return not all(sides) or bool(sides[0] & sides[1])

    @cached_property
    def _letter(self) -> regex.Pattern[str]:
        return self.source_language.letter_pattern()

    @cached_property
    def _source_only(self) -> regex.Pattern[str] | None:
        source = [*self.source_language.scripts]
        others = {*self.target_language.scripts, "Latin"}
        only = "".join(rf"\p{{Script={name}}}" for name in source if name not in others)
        return regex.compile(rf"(?:(?=\p{{L}})[{only}])+") if only and self.target_language.scripts else None


CHINESE_TO_ENGLISH = LanguagePair()


_RIGHT_TO_LEFT = frozenset(("R", "AL"))
MIN_SHARE = 0.6
"""Minimum share of reversed targets for `Pair.is_reversed`, and of foreign ones for `has_foreign_targets`."""
MAX_JUDGED = 500
MAX_SEARCHED = 1_000


def is_right_to_left(text: str, default: bool = False) -> bool:
    """True if a text's first letter belongs to a right-to-left script (Unicode Standard Annex 9, P2 and P3).
    If the first `MAX_SEARCHED` characters contain no letter, the result is `default`."""
    for character in MARK.sub("", text[:MAX_SEARCHED]):
        kind = unicodedata.bidirectional(character)
        if kind in _RIGHT_TO_LEFT:
            return True
        if kind == "L":
            return False
    return default


@dataclass(frozen=True, slots=True)
class Pair:
    """The languages of a project, and the findings of `pair_of` about its texts.

    Attributes:
        is_reversed: the sources are in the target language, and the targets in the source language.
        right_to_left: most targets run from right to left.
        has_foreign_sources: the sources have letters, but none of the source language, and no segment is
            translated.
        has_foreign_targets: in most targets, most letters do not belong to the target language.
    """

    is_reversed: bool = False
    right_to_left: bool = False
    languages: LanguagePair = CHINESE_TO_ENGLISH
    has_foreign_sources: bool = False
    has_foreign_targets: bool = False

    @property
    def of_texts(self) -> LanguagePair:
        languages = self.languages
        return LanguagePair(languages.target, languages.source) if self.is_reversed else languages


FORWARD = Pair()
"""The result of `pair_of` for translations by the app's own model, which are from Chinese into English."""


def pair_of(segments: Iterable[Segment], languages: LanguagePair = CHINESE_TO_ENGLISH) -> Pair:
    """Judge the texts of segments; a target that equals its source does not count. Without targets, the
    writing direction is that of the target language in `languages`."""
    counts: Counter[str] = Counter()
    for segment in segments:
        counts["translatable"] += languages.needs_translation(segment.source)
        counts["lettered"] += any(map(str.isalpha, segment.source))
        if segment.target.strip() and segment.target != segment.source:
            counts["translated"] += 1
            counts["reversed"] += not languages.fits(segment.source, segment.target)
            counts["right"] += is_right_to_left(segment.target)
            if counts["translated"] <= MAX_JUDGED:
                counts["foreign"] += not _is_mostly_in(languages.target_language, segment.target)
    translated = counts["translated"]
    if not translated:
        has_foreign = not counts["translatable"] and counts["lettered"] > 0
        return Pair(False, languages.target_language.is_right_to_left, languages, has_foreign)
    is_reversed = counts["reversed"] / translated >= MIN_SHARE
    has_foreign = not is_reversed and counts["foreign"] / min(translated, MAX_JUDGED) >= MIN_SHARE
    return Pair(is_reversed, counts["right"] / translated > 0.5, languages, has_foreign_targets=has_foreign)


def _is_mostly_in(language: Language, text: str) -> bool:
    return 2 * len(language.letter_pattern().findall(text)) >= sum(map(str.isalpha, text))
