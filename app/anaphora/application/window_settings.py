"""Where the window's settings lie, and how a choice is read from them."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

from PySide6.QtCore import QSettings

from anaphora.store.locations import data_folder

Choice = TypeVar("Choice", bound=Enum)


def window_settings() -> QSettings:
    """The settings in the user's data folder."""
    return QSettings(str(data_folder() / "window.ini"), QSettings.Format.IniFormat)


def stored_choice(settings: QSettings, key: str, otherwise: Choice) -> Choice:
    """What is kept under a key, by the values of an enum; `otherwise` where that is nothing or unknown."""
    known = {choice.value: choice for choice in type(otherwise)}
    return known.get(str(settings.value(key, "")), otherwise)
