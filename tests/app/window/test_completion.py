"""While the user types, the real engine suggests completions."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.features.drafting.feature import Drafting

CONTROL = Qt.KeyboardModifier.ControlModifier
SENTENCES = ("账本保存每个交易。", "每个节点读取账本。", "区块链是一种分布式账本。")


@pytest.fixture
def typing(qtbot, make_window, tmp_path, drafted, translator):
    """A drafted document; its second segment is empty and has the caret."""
    path = tmp_path / "账本.zh.txt"
    path.write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    window = make_window(translator, path)
    drafted(window)
    window.table.go_to_row(1)
    editor = window.table.editor
    window.activateWindow()
    editor.setFocus()
    editor.selectAll()
    QTest.keyClick(editor, Qt.Key.Key_Delete)
    assert editor.toPlainText() == ""
    return window


def complete(qtbot, editor, text: str) -> str:
    QTest.keyClicks(editor, text)
    qtbot.waitUntil(lambda: bool(editor.ghost), timeout=30000)
    return editor.ghost


def test_a_completion_is_accepted_by_word_or_completely(qtbot, typing) -> None:
    editor = typing.table.editor
    proposed = complete(qtbot, editor, "Every nod")
    assert proposed.startswith("e ") and editor.toPlainText() == "Every nod"
    QTest.keyClick(editor, Qt.Key.Key_Right, CONTROL)
    assert editor.toPlainText() == "Every node"
    qtbot.waitUntil(lambda: editor.ghost.endswith("."), timeout=30000)
    rest = editor.ghost
    assert proposed == "e" + rest[: len(proposed) - 1]
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText() == "Every node" + rest
    assert typing.table.current_segment.target == "Every node" + rest
    assert editor.hasFocus() and not editor.ghost


def test_completions_follow_confirmed_text(qtbot, typing) -> None:
    first = typing.model.segment(0)
    typing.controller.editing.type_text(first.id, "The register keeps every transaction.")
    typing.controller.editing.confirm(first.id)
    proposed = complete(qtbot, typing.table.editor, "Every node reads the")
    assert proposed.startswith(" register")


def test_completions_are_hidden_by_other_actions(qtbot, typing) -> None:
    editor = typing.table.editor
    complete(qtbot, editor, "Every nod")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert not editor.ghost and editor.toPlainText() == "Every nod"
    QTest.qWait(300)
    assert not editor.ghost  # a rejected completion does not return
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText() == "Every nod" and editor.hasFocus()
    complete(qtbot, editor, "e")
    QTest.keyClick(editor, Qt.Key.Key_Left)
    assert not editor.ghost
    QTest.keyClick(editor, Qt.Key.Key_End)
    complete(qtbot, editor, " r")
    QApplication.sendEvent(editor, QInputMethodEvent("ni", []))
    assert not editor.ghost
    QApplication.sendEvent(editor, QInputMethodEvent())
    assert editor.toPlainText() == "Every node r"


def test_a_completion_is_never_part_of_the_text(qtbot, typing) -> None:
    editor = typing.table.editor
    complete(qtbot, editor, "Every nod")
    assert typing.table.current_segment.target == "Every nod"
    editor.selectAll()
    editor.copy()
    assert QApplication.clipboard().text() == "Every nod"
    QTest.keyClick(editor, Qt.Key.Key_Return, CONTROL)
    assert typing.model.segment(1).target == "Every nod"
    assert not editor.ghost
    typing.actions_by_name["undo"].trigger()


def test_completions_can_be_switched_off(qtbot, typing, make_window) -> None:
    editor = typing.table.editor
    complete(qtbot, editor, "Every nod")
    choice = next(each for each in typing.findChildren(QAction) if "while typing" in each.text())
    choice.trigger()
    assert not editor.ghost
    QTest.keyClicks(editor, "e")
    QTest.qWait(300)
    assert not editor.ghost
    assert not make_window(None).of(Drafting).completer.is_on
