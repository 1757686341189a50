"""The menu of the devices on which the model may run."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from anaphora.engine.device import ComputeDevice, DeviceChoice


class DeviceMenu(QObject):
    """Offers the devices, and marks the one that holds."""

    def __init__(self, menu: QMenu, device: ComputeDevice) -> None:
        super().__init__(menu)
        self.choices = QActionGroup(self)
        for choice, text in self._texts().items():
            action = QAction(text, menu, checkable=True)
            action.setData(choice.value)
            action.setChecked(choice is device.choice)
            action.triggered.connect(lambda _=False, wanted=choice: device.choose(wanted))
            self.choices.addAction(action)
            menu.addAction(action)

    def _texts(self) -> dict[DeviceChoice, str]:
        return {
            DeviceChoice.AUTO: self.tr("&Automatic"),
            DeviceChoice.CPU: self.tr("&CPU"),
            DeviceChoice.GPU: self.tr("&GPU (CUDA)"),
        }
