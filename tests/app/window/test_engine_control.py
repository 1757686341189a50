"""The engine in the window: pause, cancel, stale drafts, a missing model, closing, and its device."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from recording_translator import RecordingTranslator

from anaphora import composition, main
from anaphora.core.segment import Status
from anaphora.editor.table.segment_model import Column, Role
from anaphora.engine.device import ComputeDevice, DeviceChoice, stored_device
from anaphora.features.drafting.feature import Drafting
from anaphora.features.engine_state.feature import EngineState
from anaphora.features.explain.feature import Explain
from anaphora.system.window_settings import WindowSettings
from anaphora_nmt.errors import ModelFileError


def statuses(window):
    return [window.model.segment(row).status for row in range(window.model.rowCount())]


@pytest.mark.slow
def test_drafts_appear_in_order(qtbot, make_window, document, drafted):
    double = RecordingTranslator(delay=0.01)
    window = make_window(double, document)
    drafted(window)
    order = [name for method, name in double.calls if method == "translate"]
    assert order == [segment.id for segment in window.controller.session.document]


@pytest.mark.slow
def test_drafting_pauses_and_resumes(qtbot, make_window, document, drafted):
    window = make_window(double := RecordingTranslator(delay=0.15), document)
    qtbot.waitUntil(lambda: Status.DRAFT in statuses(window), timeout=30000)
    window.actions_by_name["pause"].trigger()
    qtbot.wait(250)
    held = statuses(window).count(Status.DRAFT)
    qtbot.wait(400)
    assert statuses(window).count(Status.DRAFT) == held < 12
    assert "paused" in window.of(EngineState).status.progress.text()
    double.delay = 0.0
    window.actions_by_name["pause"].trigger()
    drafted(window)


@pytest.mark.slow
def test_the_draft_of_a_segment_edited_meanwhile_is_dropped(qtbot, make_window, document, drafted):
    window = make_window(double := RecordingTranslator(delay=0.4), document)
    QTest.keyClicks(window.table.editor, "mine")
    qtbot.waitUntil(lambda: Status.DRAFT in statuses(window), timeout=30000)  # the first one is over
    double.delay = 0.0
    drafted(window)
    assert window.model.segment(0).target == "mine"
    assert window.model.segment(0).status is Status.EDITED


def test_translate_again_is_one_undoable_step(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    draft = window.model.segment(0).target
    window.table.editor.selectAll()
    QTest.keyClicks(window.table.editor, "mine")
    window.actions_by_name["again"].trigger()
    qtbot.waitUntil(lambda: window.model.segment(0).target == draft, timeout=30000)
    window.actions_by_name["undo"].trigger()
    assert window.model.segment(0).target == "mine"


def test_closing_while_drafting_is_clean(qtbot, make_window, document):
    window = make_window(RecordingTranslator(delay=0.5), document)
    qtbot.waitUntil(lambda: window.of(Drafting).service.progress.active, timeout=30000)
    begin = time.monotonic()
    qtbot.waitUntil(window.close, timeout=20000)
    assert window.desk.worker.stop(2.0)
    assert time.monotonic() - begin < 2.5


@pytest.mark.slow
def test_without_a_model_the_window_shows_it_and_edits(qtbot, make_window, document):
    def broken():
        raise ModelFileError("The model folder /nowhere is missing. Reinstall Anaphora.")

    window = make_window(broken, document)
    qtbot.waitUntil(lambda: not window.of(EngineState).no_model_banner.isHidden(), timeout=30000)
    assert "/nowhere" in window.of(EngineState).no_model_banner.text()
    assert "Anaphora. You can still" in window.of(EngineState).no_model_banner.text()
    shown = [label.text() for label in window.of(Explain).topic.findChildren(QLabel)]
    assert any("Without a translation model" in text for text in shown), shown
    assert not any("Calculating" in text for text in shown)
    QTest.keyClicks(window.table.editor, "by hand")
    QTest.keyClick(window.table.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert window.model.segment(0).status is Status.CONFIRMED


def test_a_failed_draft_is_reported_and_the_others_continue(qtbot, make_window, document):
    class Failing(RecordingTranslator):
        def translate(self, document, segment, *args, **kwargs):
            if self._source(document, segment).startswith("我们需要"):
                raise RuntimeError("out of order")
            return super().translate(document, segment, *args, **kwargs)

    window = make_window(Failing(), document)
    qtbot.waitUntil(lambda: statuses(window).count(Status.DRAFT) == 11, timeout=30000)
    qtbot.waitUntil(lambda: not window.of(Drafting).service.progress.active, timeout=30000)
    row = statuses(window).index(Status.NOT_STARTED)
    (text,) = window.model.index(row, Column.STATUS).data(Role.WARNINGS)
    assert text.startswith("This segment could not be drafted") and "Translate this segment again" in text


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
        raise ModelFileError("No CUDA device is available. Choose the CPU as the compute device.")

    window = make_window(no_gpu, document)
    qtbot.waitUntil(lambda: not window.of(EngineState).no_model_banner.isHidden(), timeout=30000)
    assert "Choose the CPU" in window.of(EngineState).no_model_banner.text()
    QTest.keyClicks(window.table.editor, "by hand")
    assert window.model.segment(0).status is Status.EDITED
    device_action(window, DeviceChoice.CPU).trigger()
    assert stored_device(window.desk.settings) is DeviceChoice.CPU
    qtbot.waitUntil(window.of(EngineState).no_model_banner.isHidden, timeout=30000)
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
    window.table.go_to_row(3)

    def is_remembered() -> bool:
        entries = [entry for each in window.of(Explain).inspector.view.sections for entry in each.entries]
        return any(each.confirmed and each.segment == confirmed for each in entries)

    qtbot.waitUntil(is_remembered, timeout=30000)
    with qtbot.assertNotEmitted(window.desk.worker.loaded, wait=300):
        device_action(window, DeviceChoice.CPU).trigger()
