"""Runs of undos: shown now and then, and at their end; what is typed goes to what was changed last."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.core.segment import Status
from anaphora.views.editor import visits


@pytest.fixture
def worked(qtbot, make_window, document):
    """Twelve segments that were written and confirmed: 24 steps."""
    window = make_window(path=document)
    editing = window.controller.editing
    for row in range(12):
        segment = window.model.segment(row).id
        editing.type_text(segment, f"Sentence {row}.")
        assert editing.confirm(segment)
    window.table.go_to_row(11)
    QApplication.processEvents()
    return window


def test_a_run_is_shown_now_and_then_and_its_end_is(qtbot, worked) -> None:
    shown: list[str] = []
    worked.table.segment_shown.connect(shown.append)
    editing = worked.controller.editing
    worked.visits._run.setInterval(10_000)
    while editing.stack.canUndo():
        editing.undo()
        QApplication.processEvents()
    assert shown == [], "segment 12 was current, and the first undo changed that one"
    worked.visits.catch_up()
    assert shown == [worked.model.segment(0).id]
    assert worked.table.viewport().updatesEnabled()
    assert not any(segment.status is Status.CONFIRMED for segment in worked.session.document)


def test_the_end_of_a_run_shows_itself(qtbot, worked) -> None:
    editing = worked.controller.editing
    while editing.stack.canUndo():
        editing.undo()
    qtbot.waitUntil(lambda: worked.table.currentIndex().row() == 0, timeout=20 * visits.RUN_MS)
    qtbot.waitUntil(worked.table.viewport().updatesEnabled, timeout=20 * visits.RUN_MS)


def test_what_is_typed_in_a_run_goes_to_what_was_changed_last(qtbot, worked) -> None:
    worked.visits._run.setInterval(100_000)
    keys = worked.keymap.keys("undo")[0][0]
    for _ in range(6):
        QTest.keyClick(worked.table.editor, keys.key(), keys.keyboardModifiers())
    assert worked.table.currentIndex().row() == 11, "the run is not shown yet"
    QTest.keyClick(worked.table.editor, Qt.Key.Key_X)
    row = worked.table.currentIndex().row()
    assert row == 9
    QTest.keyClicks(worked.table.editor, "yz")
    assert "yz" in worked.model.segment(9).target
    assert worked.model.segment(11).target != "x"


def test_closing_in_a_run_leaves_nothing_to_show(qtbot, worked) -> None:
    worked.visits._run.setInterval(100_000)
    for _ in range(4):
        worked.controller.editing.undo()
    assert not worked.table.viewport().updatesEnabled()
    worked.controller.close()
    assert worked.table.viewport().updatesEnabled()
