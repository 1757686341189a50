"""The device that the model is to run on: what is chosen, and where that is kept."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QObject, QSettings, Signal

from anaphora.system.window_settings import stored_choice

DEVICE_SETTING = "device"


class DeviceChoice(Enum):
    """The user's choice, by the engine's names; AUTO takes the faster one (`choose_device`)."""

    AUTO = "auto"
    CPU = "cpu"
    GPU = "cuda"


def stored_device(settings: QSettings) -> DeviceChoice:
    return stored_choice(settings, DEVICE_SETTING, DeviceChoice.AUTO)


class ComputeDevice(QObject):
    """The device that holds now: a wish of the command line until another one is chosen.
    `changed`: another device is to be used."""

    changed = Signal()

    def __init__(
        self, settings: QSettings, wish: DeviceChoice | None = None, parent: QObject | None = None
    ) -> None:
        """
        Args:
            settings: keep the choice; the default without another wish.
            wish: for this run alone; it is not kept.
        """
        super().__init__(parent)
        self._settings = settings
        self._wish = wish

    @property
    def choice(self) -> DeviceChoice:
        return self._wish or stored_device(self._settings)

    def choose(self, choice: DeviceChoice) -> None:
        """Take a device from now on, and keep it; `changed` follows if it is another one."""
        is_other = choice is not self.choice
        self._wish = None
        self._settings.setValue(DEVICE_SETTING, choice.value)
        if is_other:
            self.changed.emit()
