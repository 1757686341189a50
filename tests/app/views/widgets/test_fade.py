"""No row of the table looks cut at an edge: what goes on beyond it fades out."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor

from anaphora.views.widgets.fade import RowFade


def fades_of(window) -> dict[Qt.Edge, RowFade]:
    return {fade.edge: fade for fade in window.table.findChildren(RowFade)}


def test_rows_fade_out_where_an_edge_cuts_them(qtbot, make_window, tmp_path) -> None:
    document = tmp_path / "long.txt"
    document.write_text("".join(f"第{number}个句子比较长。\n" for number in range(80)), "utf-8")
    window = make_window(None, document)
    table = window.table
    qtbot.waitUntil(lambda: window.model.rowCount() == 80)
    fades, bar = fades_of(window), table.verticalScrollBar()
    table.go_to_row(0)
    qtbot.waitUntil(lambda: not fades[Qt.Edge.TopEdge].isVisible())
    table.go_to_row(40)
    bar.setValue(bar.value() + table.rowViewportPosition(table.rowAt(0)) + 9)
    upper = fades[Qt.Edge.TopEdge]
    qtbot.waitUntil(upper.isVisible)
    assert table.rowViewportPosition(table.rowAt(0)) < 0
    shown = QColor(table.grab().toImage().pixel(upper.pos() + QPoint(table.width() // 2, 0)))
    assert shown == QColor(window.services.theme.colours.window)
    bar.setValue(bar.value() + table.rowViewportPosition(table.rowAt(0)))
    qtbot.waitUntil(lambda: not upper.isVisible())
