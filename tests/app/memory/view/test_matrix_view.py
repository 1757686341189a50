"""The matrix of memory slots or source words by output words."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.memory.view.columns import effect_text
from anaphora.memory.view.matrix_view import CELL_HEIGHT, CELL_WIDTH, Matrix, MatrixView
from anaphora.views.appearance.theme import Theme, ThemeChoice


def test_a_selected_column_shows_its_strongest_cell(qtbot) -> None:
    view = MatrixView(Theme(cast(QApplication, QApplication.instance())))
    qtbot.addWidget(view)
    size = 40
    shares = tuple(tuple(float(row == column) for column in range(size)) for row in range(size))
    view.show_matrix(Matrix(tuple("r" * size), tuple("c" * size), shares, "", ""))
    view.resize(90, 40)
    view.select_column(size - 1)  # in a tab that was never shown
    view.show()
    view.resize(400, 260)
    for column in (size - 1, 20, 0):
        if column != size - 1:
            view.select_column(column)
        origin = view._origin()
        top, left = origin.y() + column * CELL_HEIGHT, origin.x() + column * CELL_WIDTH
        assert view._top() - 1 <= top <= view.viewport().height() - CELL_HEIGHT + 1
        assert view._left() - 1 <= left <= view.viewport().width() - CELL_WIDTH + 1


def test_effects_too_small_to_see_have_no_sign() -> None:
    assert [effect_text(each) for each in (None, -0.001, 0.004, 0.25, -0.25)] == [
        "",
        "0.00",
        "0.00",
        "+0.25",
        "−0.25",
    ]


SHARES = ((0.05, 0.5, 0.0, 0.2), (0.4, 0.25, 0.0, 0.1), (0.1, 0.0, 0.0, 0.3))


@pytest.fixture
def view(qtbot) -> MatrixView:
    """Three rows by four columns, with room for all of them and for nothing to be scrolled."""
    made = MatrixView(Theme(cast(QApplication, QApplication.instance()), ThemeChoice.LIGHT))
    qtbot.addWidget(made)
    made.show_matrix(Matrix(("one", "two", "three"), ("a", "b", "c", "d"), SHARES, "Share", "Nothing"))
    made.resize(500, 300)
    made.show()
    QApplication.processEvents()
    return made


def cell(view: MatrixView, row: float, column: float) -> QPoint:
    """The middle of a cell; -1 is a place among the labels."""
    x = view._left() + (column + 0.5) * CELL_WIDTH
    return QPoint(round(x), round(view._top() + (row + 0.5) * CELL_HEIGHT))


def test_cells_and_labels_are_clicked_and_keys_step_through_the_columns(qtbot, view: MatrixView) -> None:
    columns: list[int] = []
    rows: list[int] = []
    view.column_chosen.connect(columns.append)
    view.row_chosen.connect(rows.append)
    left = Qt.MouseButton.LeftButton
    for row, column in ((0, 0), (2, 3), (-1, 1), (1, -1), (3, 0), (0, 4)):
        QTest.mouseClick(view.viewport(), left, pos=cell(view, row, column))
    assert columns == [0, 3, 1], "a label of a column, too; nothing beside the cells"
    for place in (cell(view, 0, 0), cell(view, 2, -1), cell(view, -1, 2), cell(view, 3, 1)):
        QTest.mouseDClick(view.viewport(), left, pos=place)
    assert rows == [0, 2]
    columns.clear()
    back, on = Qt.Key.Key_Left, Qt.Key.Key_Right
    for selected, key in ((-1, on), (0, back), (1, on), (3, on), (2, back)):
        view.select_column(selected)
        QTest.keyClick(view, key)
    QTest.keyClick(view, Qt.Key.Key_A)
    assert columns == [0, 0, 2, 3, 1]


def test_a_screen_reader_hears_the_three_strongest_of_a_column(view: MatrixView) -> None:
    view.select_column(0)
    assert view.accessibleDescription() == "a: two 40%, three 10%, one 5%"
    view.select_column(3)
    assert view.accessibleDescription() == "d: three 30%, one 20%, two 10%"
    view.select_column(4)
    assert view._column == -1
    view.select_column(-2)
    assert view._column == -1


def test_cells_have_the_colours_of_their_shares_and_the_selected_column_a_frame(view: MatrixView) -> None:
    colours = view._theme.colours

    def ground(row: int, column: int) -> str:
        place = cell(view, row, column) - QPoint(round(CELL_WIDTH) // 2 - 4, round(CELL_HEIGHT) // 2 - 5)
        return view.viewport().grab().toImage().pixelColor(place).name()

    for row, shares in enumerate(SHARES):
        for column, share in enumerate(shares):
            assert ground(row, column) == colours.heat(share / 0.5).name(), (row, column)

    def framed(column: int) -> bool:
        image, x = view.viewport().grab().toImage(), round(view._left() + column * CELL_WIDTH)
        near = (image.pixelColor(x + by, cell(view, 1, 0).y()).name() for by in (-1, 0, 1))
        return colours.edited in near

    assert not any(map(framed, range(5)))
    view.select_column(2)
    assert [framed(column) for column in range(5)] == [False, False, True, True, False]


def test_it_scrolls_as_far_as_there_is_something(view: MatrixView) -> None:
    across, down = view.horizontalScrollBar(), view.verticalScrollBar()
    assert across.maximum() == down.maximum() == 0
    assert (across.singleStep(), down.singleStep()) == (30, 24)
    view.resize(200, 100)
    QApplication.processEvents()
    assert (across.pageStep(), down.pageStep()) == (view.viewport().width(), view.viewport().height())
    assert down.maximum() == round(view._top() + 3 * CELL_HEIGHT + 14 - view.viewport().height()) > 0
    down.setValue(down.maximum())
    image = view.viewport().grab().toImage()
    last = QPoint(round(view._left()) + 4, view.viewport().height() - 14 - 5)
    if across.value() == 0:
        assert image.pixelColor(last).name() == view._theme.colours.heat(0.1 / 0.5).name()
    view.show_matrix(Matrix(empty="Nothing"))
    assert view._column == -1 and view._cell_at(QPointF(90, 90)) is None
