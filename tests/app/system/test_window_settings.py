"""Settings are read as stored, and written in the background; failures are reported."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from disks import fill, hanging_disk, mount, small_disk
from PySide6.QtCore import QByteArray, QSettings

from anaphora.engine.device import DEVICE_SETTING, DeviceChoice, stored_device
from anaphora.system.window_settings import WindowSettings, stored_choice


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


@pytest.mark.parametrize("choice", DeviceChoice)
def test_stored_choices_are_read_back(settings: QSettings, choice: DeviceChoice) -> None:
    settings.setValue(DEVICE_SETTING, choice.value)

    assert stored_device(settings) is choice
    assert stored_choice(settings, DEVICE_SETTING, DeviceChoice.AUTO) is choice


def test_missing_and_unknown_values_give_the_default(settings: QSettings) -> None:
    assert stored_choice(settings, "device", DeviceChoice.CPU) is DeviceChoice.CPU

    settings.setValue("device", "quantum")

    assert stored_choice(settings, "device", DeviceChoice.CPU) is DeviceChoice.CPU


def test_a_change_applies_at_once_and_is_written_soon(qtbot, tmp_path) -> None:
    path = tmp_path / "window.ini"
    settings = WindowSettings(path)
    settings.setValue("dark", True)
    settings.setValue("size", QByteArray(b"\x00\xff"))
    settings.setValue("gone", "1")
    assert settings.value("dark", False, type=bool) is True and settings.contains("gone")
    settings.remove("gone")
    assert not settings.contains("gone") and settings.value("gone", "else") == "else"
    qtbot.waitUntil(path.exists, timeout=5000)
    assert settings.finish(5)

    again = WindowSettings(path)

    assert again.value("dark", False, type=bool) is True
    assert again.value("size") == QByteArray(b"\x00\xff")
    assert not again.contains("gone") and again.value("gone", type=bool) is False
    again.setValue("dark", False)
    assert again.finish(5)
    assert WindowSettings(path).value("dark", True, type=bool) is False


def test_two_windows_write_their_changes_and_see_each_others(tmp_path) -> None:
    one, other = (WindowSettings(tmp_path / "window.ini") for _ in range(2))
    one.setValue("theme", "dark")
    assert one.finish(5)
    other.setValue("device", "cpu")
    assert other.finish(5)
    assert other.value("theme") == "dark"
    other.remove("theme")
    assert other.finish(5)
    one.setValue("language", "en")
    assert one.finish(5)
    assert not one.contains("theme") and one.value("device") == "cpu"


def test_an_unresponsive_disk_blocks_nothing(qtbot, tmp_path) -> None:
    with hanging_disk(tmp_path / "disk") as disk:
        settings = WindowSettings(disk.place / "window.ini")
        settings.setValue("theme", "dark")
        assert settings.finish(5)
        disk.hang()
        for number in range(3):
            start = time.monotonic()
            settings.setValue("text_size", number)
            qtbot.wait(50)
            assert settings.value("text_size") == number and settings.value("theme") == "dark"
            assert time.monotonic() - start < 1
        assert not settings.finish(0.2)
        disk.release()
        assert settings.finish(10)
        assert "text_size=2" in (disk.place / "window.ini").read_text()


@pytest.mark.parametrize("is_full", [True, False], ids=["full", "read-only"])
def test_settings_that_cannot_be_written_are_reported_once_and_not_lost(
    qtbot, tmp_path, is_full: bool
) -> None:
    with small_disk(tmp_path / "disk", "64k") as disk:
        settings = WindowSettings(disk / "window.ini")
        signals: list[None] = []
        settings.unwritable.connect(lambda: signals.append(None))

        def change(key: str, value: str) -> None:
            settings.setValue(key, value)
            assert settings.finish(5)
            qtbot.wait(20)

        change("theme", "dark")
        assert not signals
        if is_full:
            ballast = fill(disk)
        else:
            assert mount("-o", "remount,ro", str(disk))
        for number in range(3):
            change("long", "x" * 5000 + str(number))
        assert len(signals) == 1
        assert settings.value("long") == "x" * 5000 + "2"
        assert "theme=dark" in (disk / "window.ini").read_text()
        if is_full:
            ballast.unlink()
        else:
            assert mount("-o", "remount,rw", str(disk))
        change("device", "cpu")
        assert f"long={'x' * 5000}2" in (disk / "window.ini").read_text()
        assert len(signals) == 1
