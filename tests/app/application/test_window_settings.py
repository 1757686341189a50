"""Settings are read as they were stored; unknown ones give the default; that none can be written is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from disks import fill, mount, small_disk
from PySide6.QtCore import QSettings

from anaphora.application.window_settings import SettingsWatch, stored_choice
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


@pytest.mark.parametrize("is_full", [True, False], ids=["full", "read-only"])
def test_settings_that_cannot_be_written_are_said_once_and_not_lost(qtbot, tmp_path, is_full: bool) -> None:
    with small_disk(tmp_path / "disk", "64k") as disk:
        settings = QSettings(str(disk / "window.ini"), QSettings.Format.IniFormat)
        said: list[None] = []
        watch = SettingsWatch(settings)
        watch.unwritable.connect(lambda: said.append(None))
        settings.setValue("theme", "dark")
        qtbot.wait(50)
        assert not said
        if is_full:
            ballast = fill(disk)
        else:
            assert mount("-o", "remount,ro", str(disk))
        for number in range(3):
            settings.setValue("long", "x" * 5000 + str(number))
            qtbot.wait(50)
        assert len(said) == 1
        assert settings.value("long") == "x" * 5000 + "2"
        assert "theme=dark" in (disk / "window.ini").read_text()
        if is_full:
            ballast.unlink()
        else:
            assert mount("-o", "remount,rw", str(disk))
        settings.setValue("device", "cpu")
        qtbot.wait(50)
        assert f"long={'x' * 5000}2" in (disk / "window.ini").read_text()
        assert len(said) == 1
