"""What a translated file says of its language, and the fonts that have its letters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from anaphora.core.language_pair import LanguagePair
from anaphora.core.languages import code_of, regional_tag_of, tag_of

TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
"""What names a language, not the code of a template that does."""


class Slot(Enum):
    """Office programs keep a language and a font each for three groups of scripts."""

    LATIN = "latin"
    EAST_ASIAN = "east asian"
    COMPLEX = "complex"


_EAST_ASIAN = frozenset(("Han", "Hangul"))
_COMPLEX = frozenset(
    ("Arabic", "Hebrew", "Devanagari", "Bengali", "Tamil", "Thai", "Lao", "Khmer", "Myanmar")
)
_SOURCE_HAN = r"(?:Noto|Source Han) (?:Sans|Serif)(?: CJK)?"
_CHINESE = re.compile(
    "新?宋体|仿宋|楷体|隶书|幼圆|等线|黑体|微软雅黑|華文|华文|方正|思源|文泉驿|新細明體|細明體|標楷體|微軟正黑體"
    r"|N?SimSun|SimHei|FangSong|KaiTi|LiSu|YouYuan|DengXian|Microsoft (?:YaHei|JhengHei)|P?MingLiU|DFKai|FZ\w"
    r"|ST(?:Song|Kaiti|Heiti|Fangsong|Zhongsong|Xihei)|PingFang|Hiragino Sans (?:GB|CNS)|WenQuanYi"
    rf"|{_SOURCE_HAN} (?:SC|TC)",
    re.IGNORECASE,
)
_JAPANESE = re.compile(
    "[MＭ][SＳ] ?[PＰ]?(?:明朝|ゴシック|Mincho|Gothic|UI Gothic)|メイリオ|Meiryo|游明朝|游ゴシック|IPA"
    rf"|Yu (?:Mincho|Gothic)|Hiragino (?:Kaku|Mincho|Maru)|{_SOURCE_HAN} JP",
    re.IGNORECASE,
)
_KOREAN = re.compile(
    "맑은 고딕|바탕|굴림|돋움|궁서|나눔|Malgun|Batang|Gulim|Dotum|Gungsuh|Nanum" + rf"|{_SOURCE_HAN} KR",
    re.IGNORECASE,
)
_WESTERN = re.compile(
    "Calibri|Cambria|Candara|Consolas|Constantia|Corbel|Aptos|Georgia|Verdana|Trebuchet|Garamond|Century"
    "|Palatino|Book Antiqua|Franklin Gothic|Gill Sans|Helvetica|Liberation|Open Sans|Roboto|Lato"
    "|Arial (?:Narrow|Black)",
    re.IGNORECASE,
)
_WITH_ARABIC = re.compile(
    "Arial(?! (?:Narrow|Black))|Times New Roman|Courier New|Tahoma|Segoe UI|Microsoft Sans Serif|DejaVu",
    re.IGNORECASE,
)
_EUROPEAN = frozenset(("Latin", "Greek", "Cyrillic"))
_COVERED: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (_CHINESE, _EUROPEAN | {"Han", "Hiragana"}),
    (_JAPANESE, _EUROPEAN | {"Han", "Hiragana"}),
    (_KOREAN, _EUROPEAN | {"Hangul", "Hiragana"}),
    (_WITH_ARABIC, _EUROPEAN | {"Arabic", "Hebrew", "Vietnamese", "Armenian"}),
    (_WESTERN, _EUROPEAN | {"Vietnamese"}),
)
"""Fonts that are known, and the scripts that they have letters of; nothing is said of any other font."""
_OFFICE = {
    "Han": "DengXian", "Hant": "Microsoft JhengHei", "Hiragana": "Yu Gothic", "Hangul": "Malgun Gothic",
    "Arabic": "Arial", "Hebrew": "Arial", "Devanagari": "Mangal", "Bengali": "Vrinda", "Tamil": "Latha",
    "Thai": "Tahoma", "Lao": "DokChampa", "Khmer": "DaunPenh", "Myanmar": "Myanmar Text",
    "Georgian": "Sylfaen", "Armenian": "Arial", "Vietnamese": "Arial",
}  # fmt: skip
"""The fonts that Office's own themes take for scripts."""


@dataclass(frozen=True)
class TargetLanguage:
    """The language of a translation, as files name it; both of the pair are known, and differ."""

    pair: LanguagePair

    @classmethod
    def of(cls, pair: LanguagePair) -> TargetLanguage | None:
        """That of a pair; None where nobody says what files would have to name."""
        source, target = code_of(pair.source), code_of(pair.target)
        return cls(pair) if source and target and source != target else None

    @cached_property
    def tag(self) -> str:
        """For what knows languages without regions: en."""
        return tag_of(self.pair.target)

    @cached_property
    def regional(self) -> str:
        """For what wants a region: en-US."""
        return regional_tag_of(self.pair.target)

    def spelled_like(self, value: str) -> str:
        """Its name as a file writes the one before: en-US for zh-CN, en_US for zh_CN, en for zh."""
        if "-" not in value and "_" not in value:
            return self.tag.partition("-")[0]
        return self.regional.replace("-", "_") if "_" in value else self.regional

    @cached_property
    def is_right_to_left(self) -> bool:
        return self.pair.target_language.is_right_to_left

    @cached_property
    def slot(self) -> Slot:
        """Where office programs keep it."""
        scripts = {*self.pair.target_language.scripts}
        if scripts & _EAST_ASIAN:
            return Slot.EAST_ASIAN
        return Slot.COMPLEX if scripts & _COMPLEX else Slot.LATIN

    def replaces(self, value: str) -> bool:
        """Whether a language that a file names is the source's, so that a translation is no longer in it."""
        return TAG.fullmatch(value) is not None and code_of(value) == self.pair.source_language.code

    def is_another(self, value: str) -> bool:
        """Whether what a file names as its own language is not the target's."""
        return TAG.fullmatch(value) is not None and code_of(value) != self.pair.target_language.code

    def font_for(self, font: str) -> str:
        """The font to take for one that lacks the target's letters; "" for another."""
        script = self._script
        covered = next((scripts for known, scripts in _COVERED if known.match(font.strip(" '\"@"))), None)
        if covered is None or (script if script != "Hant" else "Han") in covered:
            return ""
        return _OFFICE.get(script, "")

    @cached_property
    def _script(self) -> str:
        """What its fonts need letters of."""
        language = self.pair.target_language
        if language.code == "vi":
            return "Vietnamese"
        if language.code in ("ja", "ko"):
            return "Hiragana" if language.code == "ja" else "Hangul"
        if language.code == "zh" and {"Hant", "TW", "HK", "MO"} & {*self.tag.split("-")}:
            return "Hant"
        return language.scripts[0] if language.scripts else ""
