"""The text of the current segment is completely in view if it fits, and the caret is always in view."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.core.segment import SegmentState, Status
from anaphora.features.filter.feature import Filter
from anaphora.features.find.feature import Find

SENTENCE = "The register keeps every transaction of the ledger. "
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qtbot, make_window, document):
    result = make_window(None, document, start=False)
    qtbot.waitUntil(lambda: result.table.card.isVisible(), timeout=20000)
    result.table.editor.setFocus()
    return result


def line_rects(editor) -> list[QRect]:
    """The positions of the first and the last line of the text in the editor's viewport."""
    rects = []
    for operation in (QTextCursor.MoveOperation.Start, QTextCursor.MoveOperation.End):
        cursor = QTextCursor(editor.document())
        cursor.movePosition(operation)
        rects.append(editor.cursorRect(cursor))
    return rects


def all_is_shown(editor) -> bool:
    return all(rect.top() >= 0 and rect.bottom() <= editor.viewport().height() for rect in line_rects(editor))


def caret_is_seen(table) -> bool:
    """True if the whole caret is inside the table's view."""
    editor = table.editor
    caret = editor.cursorRect()
    top = editor.viewport().mapTo(table.viewport(), caret.topLeft())
    inside = editor.viewport().rect().adjusted(0, 0, caret.width(), 1)
    place = QRect(top, caret.size())
    return table.viewport().rect().contains(place) and inside.contains(caret)


def settled(qtbot, table) -> None:
    for _ in range(4):
        QApplication.processEvents()


def fill(window, text: str, row: int = 0) -> None:
    segment = window.model.segment(row)
    window.session.set_states({segment.id: SegmentState(text, Status.DRAFT)})


def test_a_growing_text_stays_completely_in_view(window) -> None:
    editor = window.table.editor
    lines = set()
    for letter in SENTENCE * 4:
        QTest.keyClicks(editor, letter)
        # Without an event loop in between, the next paint shows this state.
        assert all_is_shown(editor), editor.toPlainText()
        lines.add(editor.document().firstBlock().lineCount())
    assert max(lines) >= 3


def test_a_pasted_text_is_completely_in_view(qtbot, window) -> None:
    editor = window.table.editor
    QApplication.clipboard().setText(SENTENCE * 6)
    QTest.keyClick(editor, Qt.Key.Key_V, CONTROL)
    assert all_is_shown(editor)
    settled(qtbot, window.table)
    assert all_is_shown(editor) and caret_is_seen(window.table)
    QTest.keyClick(editor, Qt.Key.Key_Home, CONTROL)
    QTest.keyClicks(editor, "At the beginning ")
    assert all_is_shown(editor)


def test_text_with_line_breaks_stays_completely_in_view(qtbot, window) -> None:
    editor = window.table.editor
    for _ in range(6):
        QTest.keyClicks(editor, "line")
        QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        assert all_is_shown(editor)
    settled(qtbot, window.table)
    assert all_is_shown(editor) and caret_is_seen(window.table)


def test_the_caret_is_visible_at_the_end_of_a_text_higher_than_the_window(qtbot, window) -> None:
    window.resize(1024, 576)
    table, editor = window.table, window.table.editor
    fill(window, SENTENCE * 60)
    settled(qtbot, table)
    assert table.card.height() > table.viewport().height(), "the text is higher than the view"
    assert caret_is_seen(table)
    QTest.keyClick(editor, Qt.Key.Key_End, CONTROL)
    settled(qtbot, table)
    assert caret_is_seen(table)
    QTest.keyClicks(editor, "typed at the end")
    settled(qtbot, table)
    assert caret_is_seen(table)
    for _ in range(40):
        QTest.keyClick(editor, Qt.Key.Key_Up)
        settled(qtbot, table)
        assert caret_is_seen(table)
    QTest.keyClick(editor, Qt.Key.Key_Home, CONTROL)
    settled(qtbot, table)
    assert caret_is_seen(table) and table.card.y() >= 0


def test_the_caret_is_visible_after_undo(qtbot, window) -> None:
    window.resize(1024, 576)
    table, editor = window.table, window.table.editor
    fill(window, SENTENCE * 60)
    QTest.keyClick(editor, Qt.Key.Key_End, CONTROL)
    QTest.keyClicks(editor, "typed")
    QTest.keyClick(editor, Qt.Key.Key_Home, CONTROL)
    settled(qtbot, table)
    window.actions_by_name["undo"].trigger()
    settled(qtbot, table)
    assert editor.caret > 1000 and caret_is_seen(table)


def test_the_caret_is_visible_after_a_draft_arrives(qtbot, window) -> None:
    window.resize(1024, 576)
    table, editor = window.table, window.table.editor
    settled(qtbot, table)
    fill(window, SENTENCE * 60)
    settled(qtbot, table)
    assert editor.caret == 0 and caret_is_seen(table)
    # The draft of a neighbour does not move the view.
    before = table.card.y()
    fill(window, SENTENCE * 9, 1)
    settled(qtbot, table)
    assert table.card.y() == before and caret_is_seen(table)


def test_the_caret_is_visible_after_zoom_and_in_a_smaller_window(qtbot, window) -> None:
    table, editor = window.table, window.table.editor
    fill(window, SENTENCE * 25)
    QTest.keyClick(editor, Qt.Key.Key_End, CONTROL)
    for _ in range(6):
        window.actions_by_name["larger"].trigger()
        settled(qtbot, table)
        assert all_is_shown(editor) and caret_is_seen(table)
    window.resize(1024, 576)
    window.docks.show_dock("documents", True)
    settled(qtbot, table)
    assert caret_is_seen(table)
    assert table.card.confirm.x() >= editor.x() + 20, "the state is seen"
    for _ in range(9):
        window.actions_by_name["smaller"].trigger()
        settled(qtbot, table)
        assert all_is_shown(editor) and caret_is_seen(table)


def test_the_find_bar_does_not_hide_the_caret(qtbot, window) -> None:
    window.resize(1024, 576)
    table, editor = window.table, window.table.editor
    fill(window, SENTENCE * 12)
    QTest.keyClick(editor, Qt.Key.Key_End, CONTROL)
    settled(qtbot, table)
    window.of(Find).bar.open(True)
    settled(qtbot, table)
    assert caret_is_seen(table)


def test_a_scrolled_view_stays_until_a_key_is_pressed(qtbot, window) -> None:
    table, editor = window.table, window.table.editor
    for row in range(12):
        fill(window, SENTENCE * 8, row)
    settled(qtbot, table)
    table.verticalScrollBar().triggerAction(table.verticalScrollBar().SliderAction.SliderToMaximum)
    settled(qtbot, table)
    away = table.verticalScrollBar().value()
    fill(window, SENTENCE * 9)
    settled(qtbot, table)
    assert abs(table.verticalScrollBar().value() - away) < 200 and not caret_is_seen(table)
    QTest.keyClick(editor, Qt.Key.Key_Right)
    settled(qtbot, table)
    assert caret_is_seen(table)


def test_larger_text_also_applies_to_panels_and_dialogs(make_window, document) -> None:
    window = make_window(None, document)
    docks, strip = window.docks, window.of(Filter).strip
    parts = docks.rail, docks.documents, docks.suggestions.list, strip.progress
    before = [part.fontInfo().pointSizeF() for part in parts]
    for name, sign in (("larger", 1), ("smaller", -1)):
        for _ in range(4):
            window.actions_by_name[name].trigger()
        now = [part.fontInfo().pointSizeF() for part in parts]
        assert all(sign * (new - old) > 2 for new, old in zip(now, before, strict=True)), (before, now)
        before = now
