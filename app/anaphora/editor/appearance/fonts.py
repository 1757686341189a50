"""Fonts and names of languages. Japan, Korea and Taiwan write the same Chinese character differently."""

from __future__ import annotations

import regex
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtGui import QFont

from anaphora.core.language_pair import LanguagePair
from anaphora.core.languages import language_of

FONT_FAMILIES = (
    "Inter",
    "Segoe UI",
    "SF Pro Text",
    "Noto Sans",
    "Cantarell",
    "DejaVu Sans",
    "Noto Sans CJK SC",
    "Microsoft YaHei",
    "PingFang SC",
)
"""Fonts of the window, in order of preference; the last three are Chinese."""
_CHINESE = FONT_FAMILIES.index("Noto Sans CJK SC")
_TRADITIONAL = regex.compile(r"[-_](hant|tw|hk|mo)\b", regex.IGNORECASE)
_HAN = {
    "ja": ("Noto Sans CJK JP", "Noto Sans JP", "Yu Gothic UI", "Meiryo", "Hiragino Sans"),
    "ko": ("Noto Sans CJK KR", "Noto Sans KR", "Malgun Gothic", "Apple SD Gothic Neo"),
    "yue": ("Noto Sans CJK HK", "Microsoft JhengHei", "PingFang HK"),
    "zh-Hant": ("Noto Sans CJK TC", "Noto Sans TC", "Microsoft JhengHei", "PingFang TC"),
}
"""Families with a language's forms of characters, by its code."""


def families_for(code: str) -> tuple[str, ...]:
    """The font families for a language (ja, zh-TW, zho_Hant, …), in order of preference."""
    language = language_of(code)
    is_traditional = language.code == "zh" and _TRADITIONAL.search(code)
    own = _HAN.get("zh-Hant" if is_traditional else language.code, ())
    return (*FONT_FAMILIES[:_CHINESE], *own, *FONT_FAMILIES[_CHINESE:])


def font_for(code: str, font: QFont) -> QFont:
    result = QFont(font)
    result.setFamilies([*families_for(code)])
    return result


translate = QCoreApplication.translate


def language_name(code: str) -> str:
    """A language's name: Chinese and English in the window's language, others in their own."""
    base = code.replace("_", "-").split("-")[0].lower()
    language = QLocale.codeToLanguage(base) if base else QLocale.Language.AnyLanguage
    if language is QLocale.Language.Chinese:
        return translate("Languages", "Chinese")
    if language is QLocale.Language.English:
        return translate("Languages", "English")
    if language in (QLocale.Language.AnyLanguage, QLocale.Language.C):
        return code or "?"
    return QLocale(language).nativeLanguageName() or QLocale.languageToString(language)


def pair_name(pair: LanguagePair) -> str:
    """The names of both languages: Chinese → English."""
    return f"{language_name(pair.source)} → {language_name(pair.target)}"
