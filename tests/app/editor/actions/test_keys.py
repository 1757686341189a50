"""Keys: rebinding, presets, conflicts and settings."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.core.segment import Status
from anaphora.editor.actions.actions import DEFAULT, PRESETS
from anaphora.features.help.view.shortcuts import ShortcutsDialog

CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def dialog_of(qtbot):
    def open_dialog(window):
        window.actions_by_name["keys"].trigger()
        return window.findChild(ShortcutsDialog)

    return open_dialog


def shown_keys(dialog, name):
    dialog.select(name)
    return dialog.list.currentItem().text(1)


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.slow
def test_presets_have_unique_keys_and_known_actions(make_window, preset):
    window = make_window(start=False)
    assert set(PRESETS[preset]) <= set(window.keymap.names())
    window.keymap.choose(preset)
    keys = [key.toString() for key in window.keymap.all_keys()]
    assert all(keys)
    assert sorted(keys) == sorted(set(keys))
    for name in window.keymap.names():
        for key in window.keymap.keys(name):
            assert window.keymap.problem(name, key) == "", (name, key.toString())


@pytest.mark.slow
def test_a_new_key_works_at_once_and_after_the_next_start(qtbot, make_window, dialog_of, document, drafted):
    window = make_window(None, document)
    drafted(window)
    dialog = dialog_of(window)
    dialog.select("confirm")
    dialog.recorder.setFocus()
    QTest.keyClick(dialog.recorder, Qt.Key.Key_Return, CONTROL | ALT)
    assert shown_keys(dialog, "confirm") == "Ctrl+Alt+Return"
    assert "Ctrl+Alt+Return" in window.actions_by_name["confirm"].toolTip()
    dialog.reject()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=30000)
    QTest.keyClick(window.table.editor, Qt.Key.Key_Return, CONTROL)
    assert window.model.segment(0).status is Status.DRAFT, "the old key does nothing"
    QTest.keyClick(window.table.editor, Qt.Key.Key_Enter, CONTROL | ALT)
    assert window.model.segment(0).status is Status.CONFIRMED, "the keypad's Enter is bound, too"
    again = make_window(start=False)
    assert again.keymap.label("confirm") == "Ctrl+Alt+Return"


@pytest.mark.slow
def test_the_windows_keys_override_those_of_the_text(make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    assert window.keymap.bind("next", QKeySequence("Ctrl+End")) == ""
    QTest.keyClick(window.table.editor, Qt.Key.Key_End, CONTROL)
    assert window.table.currentIndex().row() == 1


def test_a_used_key_is_refused_with_its_action(make_window, dialog_of):
    window = make_window(start=False)
    dialog = dialog_of(window)
    dialog.select("clear")
    dialog.recorder.setKeySequence(QKeySequence("Ctrl+F"))
    assert "Find" in dialog.message.text() and "Ctrl+F" in dialog.message.text()
    assert dialog.message.property("role") == "wrong"
    assert window.keymap.label("clear") == dialog.recorder.keySequence().toString()
    assert window.keymap.label("find") == "Ctrl+F"


@pytest.mark.parametrize("key", ["Return", "A", "Shift+A", "Space", "Ctrl+V", "Delete"])
@pytest.mark.slow
def test_keys_that_type_text_are_refused(make_window, key):
    window = make_window(start=False)
    assert "used for typing" in window.keymap.bind("confirm", QKeySequence(key))
    assert window.keymap.label("confirm") == "Ctrl+Return"


@pytest.mark.slow
def test_removing_and_restoring_a_key(make_window, dialog_of):
    window = make_window(start=False)
    dialog = dialog_of(window)
    assert not dialog.restore_button.isEnabled()
    dialog.select("find")
    dialog.remove_button.click()
    assert window.keymap.label("find") == ""
    assert window.keymap.bind("replace", QKeySequence("Ctrl+F")) == ""
    dialog.restore_button.click()
    assert "Find and replace" in dialog.message.text(), "the default key belongs to another action"
    assert window.keymap.label("find") == ""
    dialog.select("replace")
    dialog.restore_button.click()
    dialog.select("find")
    dialog.restore_button.click()
    assert (window.keymap.label("find"), window.keymap.label("replace")) == ("Ctrl+F", "Ctrl+H")


@pytest.mark.slow
def test_each_preset_keeps_its_own_changes(make_window, dialog_of):
    window = make_window(start=False)
    window.keymap.bind("clear", QKeySequence("Ctrl+Alt+C"))
    dialog = dialog_of(window)
    dialog.presets.setCurrentText("Trados")
    assert shown_keys(dialog, "clear") == QKeySequence("Alt+Delete").toString(
        QKeySequence.SequenceFormat.NativeText
    )
    assert shown_keys(dialog, "confirm_jump") == "Ctrl+Return"
    assert make_window(start=False).keymap.preset == "Trados"
    dialog.presets.setCurrentText(DEFAULT)
    assert shown_keys(dialog, "clear") == "Ctrl+Alt+C"


@pytest.mark.slow
def test_no_rebound_key_fires_while_the_input_method_composes(make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    window.keymap.bind("next", QKeySequence("Ctrl+N"))
    editor = window.table.editor
    QApplication.sendEvent(editor, QInputMethodEvent("zhang", []))
    QTest.keyClick(editor, Qt.Key.Key_N, CONTROL)
    assert window.table.currentIndex().row() == 0
    QApplication.sendEvent(editor, QInputMethodEvent("", []))
    QTest.keyClick(editor, Qt.Key.Key_N, CONTROL)
    assert window.table.currentIndex().row() == 1
