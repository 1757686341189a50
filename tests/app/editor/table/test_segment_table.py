"""The table with many segments, of which only visible ones are laid out."""

from __future__ import annotations

from typing import Any, cast

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.core.document import Document
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.table.segment_delegate import PADDING_X, PADDING_Y
from anaphora.editor.table.segment_model import Column, Role, SegmentModel
from anaphora.editor.table.segment_table import SegmentTable
from anaphora.project.document.session import DocumentSession

COUNT = 10_000


@pytest.fixture
def table(qtbot) -> Any:
    states = [SegmentState(f"{row} word" * (row % 60 + 1), Status.DRAFT) for row in range(COUNT)]
    segments = [Segment(str(row), f"第{row}句" * (row % 7 + 1), states[row]) for row in range(COUNT)]
    model = SegmentModel()
    result: Any = SegmentTable(model, Theme(cast(QApplication, QApplication.instance())))
    result.session = DocumentSession("d", Document("d", segments))
    result.model_held = model
    qtbot.addWidget(result)
    result.resize(900, 600)
    result.show()
    model.set_session(result.session)
    return result


def test_opening_lays_out_only_visible_rows(table, qtbot):
    table.go_to_row(0)
    qtbot.wait(50)
    assert 5 < len(table.heights.measured) < 60


def in_view(table: Any, widget: Any) -> QRect:
    """The position of a part of the card in the table's viewport."""
    return QRect(widget.mapTo(table.viewport(), QPoint(0, 0)), widget.size())


def test_a_distant_row_is_shown_completely_with_the_card(table, qtbot):
    for row in (COUNT - 1, 0, 5_039, 4_321):
        table.go_to_row(row)
        qtbot.wait(20)
        rect = table.visualRect(table.model().index(row, 3))
        assert rect.top() >= 0 and rect.bottom() <= table.viewport().height()
        whole = rect.united(table.visualRect(table.model().index(row, 0)))
        assert whole.contains(in_view(table, table.card))
        assert in_view(table, table.card).contains(in_view(table, table.editor))
        segment = table.session.document.at(row)
        assert table.editor.toPlainText() == segment.target
        assert table.card.source.toPlainText() == segment.source
        assert table.editor.viewport().height() >= table.editor.text_height()
        assert table.card.source.viewport().height() >= table.card.source.text_height()
    assert len(table.heights.measured) < 300


def test_the_card_keeps_its_height_without_space_above_the_first_row(table, qtbot):
    for row in (0, 1):
        table.go_to_row(row)
        qtbot.waitUntil(lambda: table.rowViewportPosition(0) == 0, timeout=10000)
    tops = set()
    for row in (100, 700, 701, COUNT - 2, COUNT - 1):
        table.go_to_row(row)
        qtbot.wait(20)
        card = in_view(table, table.card)
        height = table.viewport().height()
        if card.height() < height * 0.6:
            tops.add(card.top())
            assert 0.3 < card.center().y() / height < 0.6
    assert len(tops) == 1


def test_the_card_stays_when_rows_above_it_or_the_window_change(table, qtbot):
    table.go_to_row(700)
    qtbot.wait(20)
    top = in_view(table, table.card).top()
    table.session.set_states({"698": SegmentState("a longer draft than there was before " * 9, Status.DRAFT)})
    qtbot.wait(30)
    assert in_view(table, table.card).top() == top
    table.resize(1200, 500)
    qtbot.wait(50)
    room = table.viewport().height()
    assert abs(in_view(table, table.card).top() / room - top / 600) < 0.05


@pytest.mark.slow
def test_scrolling_away_from_the_card_lasts_until_typing(table, qtbot):
    table.go_to_row(700)
    qtbot.wait(20)
    bar = table.verticalScrollBar()
    bar.triggerAction(bar.SliderAction.SliderPageStepAdd)
    bar.triggerAction(bar.SliderAction.SliderPageStepAdd)
    table.session.set_states({"5": SegmentState("another draft", Status.DRAFT)})
    qtbot.wait(30)
    assert in_view(table, table.card).bottom() < 0
    QTest.keyClicks(table.editor, "x")
    qtbot.wait(20)
    assert in_view(table, table.card).top() >= 0


def test_a_click_on_a_word_of_another_row_puts_the_caret_there(table, qtbot):
    table.go_to_row(700)
    qtbot.wait(20)
    index = table.model().index(701, 3)
    rect = table.visualRect(index)
    word = table.session.document.at(701).target.index("701 word", 10)
    laid_out = table.delegate.lay_out(table.session.document.at(701), Column.TARGET, rect.width())
    line = laid_out.layout.lineForTextPosition(word)
    x, _ = line.cursorToX(word)
    point = QPoint(rect.left() + PADDING_X + round(x), rect.top() + PADDING_Y + round(line.y()) + 6)
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)
    assert table.editor.segment_id == "701" and table.editor.caret == word


def test_the_source_can_be_copied_by_keys_and_typed_text_goes_to_the_target(table, qtbot):
    table.go_to_row(3)
    source = table.card.source
    source.setFocus()
    QTest.keyClick(source, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(source, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == table.session.document.at(3).source
    QTest.keyClicks(source, "x")
    assert table.editor.toPlainText().startswith("x3 word")
    assert source.toPlainText() == table.session.document.at(3).source


def test_the_view_does_not_jump_while_scrolling_up(table, qtbot):
    table.go_to_row(3_000)
    qtbot.wait(20)
    bar = table.verticalScrollBar()
    for _ in range(40):
        row = table.rowAt(table.viewport().height() // 2)
        before = table.rowViewportPosition(row)
        bar.setValue(bar.value() - 40)
        assert abs(table.rowViewportPosition(row) - before - 40) <= 1


def test_a_longer_text_makes_its_row_taller(table, qtbot):
    table.go_to_row(0)
    qtbot.wait(20)
    before = table.rowHeight(0)
    table.session.set_states({"0": SegmentState("a long translation " * 30, Status.EDITED)})
    qtbot.waitUntil(lambda: table.rowHeight(0) > before + 100, timeout=30000)
    assert table.editor.viewport().height() >= table.editor.text_height()


def test_the_card_of_a_doubtful_draft_is_tinted_like_its_row(table, qtbot):
    model, card, unsure = table.model_held, table.card, {"3"}
    model.provide(Role.UNSURE, lambda key: key in unsure)

    def is_tinted() -> bool:
        QApplication.processEvents()
        return card.editor.grab().toImage().pixelColor(card.editor.width() - 12, 12) == tint

    table.go_to_row(2)
    corner = table.visualRect(model.index(3, Column.TARGET)).topRight()
    tint = table.viewport().grab().toImage().pixelColor(corner + QPoint(-12, 4))
    assert card.state.text() == "Machine draft" and not is_tinted()
    table.go_to_row(3)
    assert card.state.text() == "Machine draft, low confidence" and is_tinted()
    assert card.editor.accessibleName() == "Translation of segment 4, Machine draft, low confidence"
    index = model.index(3, Column.NUMBER)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Segment 4, Machine draft, low confidence"
    unsure.clear()
    model.refresh(("3",))
    assert card.state.text() == "Machine draft" and not is_tinted()
