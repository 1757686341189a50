"""The language of the user interface, and durations and action names for display."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QSettings, QTranslator

from anaphora.system.locations import RESOURCES
from anaphora.system.window_settings import stored_choice

SETTING = "language"
_TRANSLATOR_NAME = "language-of-the-interface"
_MNEMONIC = re.compile(r"\s*\(&\w\)|&(?=\w)")


class UiLanguage(Enum):
    """The user's choice; SYSTEM is the language of the desktop. The other values are locale names."""

    SYSTEM = "system"
    ENGLISH = "en"
    CHINESE = "zh_CN"


def chosen_language(settings: QSettings) -> UiLanguage:
    return stored_choice(settings, SETTING, UiLanguage.SYSTEM)


def system_language() -> UiLanguage:
    """The desktop's first language, or English if the app has no translation for it."""
    # Qt would skip English, which has no translation file, and use the second choice.
    first = (QLocale.system().uiLanguages() or ["C"])[0]
    return UiLanguage.CHINESE if re.match(r"zh\b", first.replace("_", "-")) else UiLanguage.ENGLISH


def resolved_language(language: UiLanguage) -> UiLanguage:
    return system_language() if language is UiLanguage.SYSTEM else language


def duration(seconds: float) -> str:
    """A rounded time for display, at least one second."""
    translate = QCoreApplication.translate
    if round(seconds) < 60:
        return translate("Duration", "{0} s").format(max(round(seconds), 1))
    hours, minutes = divmod(round(seconds / 60), 60)
    if not hours:
        return translate("Duration", "{0} min").format(minutes)
    return translate("Duration", "{0} h {1} min").format(hours, minutes)


def install_language(application: QCoreApplication, language: UiLanguage) -> None:
    """Use a language for all texts created from now on, including Qt's texts if it has translations."""
    for old in application.findChildren(QTranslator, _TRANSLATOR_NAME):
        application.removeTranslator(old)
        old.deleteLater()
    wanted = resolved_language(language)
    if wanted is UiLanguage.ENGLISH:
        return
    ours = RESOURCES / "i18n"
    qt = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    for folder, name in ((qt, "qtbase"), (ours, "toolkit"), (ours, "anaphora"), (ours, "problems")):
        translator = QTranslator(application)
        translator.setObjectName(_TRANSLATOR_NAME)
        if translator.load(f"{name}_{wanted.value}", str(folder)):
            application.installTranslator(translator)


def without_mnemonic(text: str) -> str:
    """The text of an action without its mnemonic, "&" or "(&O)"."""
    return _MNEMONIC.sub("", text)
