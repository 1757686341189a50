"""Misspelt words in the editor: marked, fixed, added to the dictionary, ignored."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextCharFormat
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from anaphora.features.spelling.feature import Spelling
from anaphora.system.locations import own_words_path

WAVE = QTextCharFormat.UnderlineStyle.WaveUnderline


def marked(editor) -> list[str]:
    return [
        selection.cursor.selectedText()
        for selection in editor.extraSelections()
        if selection.format.underlineStyle() is WAVE
    ]


@pytest.fixture
def misspelt(qtbot, make_real_window, tmp_path, drafted):
    """A window on the real engine with two misspelt words in its first segment."""
    document = tmp_path / "账本.zh.txt"
    document.write_text("账本保存每个交易。\n每个节点读取账本。\n", encoding="utf-8")
    window = make_real_window(document)
    drafted(window)
    editor = window.table.editor
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, "The ledgr keeps evry transaction.")
    qtbot.waitUntil(lambda: marked(editor) == ["ledgr", "evry"], timeout=30000)
    return window


def choose_at(window, offset: int, text: str) -> None:
    """Choose an entry of the context menu at a place in the editor."""
    editor = window.table.editor
    cursor = editor.textCursor()
    cursor.setPosition(offset)
    editor.customContextMenuRequested.emit(editor.cursorRect(cursor).center())
    (menu,) = (each for each in window.table.findChildren(QMenu) if each.isVisible())
    next(each for each in menu.actions() if each.text() == text).trigger()
    menu.close()


def test_a_misspelt_word_is_fixed_from_the_menu(qtbot, misspelt) -> None:
    editor = misspelt.table.editor
    qtbot.waitUntil(lambda: misspelt.of(Spelling).service.suggestions("ledgr") is not None, timeout=30000)
    choose_at(misspelt, 6, "ledger")
    assert misspelt.table.current_segment.target == "The ledger keeps evry transaction."
    qtbot.waitUntil(lambda: marked(editor) == ["evry"], timeout=30000)
    misspelt.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: marked(editor) == ["ledgr", "evry"], timeout=30000)


def test_words_are_added_and_ignored(qtbot, misspelt) -> None:
    editor = misspelt.table.editor
    choose_at(misspelt, 6, "Add “ledgr” to the dictionary")
    qtbot.waitUntil(lambda: marked(editor) == ["evry"], timeout=30000)
    assert own_words_path().read_text("utf-8") == "ledgr\n"
    choose_at(misspelt, 18, "Ignore “evry” in this project")
    qtbot.waitUntil(lambda: marked(editor) == [], timeout=30000)

    # The project ignores the word until the user marks it again.
    path = misspelt.controller.path
    misspelt.controller.close()
    misspelt.opener.open(path)
    qtbot.waitUntil(lambda: misspelt.session is not None, timeout=30000)
    service = misspelt.of(Spelling).service
    with qtbot.waitSignal(service.checked, timeout=30000):
        editor.setFocus()
    assert marked(editor) == [] and service.is_ignored("Evry")
    choose_at(misspelt, 18, "Stop ignoring “evry”")
    qtbot.waitUntil(lambda: marked(editor) == ["evry"], timeout=30000)


def in_edit_menu(window, text: str):
    edit = next(each for each in window.menuBar().actions() if "Edit" in each.text().replace("&", ""))
    return next(each for each in edit.menu().actions() if each.text().replace("&", "") == text)


def test_american_or_british_spelling_is_chosen(qtbot, misspelt, make_window) -> None:
    editor = misspelt.table.editor
    editor.selectAll()
    QTest.keyClicks(editor, "The color and the colour of it.")
    qtbot.waitUntil(lambda: marked(editor) == [], timeout=30000)
    for text, wrong in (("British", "color"), ("American", "colour")):
        choices = in_edit_menu(misspelt, "English spelling").menu().actions()
        next(each for each in choices if each.text().replace("&", "") == text).trigger()
        qtbot.waitUntil(lambda: marked(editor) == [wrong], timeout=30000)  # noqa: B023
    choices = in_edit_menu(make_window(None), "English spelling").menu().actions()
    assert [each.text() for each in choices if each.isChecked()] == ["&American"]


def test_spell_checking_can_be_switched_off(misspelt, make_window) -> None:
    in_edit_menu(misspelt, "Check spelling").trigger()
    assert marked(misspelt.table.editor) == []
    assert not make_window(None).of(Spelling).is_on
