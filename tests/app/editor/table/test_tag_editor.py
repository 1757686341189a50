"""Chips in the editor: typing, deleting, selecting, copying, undoing, composing, moving; rows do not jump."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.core.segment import Segment, SegmentState, Status

SOURCE = "更新{1}缓存{/1}，读取{2/}和{3}记录{/3}。"
TARGET = "Update the {1}cache{/1}, read {2/}."
TAGS = (("{1}", "bold"), ("{2/}", "code"), ("{3}", "link"))
CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


@pytest.fixture
def table(table_of) -> Any:
    state = SegmentState(TARGET, Status.EDITED)
    return table_of([Segment(str(row), SOURCE, state, tags=TAGS) for row in range(3)])


def target(table: Any) -> str:
    return table.session.document.at(0).target


def put(table: Any, before: str) -> None:
    table.editor.put_caret(TARGET.index(before))


def test_a_chip_is_one_character_and_stored_as_a_tag(table):
    editor = table.editor
    assert editor.toPlainText() == TARGET
    assert len(editor.shown().text) == len(TARGET) - 2 - 3 - 3
    put(table, "cache")
    QTest.keyClick(editor, Qt.Key.Key_Left)
    assert editor.caret == TARGET.index("{1}"), "the caret passes a chip in one step"
    QTest.keyClicks(editor, "big ")
    assert target(table) == "Update the big {1}cache{/1}, read {2/}."


def test_a_chip_is_deleted_completely_from_either_side(table):
    put(table, "cache")
    QTest.keyClick(table.editor, Qt.Key.Key_Backspace)
    assert target(table) == "Update the cache{/1}, read {2/}."
    QTest.keyClick(table.editor, Qt.Key.Key_End)
    QTest.keyClick(table.editor, Qt.Key.Key_Left)
    QTest.keyClick(table.editor, Qt.Key.Key_Left)
    QTest.keyClick(table.editor, Qt.Key.Key_Delete)
    assert target(table) == "Update the cache{/1}, read ."


@pytest.mark.slow
def test_text_typed_beside_a_chip_is_ordinary(table):
    put(table, "cache")
    QTest.keyClicks(table.editor, "new ")
    assert target(table) == "Update the {1}new cache{/1}, read {2/}."
    assert len(table.editor.shown().marks) == 3


def test_copy_and_paste_keep_chips(table):
    editor = table.editor
    editor.selectAll()
    editor.copy()
    assert QGuiApplication.clipboard().text() == TARGET
    QTest.keyClick(editor, Qt.Key.Key_Delete)
    assert target(table) == ""
    editor.paste()
    assert target(table) == TARGET
    assert len(editor.shown().marks) == 3
    put(table, "cache")
    cursor = editor.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    editor.cut()
    assert target(table) == "Update the cache{/1}, read {2/}."
    assert QGuiApplication.clipboard().text() == "{1}"


def test_a_tag_typed_as_text_becomes_a_chip(table):
    table.editor.selectAll()
    QTest.keyClicks(table.editor, "a {1}b{/1} {9}")
    assert [mark for _, mark in table.editor.shown().marks] == ["{1}", "{/1}"]
    assert target(table) == "a {1}b{/1} {9}"


def test_undo_restores_chips(table):
    put(table, "cache")
    QTest.keyClick(table.editor, Qt.Key.Key_Backspace)
    table.editing.undo()
    assert table.editor.toPlainText() == TARGET == target(table)
    assert len(table.editor.shown().marks) == 3


def test_composing_beside_a_chip_does_not_change_it(table):
    editor = table.editor
    put(table, "cache")
    QApplication.sendEvent(editor, QInputMethodEvent("huan", []))
    assert target(table) == TARGET
    commit = QInputMethodEvent("", [])
    commit.setCommitString("缓")
    QApplication.sendEvent(editor, commit)
    assert target(table) == "Update the {1}缓cache{/1}, read {2/}."
    table.session.set_states({"0": SegmentState("{1}x{/1}{2/}", Status.DRAFT)})
    assert editor.toPlainText() == "{1}x{/1}{2/}"


def test_the_next_missing_tag_and_pair_are_inserted(table):
    editor = table.editor
    QTest.keyClick(editor, Qt.Key.Key_End)
    assert editor.insert_tag() and editor.insert_tag() and not editor.insert_tag()
    assert target(table) == TARGET + "{3}{/3}"
    table.session.set_states({"0": SegmentState("all records now", Status.EDITED)})
    editor.put_caret(6)
    assert editor.insert_pair()
    assert target(table) == "all {1}records{/1} now"
    editor.selectAll()
    assert editor.insert_tag(), "the next missing tag is single: the selection stays"
    assert "{2/}" in target(table) and "records" in target(table)
    assert editor.insert_pair() and not editor.insert_pair()
    assert target(table).count("{3}") == target(table).count("{/3}") == 1
