"""The caret begins at the start of each segment, or at its end if somebody wants that."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest

from anaphora.core.segment import SegmentState, Status

CONTROL = Qt.KeyboardModifier.ControlModifier


def caret_choice(window, text: str) -> QAction:
    return next(each for each in window.findChildren(QAction) if each.text() == text)


def test_the_caret_begins_at_the_start_of_each_segment(make_window, document, drafted) -> None:
    window = make_window(None, document)
    drafted(window)
    editor = window.table.editor
    QTest.keyClick(editor, Qt.Key.Key_End)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(editor, key, CONTROL)
        assert editor.caret == 0 and len(editor.toPlainText()) > 3
        QTest.keyClick(editor, Qt.Key.Key_End)


@pytest.mark.slow
def test_the_end_is_a_choice_that_is_kept(make_window, document, drafted) -> None:
    window = make_window(None, document)
    drafted(window)
    caret_choice(window, "At the &end").trigger()
    editor = window.table.editor
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(editor, key, CONTROL)
        assert editor.caret == len(editor.toPlainText()) > 3
        QTest.keyClick(editor, Qt.Key.Key_Home)
    QTest.keyClicks(editor, "Typed ")
    assert window.table.current_segment.target.startswith("Typed ")
    again = make_window(None)
    assert caret_choice(again, "At the &end").isChecked() and again.table.editor.begins_at_end


def test_undo_and_redo_put_the_caret_where_the_text_has_changed(make_window, document) -> None:
    window = make_window(None, document, False)
    editor, (first, second) = window.table.editor, [window.session.document.at(row).id for row in range(2)]
    window.session.set_states({first: SegmentState("The old ledger.", Status.DRAFT)})
    editor.put_caret(4)
    for _ in "old":
        QTest.keyClick(editor, Qt.Key.Key_Delete)
    QTest.keyClicks(editor, "new")
    window.table.go_to_segment(second)
    window.actions_by_name["undo"].trigger()
    assert editor.segment_id == first and editor.toPlainText() == "The old ledger."
    assert editor.caret == len("The old")
    window.table.go_to_segment(second)
    window.actions_by_name["redo"].trigger()
    assert editor.toPlainText() == "The new ledger." and editor.caret == len("The new")
    window.actions_by_name["confirm"].trigger()
    window.actions_by_name["undo"].trigger()
    assert editor.segment_id == first and editor.caret == 0, "the text is the same: the segment begins anew"


def test_a_draft_that_comes_into_an_empty_segment_leaves_the_caret_at_the_end(make_window, document) -> None:
    window = make_window(None, document, False)
    caret_choice(window, "At the &end").trigger()
    editor = window.table.editor
    assert editor.toPlainText() == ""
    first = window.session.document.at(0)
    window.session.set_states({first.id: SegmentState("The ledger.", Status.DRAFT)})
    assert editor.toPlainText() == "The ledger." and editor.caret == len("The ledger.")
    caret_choice(window, "At the &start").trigger()
