"""The user's choice of the device on which the model runs."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QObject, QSettings, Signal

from anaphora.system.window_settings import stored_choice

DEVICE_SETTING = "device"


class DeviceChoice(Enum):
    """The choices; their values are the engine's names of devices. With AUTO, the engine chooses."""

    AUTO = "auto"
    CPU = "cpu"
    GPU = "cuda"


def stored_device(settings: QSettings) -> DeviceChoice:
    return stored_choice(settings, DEVICE_SETTING, DeviceChoice.AUTO)


class ComputeDevice(QObject):
    """The chosen device. The command line's choice applies until the user chooses a device."""

    changed = Signal()

    def __init__(
        self, settings: QSettings, override: DeviceChoice | None = None, parent: QObject | None = None
    ) -> None:
        """`settings` stores the user's choice; `override` is the choice on the command line, if any."""
        super().__init__(parent)
        self._settings = settings
        self._override = override

    @property
    def choice(self) -> DeviceChoice:
        return self._override or stored_device(self._settings)

    def choose(self, choice: DeviceChoice) -> None:
        """Use and store a choice from now on; emits `changed` if it differs from the previous choice."""
        is_new = choice is not self.choice
        self._override = None
        self._settings.setValue(DEVICE_SETTING, choice.value)
        if is_new:
            self.changed.emit()
