"""The strip above the table: progress, filters, and changed drafts by keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from anaphora.core.draft_report import DraftReport
from anaphora.core.segment import SegmentState, Status
from anaphora.editor.table.segment_model import Role
from anaphora.editor.widgets.filter_chips import Shown
from anaphora.features.checks.feature import Checks
from anaphora.features.drafting.feature import Drafting
from anaphora.features.filter.feature import Filter
from anaphora.features.find.feature import Find
from anaphora.features.segments.feature import Segments

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(make_window, document, drafted):
    result = make_window(None, document)
    drafted(result)
    return result


def numbers(window) -> list[int]:
    return [window.model.index(row, 0).data(Role.NUMBER) for row in range(window.model.rowCount())]


def click_chip(window, shown: Shown) -> None:
    chips = window.of(Filter).strip.chips
    place = chips.tabRect([*Shown].index(shown)).center()
    QTest.mouseClick(chips, Qt.MouseButton.LeftButton, pos=place)


def is_at(window, number: int) -> bool:
    """True if the card shows this segment."""
    return window.table.card.source.accessibleName() == f"Source of segment {number}"


def confirm_with_keys(window, text: str = "") -> None:
    if text:
        window.table.editor.selectAll()
        QTest.keyClicks(window.table.editor, text)
    QTest.keyClick(window.table.editor, Qt.Key.Key_Return, CONTROL)


@pytest.mark.slow
def test_confirming_under_a_filter_moves_on_and_hides_nothing(qtbot, window):
    strip = window.of(Filter).strip
    confirm_with_keys(window)
    qtbot.waitUntil(lambda: "1 of 12 confirmed" in strip.progress.text(), timeout=30000)
    assert strip.chips.tabText([*Shown].index(Shown.UNCONFIRMED)).endswith("11")
    click_chip(window, Shown.UNCONFIRMED)
    assert numbers(window) == list(range(2, 13))
    assert window.table.current_segment is window.session.document.at(1)
    confirm_with_keys(window)
    assert numbers(window) == list(range(2, 13)) and is_at(window, 3)
    click_chip(window, Shown.UNCONFIRMED)
    assert numbers(window) == list(range(3, 13))
    click_chip(window, Shown.ALL)
    assert numbers(window) == list(range(1, 13)) and is_at(window, 3)


def test_the_arrow_keys_move_within_the_chips(qtbot, window):
    chips = window.of(Filter).strip.chips
    window.activateWindow()
    confirm_with_keys(window)
    qtbot.waitUntil(lambda: chips.tabText([*Shown].index(Shown.UNCONFIRMED)).endswith("11"), timeout=30000)
    chips.setFocus(Qt.FocusReason.TabFocusReason)
    for key, shown in ((Qt.Key.Key_Right, 11), (Qt.Key.Key_Left, 12), (Qt.Key.Key_Right, 11)):
        QTest.keyClick(chips, key)
        assert len(numbers(window)) == shown and chips.hasFocus()


def test_the_keyboard_stays_in_the_translation_when_a_chip_is_clicked(qtbot, window):
    offers = window.docks.suggestions.list
    window.activateWindow()
    confirm_with_keys(window)
    assert not offers.isVisible(), "the next segment has no translation"
    click_chip(window, Shown.UNCONFIRMED)
    assert window.focusWidget() is window.table.editor
    qtbot.waitUntil(offers.isVisible, timeout=30000)
    assert window.focusWidget() is window.table.editor


@pytest.mark.slow
def test_a_text_filters_both_sides_and_escape_shows_all_again(qtbot, window):
    window.actions_by_name["filter"].trigger()
    strip = window.of(Filter).strip
    assert window.focusWidget() is strip.needle
    strip.needle.insert("账本")
    wanted = [row + 1 for row, segment in enumerate(window.session.document) if "账本" in segment.source]
    qtbot.waitUntil(lambda: numbers(window) == wanted, timeout=30000)
    assert window.focusWidget() is strip.needle, "typing continues"
    assert [each.cursor.selectedText() for each in window.table.card.source.extraSelections()] == ["账本"]
    bar = window.of(Find).bar
    bar.open(False)
    bar.needle.setText("区块")
    qtbot.waitUntil(lambda: window.table.delegate.query == bar.query, timeout=30000)
    bar.close_bar()
    assert [each.cursor.selectedText() for each in window.table.card.source.extraSelections()] == ["账本"]
    strip.needle.setFocus()
    assert window.status_line.currentMessage() == f"Segments shown: {len(wanted)}"
    QTest.keyClick(strip.needle, Qt.Key.Key_Return)
    assert window.focusWidget() is window.table.editor
    strip.needle.setFocus()
    QTest.keyClick(strip.needle, Qt.Key.Key_Escape)
    assert numbers(window) == list(range(1, 13)) and window.focusWidget() is window.table.editor
    assert not window.table.card.source.extraSelections()


@pytest.mark.slow
def test_the_menu_shows_the_segments_of_a_state(window):
    window.table.editor.type_text("!")
    strip, actions = window.of(Filter).strip, window.actions_by_name
    for name, shown in (
        ("edited", [1]),
        ("drafted", list(range(2, 13))),
        ("locked", []),
        ("all", list(range(1, 13))),
    ):
        actions[f"show_{name}"].trigger()
        assert numbers(window) == shown and strip.chips.isTabVisible(strip.chips.currentIndex())


@pytest.mark.slow
def test_an_empty_filter_is_reported_and_the_rail_is_empty(qtbot, window):
    strip, table, offers = window.of(Filter).strip, window.table, window.docks.suggestions.list
    qtbot.waitUntil(offers.isVisible, timeout=30000)
    strip.needle.setFocus()
    QTest.keyClicks(strip.needle, "zzzz")
    qtbot.waitUntil(lambda: numbers(window) == [], timeout=30000)
    assert table.empty_note.isVisible() and table.rect().contains(table.empty_note.geometry())
    assert not offers.isVisible() and window.of(Drafting).suggester.offers == ()
    QTest.keyClick(strip.needle, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: len(numbers(window)) == 12, timeout=30000)
    assert not table.empty_note.isVisible() and table.editor.hasFocus()
    qtbot.waitUntil(offers.isVisible, timeout=30000)


def test_going_to_a_hidden_segment_shows_all(window):
    window.of(Filter).controller.show(Shown.ALL, "账本")
    hidden = next(segment for segment in window.session.document if "账本" not in segment.source)
    window.table.go_to_segment(hidden.id)
    assert window.table.current_segment.id == hidden.id and not window.model.is_filtered
    assert window.of(Filter).strip.chips.chosen is Shown.ALL


@pytest.mark.slow
def test_joining_under_a_filter_shows_all_and_can_be_undone(qtbot, make_window, tmp_path, drafted):
    path = tmp_path / "节点.zh.txt"
    path.write_text("模型很大。\n节点读取账本。节点保存账本。\n", encoding="utf-8")
    window = make_window(None, path)
    drafted(window)
    window.of(Filter).controller.show(Shown.ALL, "读取")
    assert numbers(window) == [2]
    before = [segment.source for segment in window.session.document]
    window.of(Segments).resegmentation.merge()
    qtbot.waitUntil(lambda: len(window.session.document) == 2, timeout=30000)
    assert not window.model.is_filtered and window.model.rowCount() == 2
    window.actions_by_name["undo"].trigger()
    assert [segment.source for segment in window.session.document] == before and len(before) == 3


def test_changed_drafts_are_counted_marked_and_visited_by_a_key(qtbot, window):
    session = window.session
    first, second = session.document.at(5), session.document.at(8)
    session.set_states(
        {
            first.id: SegmentState("Another draft.", Status.DRAFT),
            second.id: SegmentState("And another.", Status.DRAFT),
        }
    )
    strip = window.of(Filter).strip
    chips = strip.chips
    changed = [*Shown].index(Shown.CHANGED)
    qtbot.waitUntil(lambda: chips.tabText(changed) == "Changed  2", timeout=30000)
    assert window.model.index(5, 0).data(Role.CHANGED)
    assert "the draft has changed" in window.model.index(5, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    QTest.keyClick(window.table.editor, Qt.Key.Key_F4)
    assert window.table.current_segment.id == first.id
    section = window.docks.rail.section("change")
    assert section.isVisible() and "Another draft." in window.docks.change.text.text()
    qtbot.waitUntil(lambda: chips.tabText(changed) == "Changed  1", timeout=30000)
    QTest.keyClick(window.table.editor, Qt.Key.Key_F4)
    assert window.table.current_segment.id == second.id
    QTest.keyClick(window.table.editor, Qt.Key.Key_F4)
    assert window.table.current_segment.id == second.id
    assert "No drafts have changed" in window.status_line.currentMessage()
    qtbot.waitUntil(lambda: not chips.isTabVisible(changed), timeout=30000)
    window.table.go_to_row(0)
    assert not section.isVisible()


def test_the_confirmation_that_changed_a_draft_is_shown_as_the_cause(qtbot, window):
    rows = [row for row in range(12) if "账本" in window.model.segment(row).source]
    window.table.go_to_row(rows[0])
    confirm_with_keys(window, "The account book keeps each transaction.")
    qtbot.waitUntil(lambda: len(window.of(Drafting).changed_drafts) > 0, timeout=30000)
    QTest.keyClick(window.table.editor, Qt.Key.Key_F4)
    assert f"segment {rows[0] + 1}" in window.docks.change.text.text()


def test_issues_are_filtered_and_f8_never_stops_at_a_locked_segment(qtbot, window):
    locked, open_ = window.session.document.at(3), window.session.document.at(6)
    report = DraftReport(warnings=("A number is missing: 5",))
    states = {locked.id: SegmentState("", Status.LOCKED, report)}
    states[open_.id] = SegmentState(open_.target, Status.DRAFT, report)
    window.session.set_states(states)
    qtbot.waitUntil(lambda: window.of(Checks).service.is_complete, timeout=20000)
    window.table.go_to_row(0)
    QTest.keyClick(window.table.editor, Qt.Key.Key_F8)
    assert window.table.current_segment.id == open_.id
    assert "A number is missing" in window.table.card.remarks.text()
    window.of(Filter).controller.show(Shown.ISSUES)
    assert numbers(window) == [7]


@pytest.mark.slow
def test_the_last_confirmation_shows_the_remaining_work(qtbot, window):
    session = window.session
    window.table.go_to_row(11)
    confirm_with_keys(window)
    assert "not confirmed" in window.status_line.currentMessage() and is_at(window, 12)
    rest = {session.document.at(row).id: SegmentState("Done.", Status.CONFIRMED) for row in range(11)}
    session.set_states(rest)
    confirm_with_keys(window)
    assert window.status_line.currentMessage() == "All segments are confirmed."
