"""Comments and history of the current segment in the rail, by keyboard, and after a restart."""

from __future__ import annotations

import re
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from anaphora.core.segment import SegmentState, Status
from anaphora.editor.table.segment_model import Column, Role
from anaphora.features.comments.feature import Comments
from anaphora.features.comments.view.panel import PAUSE_MS

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NUMBER = Column.NUMBER


def index(window, row: int):
    return window.model.index(row, NUMBER)


@pytest.mark.slow
def test_a_comment_is_added_by_keyboard_and_marks_its_row(qtbot, make_window, document, drafted) -> None:
    window = make_window(None, document)
    drafted(window)
    comments, editor = window.of(Comments).panel, window.table.editor
    assert window.docks.rail.section("comments").isHidden()
    QTest.keyClick(editor, Qt.Key.Key_M, CONTROL | SHIFT)
    assert window.focusWidget() is comments.field and comments.field.isVisible()
    QTest.keyClicks(comments.field, "Ask the <client>.")
    QTest.keyClick(comments.field, Qt.Key.Key_Return)
    assert window.focusWidget() is editor
    assert "Ask the &lt;client&gt;." in comments.text.text()
    assert index(window, 0).data(Role.COMMENTED) and not index(window, 1).data(Role.COMMENTED)
    assert "with comments" in index(window, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    QTest.keyClick(editor, Qt.Key.Key_Down, CONTROL)
    assert window.docks.rail.section("comments").isHidden()
    qtbot.waitUntil(window.close, timeout=20000)

    again = make_window(None, document)
    again.table.go_to_row(0)
    assert "Ask the &lt;client&gt;." in again.of(Comments).panel.text.text()
    (comment,) = again.controller.comments.of(again.model.segment(0).id)
    assert comment.author and comment.time
    again.of(Comments).panel.text.linkActivated.emit(comment.id)
    assert again.docks.rail.section("comments").isHidden()
    assert not index(again, 0).data(Role.COMMENTED)


def test_escape_leaves_the_field_without_adding(make_window, document) -> None:
    window = make_window(None, document, False)
    window.actions_by_name["comment"].trigger()
    field = window.of(Comments).panel.field
    QTest.keyClicks(field, "not yet")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert window.focusWidget() is window.table.editor and field.text() == "not yet"
    assert not window.controller.comments.has(window.table.editor.segment_id)


@pytest.mark.slow
def test_the_history_shows_drafts_and_later_texts(qtbot, make_window, document, drafted) -> None:
    window = make_window(None, document)
    drafted(window)
    section, lines = window.docks.rail.section("history"), window.of(Comments).history
    draft = window.model.segment(0).target
    # Text overwritten before saving leaves no trace in the history.
    qtbot.waitUntil(lambda: window.controller.project.autosave.is_clean, timeout=30000)
    assert section.isHidden()
    window.table.editor.selectAll()
    QTest.keyClicks(window.table.editor, "Quite another sentence")
    first = window.model.segment(0).id
    qtbot.waitUntil(lambda: bool(window.controller.store.history(first)), timeout=30000)
    QTest.keyClick(window.table.editor, Qt.Key.Key_Return, CONTROL)
    QTest.keyClick(window.table.editor, Qt.Key.Key_Up, CONTROL)
    qtbot.waitUntil(lambda: section.isVisible() and "confirmed" in lines.text.text(), timeout=30000)
    shown = lines.text.text()
    assert "edited" in shown and "machine" in shown
    assert "Changes since the draft" in shown
    assert draft.split()[0] in shown and "another" in shown
    QTest.keyClick(window.table.editor, Qt.Key.Key_Down, CONTROL)
    assert section.isHidden()


def test_a_return_to_a_draft_by_undo_is_no_new_draft(qtbot, make_window, document, drafted) -> None:
    window = make_window(None, document)
    drafted(window)
    lines = window.of(Comments).history
    QTest.keyClick(window.table.editor, Qt.Key.Key_Return, CONTROL)
    QTest.keyClick(window.table.editor, Qt.Key.Key_Up, CONTROL)
    qtbot.waitUntil(lambda: "confirmed" in lines.text.text(), timeout=30000)
    window.actions_by_name["undo"].trigger()
    assert window.model.segment(0).status is Status.DRAFT
    qtbot.waitUntil(lambda: "undone" in lines.text.text(), timeout=30000)
    shown = re.sub("<[^>]*>", "", lines.text.text())
    assert shown.count("draft · ") == 1 and "draft · machine" in shown


def test_the_history_is_read_after_saving(qtbot, make_window, document, monkeypatch) -> None:
    window = make_window(None, document, False)
    lines, save = window.of(Comments).history, window.controller.store.save

    def save_late(*changes) -> None:
        time.sleep(2 * PAUSE_MS / 1000)
        save(*changes)

    monkeypatch.setattr(window.controller.store, "save", save_late)
    QTest.keyClicks(window.table.editor, "Written on a slow disk")
    QTest.keyClick(window.table.editor, Qt.Key.Key_Return, CONTROL)
    QTest.keyClick(window.table.editor, Qt.Key.Key_Up, CONTROL)
    qtbot.waitUntil(lambda: "confirmed" in lines.text.text(), timeout=30000)
    # Typing may have been saved in two steps: their difference is marked.
    assert "Written on a slow disk" in re.sub("<[^>]*>|\u2009", "", lines.text.text())


@pytest.mark.slow
def test_an_unfinished_comment_is_added_to_its_segment(qtbot, make_window, document) -> None:
    window = make_window(None, document, False)
    field, editor = window.of(Comments).panel.field, window.table.editor
    first = editor.segment_id
    window.actions_by_name["comment"].trigger()
    QTest.keyClicks(field, "Ask the cli")
    QTest.keyClick(field, Qt.Key.Key_Down, CONTROL)
    assert editor.segment_id != first and not field.text()
    assert window.docks.rail.section("comments").isHidden()
    assert window.controller.comments.has(first)
    qtbot.waitUntil(window.close, timeout=20000)
    again = make_window(None, document, False)
    (comment,) = again.controller.comments.of(first)
    assert comment.text == "Ask the cli"


def test_ctrl_enter_adds_the_comment(make_window, document) -> None:
    window = make_window(None, document, False)
    segment = window.model.segment(0)
    window.session.set_states({segment.id: SegmentState("A draft.", Status.DRAFT)})
    window.actions_by_name["comment"].trigger()
    QTest.keyClicks(window.of(Comments).panel.field, "Ask the client.")
    QTest.keyClick(window.of(Comments).panel.field, Qt.Key.Key_Return, CONTROL)
    (comment,) = window.controller.comments.of(segment.id)
    assert comment.text == "Ask the client." and window.focusWidget() is window.table.editor
    assert window.table.editor.segment_id == segment.id
    assert window.model.segment(0).status is Status.DRAFT
