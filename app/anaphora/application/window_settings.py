"""Where the window's settings lie, how a choice is read from them, and that they cannot be written."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QSettings, QTimer, Signal

from anaphora.store.locations import data_folder

Choice = TypeVar("Choice", bound=Enum)


def window_settings() -> QSettings:
    """The settings in the user's data folder."""
    return QSettings(str(data_folder() / "window.ini"), QSettings.Format.IniFormat)


def stored_choice(settings: QSettings, key: str, otherwise: Choice) -> Choice:
    """What is kept under a key, by the values of an enum; `otherwise` where that is nothing or unknown."""
    known = {choice.value: choice for choice in type(otherwise)}
    return known.get(str(settings.value(key, "")), otherwise)


class SettingsWatch(QObject):
    """Tells when settings cannot be written: they hold until the program ends, and are tried with the next.

    Signals:
        unwritable: once, as Qt forgets no failure.
    """

    unwritable = Signal()

    def __init__(self, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._is_told = False
        self._look = QTimer(self, singleShot=True, interval=0)
        self._look.timeout.connect(self._tell)
        settings.installEventFilter(self)

    def eventFilter(self, _: QObject, event: QEvent) -> bool:  # noqa: N802
        """They are about to be written."""
        if event.type() == QEvent.Type.UpdateRequest and not self._is_told:
            self._look.start()
        return False

    def _tell(self) -> None:
        if self._settings.status() == QSettings.Status.AccessError and not self._is_told:
            self._is_told = True
            self.unwritable.emit()
