"""A choice that settings keep is read again; what no version of ours wrote gives the default."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from anaphora.application.window_settings import stored_choice
from anaphora.engine.device import DEVICE_SETTING, DeviceChoice, stored_device


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


@pytest.mark.parametrize("choice", DeviceChoice)
def test_each_choice_is_read_as_it_was_stored(settings: QSettings, choice: DeviceChoice) -> None:
    settings.setValue(DEVICE_SETTING, choice.value)

    assert stored_device(settings) is choice
    assert stored_choice(settings, DEVICE_SETTING, DeviceChoice.AUTO) is choice


def test_nothing_and_the_unknown_give_the_default(settings: QSettings) -> None:
    assert stored_choice(settings, "device", DeviceChoice.CPU) is DeviceChoice.CPU

    settings.setValue("device", "quantum")

    assert stored_choice(settings, "device", DeviceChoice.CPU) is DeviceChoice.CPU
