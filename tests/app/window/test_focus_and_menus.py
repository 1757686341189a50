"""Context menus and the focus: no typed text is lost, and every part can be reached by a key."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from anaphora.features.filter.feature import Filter
from anaphora.features.tm.feature import Tm


@pytest.fixture
def window(make_window, document, drafted):
    result = make_window(None, document)
    drafted(result)
    return result


def entries(menu: QMenu) -> dict[str, bool]:
    """The entries of a menu without their mnemonics, and whether they can be chosen."""
    return {name_of(each): each.isEnabled() for each in menu.actions() if each.text()}


def name_of(entry: QAction) -> str:
    return entry.text().partition("\t")[0].replace("&", "")


def test_the_editors_menu_and_the_toolbar_undo_the_same(window):
    menu = QMenu()
    window.context_menus.fill_target_menu(menu)
    assert not entries(menu)["Undo"] and not entries(menu)["Cut"] and entries(menu)["Select All"]
    before = window.session.document.at(0)
    QTest.keyClicks(window.table.editor, "typed ")
    menu = QMenu()
    window.context_menus.fill_target_menu(menu)
    undo = next(each for each in menu.actions() if each.text() == window.actions_by_name["undo"].text())
    assert undo is window.actions_by_name["undo"] and undo.isEnabled()
    undo.trigger()
    assert window.session.document.at(0) == before


def test_the_sources_menu_copies_and_looks_up(window):
    source = window.table.card.source
    menu = QMenu()
    window.context_menus.fill_source_menu(menu)
    assert not entries(menu)["Copy"] and "Undo" not in entries(menu) and "Paste" not in entries(menu)
    next(each for each in menu.actions() if name_of(each) == "Select All").trigger()
    menu = QMenu()
    window.context_menus.fill_source_menu(menu)
    next(each for each in menu.actions() if name_of(each) == "Copy").trigger()
    assert QApplication.clipboard().text() == window.session.document.at(0).source
    window.actions_by_name["concordance"].trigger()
    assert window.of(Tm).panel.needle.text() == source.selected_text()


def test_a_right_click_on_a_row_makes_it_the_current_one_and_opens_its_menu(qtbot, window):
    table = window.table
    place = table.visualRect(table.model().index(3, 1)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, place)
    assert table.currentIndex().row() == 3
    table.customContextMenuRequested.emit(place)
    menus = [each for each in table.findChildren(QMenu) if each.isVisible()]
    assert len(menus) == 1 and "Confirm and go to next" in entries(menus[0])
    menus[0].close()


def test_tab_stays_in_the_editor_and_changes_nothing(window):
    editor = window.table.editor
    before = window.session.document.at(0)
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        QTest.keyClick(editor, key)
        assert window.focusWidget() is editor
    assert window.session.document.at(0) == before


def test_f10_opens_the_first_menu(window, qtbot) -> None:
    bar = window.menuBar()
    QTest.keyClick(window.table.editor, Qt.Key.Key_F10)
    first = bar.actions()[0]
    qtbot.waitUntil(lambda: bar.activeAction() is first and first.menu().isVisible(), timeout=10000)
    first.menu().close()


def accessible_text(widget: QWidget) -> str:
    """The name of a widget for screen readers."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def test_f6_goes_through_the_parts_and_back(window):
    editor, card = window.table.editor, window.table.card
    QTest.keyClick(editor, Qt.Key.Key_F6)
    assert window.focusWidget() is card.source
    seen = set()
    for _ in range(6):
        focused = window.focusWidget()
        seen.add("rail" if window.docks.rail.isAncestorOf(focused) else focused.objectName())
        if window.of(Filter).strip.isAncestorOf(focused):
            seen.add("strip")
        # Everything focusable shows the focus and has a name.
        assert focused.focusPolicy() & Qt.FocusPolicy.TabFocus and accessible_text(focused), focused
        window.actions_by_name["next_part"].trigger()
    assert {"sourceView", "segmentEditor", "strip"} <= seen
    editor.setFocus()
    window.actions_by_name["previous_part"].trigger()
    window.actions_by_name["next_part"].trigger()
    assert window.focusWidget() is editor


@pytest.mark.slow
def test_only_letters_typed_in_the_table_reach_the_translation(qtbot, window):
    qtbot.waitUntil(window.docks.suggestions.list.isVisible, timeout=30000)
    editor, target = window.table.editor, window.session.document.at(0).target
    confirm = window.table.card.confirm
    confirm.setFocus()
    QTest.keyClick(confirm, Qt.Key.Key_X)
    assert editor.toPlainText() == f"x{target}" and editor.hasFocus()
    for elsewhere in (window.of(Filter).strip.chips, window.docks.suggestions.list):
        elsewhere.setFocus()
        QTest.keyClick(elsewhere, Qt.Key.Key_X)
        assert editor.toPlainText() == f"x{target}" and elsewhere.hasFocus(), elsewhere
