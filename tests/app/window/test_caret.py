"""The caret begins at the start of each segment."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from anaphora.core.segment import SegmentState, Status

CONTROL = Qt.KeyboardModifier.ControlModifier


def test_the_caret_begins_at_the_start_of_each_segment(make_window, document, drafted) -> None:
    window = make_window(None, document)
    drafted(window)
    editor = window.table.editor
    QTest.keyClick(editor, Qt.Key.Key_End)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(editor, key, CONTROL)
        assert editor.caret == 0 and len(editor.toPlainText()) > 3
        QTest.keyClick(editor, Qt.Key.Key_End)


def test_undo_and_redo_put_the_caret_at_the_change(make_window, document) -> None:
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
    assert editor.segment_id == first and editor.caret == 0, "the text is unchanged"
