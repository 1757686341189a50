"""Names of languages by code."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from anaphora.core.language_pair import LanguagePair

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
    """Chinese → English."""
    return f"{language_name(pair.source)} → {language_name(pair.target)}"
