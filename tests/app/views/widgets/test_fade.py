"""No row of the table looks cut at an edge: what goes on beyond it fades out."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPalette, QRegion, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QScrollArea, QTableView, QWidget

from anaphora.views.widgets.fade import HEIGHT, Fade, RowFade

EDGES = (Qt.Edge.TopEdge, Qt.Edge.BottomEdge)


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


@pytest.mark.parametrize("edge", EDGES, ids=lambda edge: edge.name)
def test_what_follows_fades_evenly_towards_the_edge_over_the_whole_width(qtbot, edge: Qt.Edge) -> None:
    area = QScrollArea()
    qtbot.addWidget(area)
    area.resize(900, 200)
    area.show()
    fade = Fade(area, edge)
    palette = fade.palette()
    palette.setColor(QPalette.ColorRole.Base, QColor("white"))
    fade.setPalette(palette)
    image = QImage(fade.size(), QImage.Format.Format_RGB32)
    image.fill(QColor("black"))
    fade.render(image, QPoint(), QRegion(), QWidget.RenderFlag(0))
    places = (0, fade.width() // 2, fade.width() - 1)
    rows = [[image.pixelColor(x, y).red() for x in places] for y in range(HEIGHT)]
    if edge is Qt.Edge.BottomEdge:
        rows.reverse()
    for number, row in enumerate(rows):
        share = 1 - (number + 0.5) / HEIGHT
        assert row == pytest.approx([255 * share] * len(places), abs=2), f"row {number} from the edge"


def table_of(qtbot, rows: int, row_height: int, height: int) -> QTableView:
    table = QTableView()
    qtbot.addWidget(table)
    model = QStandardItemModel(table)
    for number in range(rows):
        model.appendRow(QStandardItem(str(number)))
    table.setModel(model)
    table.horizontalHeader().hide()
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().setDefaultSectionSize(row_height)
    table.resize(300, height + 2 * table.frameWidth())
    table.show()
    assert table.viewport().height() == height
    return table


def test_a_row_is_cut_only_where_some_of_it_is_beyond_the_edge(qtbot) -> None:
    table = table_of(qtbot, rows=10, row_height=40, height=120)
    ended = False
    upper, lower = RowFade(table, EDGES[0]), RowFade(table, EDGES[1], lambda: ended)
    bar = table.verticalScrollBar()
    seen = {}
    for value in (0, 1, 39, 40, 41, bar.maximum() - 1, bar.maximum()):
        bar.setValue(value)
        seen[value] = (upper.has_more(), lower.has_more())
    whole = (False, False)
    both = (True, True)
    assert seen == {0: whole, 1: both, 39: both, 40: whole, 41: both, 279: both, 280: whole}
    bar.setValue(41)
    ended = True
    assert (upper.has_more(), lower.has_more()) == (True, False), "something else ends the row there"


def test_an_empty_table_and_one_that_does_not_fill_its_place_fade_nowhere(qtbot) -> None:
    for rows in (0, 2):
        table = table_of(qtbot, rows=rows, row_height=40, height=120)
        assert not any(RowFade(table, edge).has_more() for edge in EDGES)


def test_a_page_fades_at_the_edges_beyond_which_it_goes_on(qtbot) -> None:
    area, page = QScrollArea(), QWidget()
    qtbot.addWidget(area)
    page.resize(200, 1000)
    area.setWidget(page)
    area.resize(300, 200)
    upper, lower = (Fade(area, edge) for edge in EDGES)
    area.show()
    seen, bar = area.viewport().geometry(), area.verticalScrollBar()
    shown = {}
    for value in (0, 1, bar.maximum() - 1, bar.maximum()):
        bar.setValue(value)
        shown[value] = (upper.isVisible(), lower.isVisible())
    assert [*shown.values()] == [(False, True), (True, True), (True, True), (True, False)]
    assert upper.geometry() == QRect(seen.left(), seen.top(), seen.width(), HEIGHT)
    assert lower.geometry() == QRect(seen.left(), seen.bottom() + 1 - HEIGHT, seen.width(), HEIGHT)
    assert (upper.objectName(), lower.objectName()) == ("upperFade", "lowerFade"), (
        "the style sheet knows them"
    )
    bar.setValue(100)
    area.activateWindow()
    area.setFocus()
    qtbot.waitUntil(lambda: area.hasFocus() and not upper.isVisible() and not lower.isVisible())
    area.clearFocus()
    qtbot.waitUntil(lambda: upper.isVisible() and lower.isVisible())
