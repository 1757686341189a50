"""The table with many segments: only what is looked at is laid out."""

from __future__ import annotations

from typing import Any, cast

import pytest
from PySide6.QtWidgets import QApplication

from anaphora.core.document import Document
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.models.segment_model import SegmentModel
from anaphora.services.session import DocumentSession
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.segment_table import SegmentTable

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


def test_opening_lays_out_what_is_in_view(table, qtbot):
    table.go_to_row(0)
    qtbot.wait(50)
    assert 5 < len(table._measured) < 60


def test_a_far_row_is_reached_whole_with_the_editor_on_it(table, qtbot):
    for row in (COUNT - 1, 0, 5_039, 4_321):
        table.go_to_row(row)
        qtbot.wait(20)
        rect = table.visualRect(table.model().index(row, 3))
        assert rect.top() >= 0 and rect.bottom() <= table.viewport().height()
        assert table.editor.geometry().topLeft() == rect.topLeft()
        assert table.editor.toPlainText() == table.session.document.at(row).target
        needed = table.delegate.row_height(
            table.session.document.at(row), table.columnWidth(1), table.columnWidth(3)
        )
        assert rect.height() >= needed
    assert len(table._measured) < 300


def test_what_is_in_view_does_not_jump_while_scrolling_up(table, qtbot):
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
    qtbot.waitUntil(lambda: table.rowHeight(0) > 2 * before, timeout=3000)
    assert table.editor.height() >= table.rowHeight(0) - 2


def test_there_is_one_editor_for_all_rows(table, qtbot):
    from anaphora.views.widgets.segment_editor import SegmentEditor

    for row in range(0, 500, 50):
        table.go_to_row(row)
    assert len(table.findChildren(SegmentEditor)) == 1
