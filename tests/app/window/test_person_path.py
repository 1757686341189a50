"""A user's work in the window: opening, drafting, inspecting, editing, confirming, undo and export."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog
from recording_translator import RecordingTranslator
from remembered_words import remembered

from anaphora.core.segment import Status
from anaphora.features.documents.feature import Documents
from anaphora.features.engine_state.feature import EngineState
from anaphora.features.explain.feature import Explain

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier


def press(window, key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(window.table.editor, key, modifiers)


def segment(window, row):
    return window.model.segment(row)


def test_a_document_is_opened_drafted_and_exported(qtbot, make_window, document, drafted, tmp_path):
    double = RecordingTranslator()
    window = make_window(double, document)
    drafted(window)
    assert window.model.rowCount() == 12
    assert segment(window, 0).status is Status.DRAFT
    assert window.of(EngineState).status.engine.text() == "Offline model, Chinese → English"

    window.table.go_to_row(0)
    window.table.editor.selectAll()
    QTest.keyClicks(window.table.editor, "The ledger keeps it all.")
    assert segment(window, 0).status is Status.EDITED
    assert segment(window, 0).target == "The ledger keeps it all."

    press(window, Qt.Key.Key_Return, CONTROL)
    assert segment(window, 0).status is Status.CONFIRMED
    assert window.table.currentIndex().row() == 1
    first = segment(window, 0).id
    qtbot.waitUntil(lambda: ("remember", first) in double.calls, timeout=30000)

    press(window, Qt.Key.Key_Z, CONTROL)
    assert segment(window, 0).status is Status.EDITED
    assert window.table.currentIndex().row() == 0
    qtbot.waitUntil(lambda: ("forget", first) in double.calls, timeout=30000)
    press(window, Qt.Key.Key_Y, CONTROL)
    assert segment(window, 0).status is Status.CONFIRMED

    target = tmp_path / "out.txt"
    with qtbot.waitSignal(window.of(Documents).exporting.exported, timeout=30000):
        window.of(Documents).exporting.export(target)
    lines = target.read_text("utf-8").splitlines()
    assert lines[0] == "The ledger keeps it all."
    assert len(lines) == 12 and not any("账" in line for line in lines)


def test_plain_enter_never_confirms(make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    before = segment(window, 0)
    press(window, Qt.Key.Key_Return)
    press(window, Qt.Key.Key_Enter)
    assert segment(window, 0) == before
    assert window.table.currentIndex().row() == 0


@pytest.mark.slow
def test_the_next_drafts_show_what_the_memory_learned(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    rows = [row for row in range(12) if "账本" in segment(window, row).source]
    window.table.go_to_row(rows[0])
    window.table.editor.selectAll()
    QTest.keyClicks(window.table.editor, "The account book keeps each transaction.")
    press(window, Qt.Key.Key_Return, CONTROL)
    assert window.table.currentIndex().row() == rows[1]
    qtbot.waitUntil(
        lambda: all("account book" in segment(window, row).target.lower() for row in rows), timeout=30000
    )
    assert window.table.editor.toPlainText() == segment(window, rows[1]).target
    assert all(segment(window, row).status is Status.DRAFT for row in rows[1:])
    press(window, Qt.Key.Key_Z, CONTROL)
    press(window, Qt.Key.Key_Z, CONTROL)
    assert segment(window, rows[0]).status is not Status.CONFIRMED
    qtbot.waitUntil(
        lambda: any("ledger" in segment(window, row).target.lower() for row in rows[2:]), timeout=30000
    )


def test_editing_a_confirmed_segment_returns_it_to_edited(qtbot, make_window, document, drafted):
    double = RecordingTranslator()
    window = make_window(double, document)
    drafted(window)
    press(window, Qt.Key.Key_Return, CONTROL)
    press(window, Qt.Key.Key_Up, CONTROL)
    QTest.keyClicks(window.table.editor, "x")
    assert segment(window, 0).status is Status.EDITED
    qtbot.waitUntil(lambda: ("forget", segment(window, 0).id) in double.calls, timeout=30000)


def test_keys_move_copy_and_jump(make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    press(window, Qt.Key.Key_Down, CONTROL)
    assert window.table.currentIndex().row() == 1
    press(window, Qt.Key.Key_Insert, CONTROL)
    assert segment(window, 1).target == segment(window, 1).source
    press(window, Qt.Key.Key_Return, CONTROL)
    assert segment(window, 1).status is Status.CONFIRMED
    window.table.go_to_row(0)
    press(window, Qt.Key.Key_Return, CONTROL | SHIFT)
    assert segment(window, 0).status is Status.CONFIRMED
    assert window.table.currentIndex().row() == 2, "the confirmed second row is skipped"


@pytest.mark.slow
def test_words_can_be_chosen_by_keys_and_panels_follow(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    window.table.go_to_row(5)
    qtbot.waitUntil(lambda: window.of(Explain).inspector.explanation is not None, timeout=30000)
    press(window, Qt.Key.Key_Right, ALT)
    first = window.of(Explain).inspector.word
    press(window, Qt.Key.Key_Right, ALT)
    assert window.of(Explain).inspector.word == first + 1
    token = window.of(Explain).inspector.explanation.tokens[window.of(Explain).inspector.word]
    assert window.table.editor.textCursor().position() == token.start
    assert remembered(window.of(Explain).inspector), "the memory before the sixth segment contains words"
    slot = remembered(window.of(Explain).inspector)[0]
    window.docks.why.segment_requested.emit(slot.segment)
    assert segment(window, window.table.currentIndex().row()).id == slot.segment


@pytest.mark.slow
def test_clicking_a_word_explains_it(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    window.table.go_to_row(3)
    qtbot.waitUntil(lambda: window.of(Explain).inspector.explanation is not None, timeout=30000)
    editor = window.table.editor
    token = window.of(Explain).inspector.explanation.tokens[2]
    cursor = editor.textCursor()
    cursor.setPosition(token.start + 1)
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=editor.cursorRect(cursor).center())
    assert window.of(Explain).inspector.word == 2


def test_go_to_opens_a_dialog_and_moves_to_the_segment(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    window.actions_by_name["go_to"].trigger()
    dialog = window.findChild(QInputDialog)
    dialog.setIntValue(7)
    dialog.accept()
    assert window.table.currentIndex().row() == 6


@pytest.mark.slow
def test_reopening_restores_the_work_and_the_memory(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    press(window, Qt.Key.Key_Return, CONTROL)
    window.table.go_to_row(4)
    qtbot.waitUntil(window.close, timeout=20000)
    assert window.desk.worker.stop(5.0)

    double = RecordingTranslator()
    again = make_window(double, document)
    assert segment(again, 0).status is Status.CONFIRMED
    assert again.table.currentIndex().row() == 4
    qtbot.waitUntil(lambda: ("restore", again.controller.session.key) in double.calls, timeout=30000)
    assert not [call for call in double.calls if call[0] == "translate"]
