"""What a language's code says of its texts: scripts, marks, words. The one list of languages in the app."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

_SCRIPTS = {
    "Han": "zh zho cmn yue wuu lzh",
    "Han Hiragana Katakana": "ja jpn",
    "Hangul Han": "ko kor",
    "Cyrillic": "ru rus uk ukr be bel bg bul mk mkd kk kaz ky kir tg tgk mn khk",
    "Greek": "el ell",
    "Arabic": "ar arb ara fa fas pes ur urd ps pbt ug uig",
    "Hebrew": "he heb yi ydd",
    "Devanagari": "hi hin mr mar ne npi sa san",
    "Bengali": "bn ben",
    "Tamil": "ta tam",
    "Thai": "th tha",
    "Lao": "lo lao",
    "Khmer": "km khm",
    "Myanmar": "my mya",
    "Georgian": "ka kat",
    "Armenian": "hy hye",
    "Latin": (
        "en eng de deu fr fra es spa pt por it ita nl nld pl pol cs ces sk slk sl slv hr hrv hu hun ro ron "
        "sv swe da dan no nb nob nn fi fin et est lv lvs lt lit tr tur vi vie id ind ms zsm ca cat"
    ),
}
"""Unicode's scripts of languages; a language that is not here may have any letters."""
_BY_LANGUAGE = {language: scripts for scripts, names in _SCRIPTS.items() for language in names.split()}
_UNSPACED = frozenset(("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"))
_RIGHT_TO_LEFT = frozenset(("Arabic", "Hebrew"))
_SHORT = {
    "zho": "zh", "cmn": "zh", "eng": "en", "jpn": "ja", "tha": "th", "fra": "fr", "ell": "el", "deu": "de",
    "spa": "es", "por": "pt", "rus": "ru", "arb": "ar", "ara": "ar", "pes": "fa", "fas": "fa", "urd": "ur",
    "hye": "hy", "kor": "ko", "ita": "it", "nld": "nl", "pol": "pl", "tur": "tr", "vie": "vi", "ind": "id",
}  # fmt: skip
"""ISO 639-3 codes, as NLLB has them, in ISO 639-1's."""
_DEFAULT_REGIONS = (
    "en-US zh-CN ja-JP ko-KR de-DE fr-FR es-ES pt-PT it-IT nl-NL pl-PL cs-CZ sk-SK sl-SI hr-HR hu-HU ro-RO "
    "sv-SE da-DK nb-NO no-NO nn-NO fi-FI et-EE lv-LV lt-LT tr-TR vi-VN id-ID ms-MY ca-ES ru-RU uk-UA be-BY "
    "bg-BG mk-MK kk-KZ ky-KG tg-TJ mn-MN el-GR ar-SA fa-IR ur-PK ps-AF ug-CN he-IL yi-001 hi-IN mr-IN ne-NP "
    "bn-BD ta-IN th-TH lo-LA km-KH my-MM ka-GE hy-AM"
)
_REGIONS = dict(tag.split("-") for tag in _DEFAULT_REGIONS.split())
"""The region that programs take for a language that comes without one."""
_SAYS_NOTHING = frozenset(("und", "mul", "mis", "zxx"))
"""ISO 639's codes of no language, or of nobody knows which."""
_QUESTIONS = {"el": ";\u037e", "ar": "؟", "fa": "؟", "ur": "؟", "ps": "؟", "hy": "՞"}
_BLANK_BEFORE = {"fr": ";:!?»%"}
"""Marks before which a language writes a blank."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language.

    Attributes:
        code: its short code; "" where nobody says.
        scripts: Unicode's names of what it is written with; none: any.
    """

    code: str
    scripts: tuple[str, ...]
    questions: str = ""
    blank_before: str = ""

    @property
    def is_spaced(self) -> bool:
        """Whether its words stand apart; those of an unknown language do."""
        return not _UNSPACED & {*self.scripts} or self.code == "ko"

    @property
    def is_wide(self) -> bool:
        """Whether its punctuation marks are as wide as its letters: Chinese, Japanese."""
        return bool({"Han", "Hiragana"} & {*self.scripts}) and self.code != "ko"

    @property
    def is_right_to_left(self) -> bool:
        return bool(_RIGHT_TO_LEFT & {*self.scripts})

    def letter(self) -> regex.Pattern[str]:
        """One letter of its scripts; of no known script, any letter."""
        return _letter(self.scripts)

    def is_written_in(self, text: str) -> bool:
        return self.letter().search(text) is not None


def known_codes() -> tuple[str, ...]:
    """The short codes of the languages whose scripts are known here, in order."""
    return tuple(sorted(code for code in _BY_LANGUAGE if len(code) == 2))


@lru_cache(maxsize=1024)
def language_of(code: str) -> Language:
    """The language of a code: zh, zho_Hans, zh-CN, …"""
    base = regex.split("[-_]", code.strip().lower())[0]
    scripts = tuple(_BY_LANGUAGE.get(base, "").split())
    base = _SHORT.get(base, base)
    return Language(base, scripts, _QUESTIONS.get(base, ""), _BLANK_BEFORE.get(base, ""))


def code_of(code: str) -> str:
    """The short code of a language as a file spells it; "" where the file does not know."""
    short = language_of(code).code
    return "" if short in _SAYS_NOTHING else short


def tag_of(code: str) -> str:
    """A language as files name it (BCP 47): en of eng_Latn, zh-Hant of zho_Hant, pt-BR of pt_br."""
    base, *rest = regex.split("[-_]", code.strip())
    short = language_of(base).code
    scripts = [part.title() for part in rest if len(part) == 4 and part.isalpha() and short in ("zh", "sr")]
    regions = [part.upper() for part in rest if (len(part) == 2 and part.isalpha()) or part.isdigit()]
    return "-".join((short, *scripts[:1], *regions[:1]))


def regional_tag_of(code: str) -> str:
    """`tag_of` with a region, for programs that know no language without one: en-US of en."""
    base, *rest = tag_of(code).split("-")
    if any(len(part) != 4 for part in rest):
        return "-".join((base, rest[-1]))
    region = "TW" if "Hant" in rest else _REGIONS.get(base)
    return f"{base}-{region}" if region else base


@lru_cache(maxsize=64)
def _letter(scripts: tuple[str, ...]) -> regex.Pattern[str]:
    classes = "".join(rf"\p{{Script={name}}}" for name in scripts)
    return regex.compile(f"(?=\\p{{L}})[{classes}]" if scripts else r"\p{L}")
