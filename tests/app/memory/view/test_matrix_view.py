"""The matrix of memory slots or source words by output words."""

from __future__ import annotations

from typing import cast

from PySide6.QtWidgets import QApplication

from anaphora.memory.view.columns import effect_text
from anaphora.memory.view.matrix_view import CELL_HEIGHT, CELL_WIDTH, Matrix, MatrixView
from anaphora.views.appearance.theme import Theme


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
