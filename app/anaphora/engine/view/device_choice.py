"""On which device the model is to run: the choice, its menu, and where it is kept."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from PySide6.QtCore import QObject, QSettings
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

DEVICE_SETTING = "device"


class DeviceChoice(Enum):
    """What the user asks for, by the engine's names; AUTO takes the faster one (`choose_device`)."""

    AUTO = "auto"
    CPU = "cpu"
    GPU = "cuda"


def stored_device(settings: QSettings) -> DeviceChoice:
    """The device that the user chose last, AUTO where nothing sensible is kept."""
    known = {choice.value: choice for choice in DeviceChoice}
    return known.get(str(settings.value(DEVICE_SETTING, "")), DeviceChoice.AUTO)


class DeviceMenu(QObject):
    """Offers the devices; the choice holds from the next start on, because the model is loaded once."""

    def __init__(self, menu: QMenu, settings: QSettings, show_message: Callable[[str], None]) -> None:
        super().__init__(menu)
        self._settings = settings
        self._show_message = show_message
        self.choices = QActionGroup(self)
        for choice, text in self._texts().items():
            action = QAction(text, menu, checkable=True)
            action.setData(choice.value)
            action.setChecked(choice is stored_device(settings))
            action.triggered.connect(lambda _=False, chosen=choice: self._choose(chosen))
            self.choices.addAction(action)
            menu.addAction(action)

    def _texts(self) -> dict[DeviceChoice, str]:
        return {
            DeviceChoice.AUTO: self.tr("&Automatic"),
            DeviceChoice.CPU: self.tr("&CPU"),
            DeviceChoice.GPU: self.tr("&GPU (CUDA)"),
        }

    def _choose(self, choice: DeviceChoice) -> None:
        self._settings.setValue(DEVICE_SETTING, choice.value)
        self._show_message(self.tr("The compute device changes when Anaphora starts the next time."))
