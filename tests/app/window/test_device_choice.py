"""The compute device: chosen in the menu, stored, and used at once unless the command line differs."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from recording_translator import RecordingTranslator

from anaphora import composition, main
from anaphora.core.segment import Status
from anaphora.engine.device import ComputeDevice, DeviceChoice, stored_device
from anaphora.features.engine_state.feature import EngineState
from anaphora.system.window_settings import WindowSettings
from anaphora_nmt.errors import ModelFileError


def device_action(window, choice):
    return next(action for action in window.findChildren(QAction) if action.data() == choice.value)


@pytest.mark.slow
def test_the_device_choice_is_stored(make_window):
    window = make_window(start=False)
    assert device_action(window, DeviceChoice.AUTO).isChecked()
    device_action(window, DeviceChoice.CPU).trigger()
    again = make_window(start=False)
    assert device_action(again, DeviceChoice.CPU).isChecked()
    assert not device_action(again, DeviceChoice.AUTO).isChecked()


def test_the_menu_shows_the_command_lines_device_until_another_choice(qapp, qtbot, tmp_path):
    settings = WindowSettings(tmp_path / "own.ini")
    settings.setValue("device", "cpu")
    device, loaded = ComputeDevice(settings, DeviceChoice.GPU), []

    def load(folder):
        loaded.append(device.choice)
        return RecordingTranslator

    window = composition.make_window(qapp, RecordingTranslator, settings, load, device=device)
    qtbot.addWidget(window)
    assert device_action(window, DeviceChoice.GPU).isChecked()
    assert not device_action(window, DeviceChoice.CPU).isChecked()
    assert stored_device(settings) is DeviceChoice.CPU, "it is not stored"
    device_action(window, DeviceChoice.GPU).trigger()
    assert loaded == []
    device.choose(DeviceChoice.CPU)
    assert loaded == [DeviceChoice.CPU]
    qtbot.waitUntil(window.close, timeout=20000)


def test_an_invalid_setting_means_automatic(tmp_path):
    settings = WindowSettings(tmp_path / "broken.ini")
    settings.setValue("device", "abacus")
    assert stored_device(settings) is DeviceChoice.AUTO


@pytest.mark.parametrize(("given", "used"), [([], "cpu"), (["--device", "cuda"], "cuda")])
def test_the_command_line_wins_over_the_settings(qapp, monkeypatch, given, used):
    class Stopped(Exception):  # noqa: N818
        pass

    def stop(*_, **__):
        raise Stopped

    devices = []
    settings = composition.window_settings()
    settings.setValue("device", "cpu")
    assert settings.finish(20)
    monkeypatch.setattr("anaphora.editor.appearance.application.make_application", lambda: qapp)
    monkeypatch.setattr(composition, "make_window", stop)
    monkeypatch.setattr(
        "anaphora.engine.worker.default_loader",
        lambda folder, device, threads: devices.append(device),
    )
    with pytest.raises(Stopped):
        main.main(given)
    assert devices == [used]


@pytest.mark.slow
def test_a_missing_gpu_is_reported_and_the_editor_works(qtbot, make_window, document):
    def no_gpu():
        raise ModelFileError("No CUDA device is available. Choose the CPU in the settings.")

    window = make_window(no_gpu, document)
    qtbot.waitUntil(lambda: not window.of(EngineState).banner.isHidden(), timeout=30000)
    assert "Choose the CPU" in window.of(EngineState).banner.text()
    QTest.keyClicks(window.table.editor, "by hand")
    assert window.model.segment(0).status is Status.EDITED
    device_action(window, DeviceChoice.CPU).trigger()
    assert stored_device(window.desk.settings) is DeviceChoice.CPU
    qtbot.waitUntil(window.of(EngineState).banner.isHidden, timeout=30000)
    qtbot.waitUntil(lambda: window.model.segment(1).status is Status.DRAFT, timeout=30000)
    assert window.model.segment(0).target == "by hand"


@pytest.mark.slow
def test_another_device_is_used_at_once_and_the_memory_stays(qtbot, make_window, document):
    window = make_window(None, document)
    qtbot.waitUntil(lambda: window.model.segment(2).status is Status.DRAFT, timeout=60000)
    confirmed = window.model.segment(0).id
    window.controller.editing.type_text(confirmed, "By hand.")
    assert window.controller.editing.confirm(confirmed)
    with qtbot.waitSignal(window.desk.worker.loaded, timeout=60000) as loaded:
        device_action(window, DeviceChoice.CPU).trigger()
    assert "anaphora-zh-en" in loaded.args[0].model, "the real engine"
    assert window.model.segment(0).target == "By hand."
    documents = window.desk.worker._context.translator._documents

    def is_remembered() -> bool:
        return any(opened.memory.is_confirmed_before(3) for opened in documents.values())

    qtbot.waitUntil(is_remembered, timeout=30000)
    with qtbot.assertNotEmitted(window.desk.worker.loaded, wait=300):
        device_action(window, DeviceChoice.CPU).trigger()
