"""Where the window's settings lie."""

from __future__ import annotations

from PySide6.QtCore import QSettings

from anaphora.store.locations import data_folder


def window_settings() -> QSettings:
    """The settings in the user's data folder."""
    return QSettings(str(data_folder() / "window.ini"), QSettings.Format.IniFormat)
