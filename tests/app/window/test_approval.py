"""Approval of confirmed segments: by key, for several rows, undone, filtered, kept in the project."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from anaphora.core.project import DocumentInfo
from anaphora.core.segment import Status
from anaphora.editor.table.segment_model import Column, Role
from anaphora.editor.widgets.filter_chips import Shown
from anaphora.features.filter.feature import Filter
from anaphora.features.statistics.counting import count_documents
from anaphora.project.document.editing import NewText

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(make_window, document, drafted):
    """A window with three confirmed segments, the first of which is current."""
    result = make_window(None, document)
    drafted(result)
    choose_rows(result, 2)
    QTest.keyClick(result.table.editor, Qt.Key.Key_Return, CONTROL)
    assert result.status_line.currentMessage() == "3 of 3 confirmed"
    result.table.go_to_row(0)
    return result


def press(window, name: str) -> None:
    window.actions_by_name[name].trigger()


def approved(window) -> list[int]:
    return [row for row, each in enumerate(window.session.document) if each.state.approved]


def choose_rows(window, last: int) -> None:
    place = window.table.visualRect(window.model.index(last, Column.SOURCE)).center()
    QTest.mouseClick(window.table.viewport(), Qt.MouseButton.LeftButton, SHIFT, place)


def test_one_key_approves_and_goes_on_and_takes_an_approval_back(window):
    press(window, "approve")
    press(window, "approve")
    assert approved(window) == [0, 1] and window.table.currentIndex().row() == 2
    press(window, "previous")
    press(window, "approve")
    assert approved(window) == [0] and window.table.currentIndex().row() == 1
    press(window, "undo")
    assert approved(window) == [0, 1]
    press(window, "redo")
    assert approved(window) == [0]


def test_only_confirmed_segments_can_be_approved(window):
    window.table.go_to_row(5)
    press(window, "approve")
    assert approved(window) == []
    assert "confirmed" in window.status_line.currentMessage()


def test_selected_rows_are_approved_in_one_step(window):
    choose_rows(window, 5)
    assert window.table.currentIndex().row() == 0, "the current segment stays"
    press(window, "approve")
    assert approved(window) == [0, 1, 2]
    press(window, "undo")
    assert approved(window) == []
    press(window, "undo")
    assert {each.status for each in window.session.document} == {Status.DRAFT}
    press(window, "redo")
    press(window, "redo")
    choose_rows(window, 2)
    press(window, "approve")
    assert approved(window) == []


def test_the_menu_of_a_selected_row_acts_on_all_of_them(window):
    window.table.go_to_row(4)
    table, place = window.table, window.table.visualRect(window.model.index(3, Column.SOURCE)).center()
    choose_rows(window, 1)
    QTest.mouseMove(table.viewport(), place)
    QTest.mouseClick(table.viewport(), Qt.MouseButton.RightButton, pos=place)
    menu = QMenu()
    window.context_menus.fill_row_menu(menu)
    offered = [action for action in menu.actions() if action is window.actions_by_name["approve"]]
    assert len(offered) == 1 and window.actions_by_name["unconfirm"] not in menu.actions()
    offered[0].trigger()
    assert approved(window) == [1, 2] and table.currentIndex().row() == 4
    window.table.go_to_row(0)
    assert [each.id for each in table.selected_segments()] == [window.session.document.at(0).id]


def test_a_clicked_row_is_the_selected_one_although_the_rows_move(window):
    table = window.table
    table.go_to_row(6)
    for row in (3, 1, 7, 2, 5):
        place = table.visualRect(window.model.index(row, Column.TARGET)).center()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert table.currentIndex().row() == row
        assert [each.id for each in table.selected_segments()] == [table.current_segment.id]


def test_a_change_of_the_text_takes_the_approval_back_until_it_is_undone(window):
    first = window.session.document.at(0)
    changes = [
        lambda: QTest.keyClicks(window.table.editor, "x"),
        lambda: press(window, "unconfirm"),
        lambda: press(window, "clear"),
        lambda: press(window, "copy_source"),
        lambda: window.controller.editing.change_many(
            [NewText(first.id, first.target, "New.", keeps_confirmation=True)], "replacing", lambda _: None
        ),
    ]
    for change in changes:
        window.table.go_to_row(0)
        if not approved(window):
            press(window, "approve")
            window.table.go_to_row(0)
        change()
        assert approved(window) == []
        press(window, "undo")
        assert approved(window) == [0], "undone"


def test_approval_is_seen_heard_filtered_and_counted(qtbot, window):
    choose_rows(window, 1)
    press(window, "approve")
    state = window.model.index(1, Column.STATUS)
    assert state.data(Qt.ItemDataRole.ToolTipRole).startswith("Approved")
    assert state.data(Qt.ItemDataRole.AccessibleTextRole) == "Approved"
    assert "Approved" in window.table.card.accessibleName()
    chips = window.of(Filter).strip.chips

    def counted(shown: Shown, count: int) -> bool:
        return f"({count})" in chips.tabToolTip([*Shown].index(shown))

    qtbot.waitUntil(lambda: counted(Shown.APPROVED, 2) and counted(Shown.UNAPPROVED, 1), timeout=30000)
    window.controller.comments.add(window.session.document.at(1).id, "Why?")
    qtbot.waitUntil(lambda: counted(Shown.COMMENTED, 1), timeout=30000)
    filters = {"approved": [1, 2], "unapproved": [3], "confirmed": [1, 2, 3], "commented": [2]}
    for name, rows in filters.items():
        press(window, f"show_{name}")
        shown = [window.model.index(row, 0).data(Role.NUMBER) for row in range(window.model.rowCount())]
        assert shown == rows
    segments = list(window.session.document)
    (counts,) = count_documents(segments, [DocumentInfo(segments[0].document, "a", "", "", "", "", 0, 0, "")])
    assert (counts.approved, counts.by_status[Status.CONFIRMED]) == (2, 3)


def test_approvals_are_the_same_after_reopening_and_are_no_new_text(make_window, window, document):
    press(window, "approve")
    press(window, "approve")
    press(window, "previous")
    press(window, "approve")
    first = window.session.document.at(0)
    window.close()
    again = make_window(None, document)
    assert approved(again) == [0]
    history = again.controller.store.history(first.id)
    assert [each.status for each in history].count(Status.CONFIRMED) == 1
