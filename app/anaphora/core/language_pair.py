"""From which language into which a project is translated, and what that says of a text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import regex

from anaphora.core.tags import MARK

_SCRIPTS = {
    "Han": "zh zho cmn yue wuu lzh",
    "Han Hiragana Katakana": "ja jpn",
    "Hangul Han": "ko kor",
    "Cyrillic": "ru rus uk ukr be bel bg bul mk mkd kk kaz ky kir tg tgk mn khk",
    "Greek": "el ell",
    "Arabic": "ar arb fa pes ur urd ps pbt ug uig",
    "Hebrew": "he heb yi ydd",
    "Devanagari": "hi hin mr mar ne npi sa san",
    "Bengali": "bn ben",
    "Tamil": "ta tam",
    "Thai": "th tha",
    "Georgian": "ka kat",
    "Armenian": "hy hye",
    "Latin": (
        "en eng de deu fr fra es spa pt por it ita nl nld pl pol cs ces sk slk sl slv hr hrv hu hun ro ron "
        "sv swe da dan no nb nob nn fi fin et est lv lvs lt lit tr tur vi vie id ind ms zsm ca cat"
    ),
}
"""Unicode's scripts of languages; a language that is not here may have any letters."""
_BY_LANGUAGE = {language: scripts for scripts, names in _SCRIPTS.items() for language in names.split()}


@dataclass(frozen=True)
class LanguagePair:
    """Languages by their codes (zh, zho_Hans, zh-CN, …); "" where nobody says."""

    source: str = "zh"
    target: str = "en"

    def needs_translation(self, source: str) -> bool:
        """Whether a text has letters that the source language is written with; what has none is copied."""
        return self._letter.search(MARK.sub("", source)) is not None

    def fits(self, source: str, target: str) -> bool:
        """Whether two texts are in this direction, so that a memory of it may hold them."""
        return self.needs_translation(source) or not self.needs_translation(target)

    @cached_property
    def _letter(self) -> regex.Pattern[str]:
        language = regex.split("[-_]", self.source.lower())[0]
        scripts = _BY_LANGUAGE.get(language, "").split()
        classes = "".join(rf"\p{{Script={name}}}" for name in scripts)
        return regex.compile(f"(?=\\p{{L}})[{classes}]" if scripts else r"\p{L}")


CHINESE_TO_ENGLISH = LanguagePair()
