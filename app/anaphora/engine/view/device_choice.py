"""On which device the model is to run: the choice, its menu, and where it is kept."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QObject, QSettings, Signal
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
    """Offers the devices; with another choice the model is loaded anew.

    Signals:
        chosen: another device is to be used.
    """

    chosen = Signal()

    def __init__(self, menu: QMenu, settings: QSettings) -> None:
        super().__init__(menu)
        self._settings = settings
        self.choices = QActionGroup(self)
        for choice, text in self._texts().items():
            action = QAction(text, menu, checkable=True)
            action.setData(choice.value)
            action.setChecked(choice is stored_device(settings))
            action.triggered.connect(lambda _=False, wanted=choice: self._choose(wanted))
            self.choices.addAction(action)
            menu.addAction(action)

    def _texts(self) -> dict[DeviceChoice, str]:
        return {
            DeviceChoice.AUTO: self.tr("&Automatic"),
            DeviceChoice.CPU: self.tr("&CPU"),
            DeviceChoice.GPU: self.tr("&GPU (CUDA)"),
        }

    def _choose(self, choice: DeviceChoice) -> None:
        if choice is not stored_device(self._settings):
            self._settings.setValue(DEVICE_SETTING, choice.value)
            self.chosen.emit()
