"""Lists with rich text: what stands beside high rows stands beside their first line."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHeaderView, QTreeWidgetItem

from anaphora.views.appearance.theme import Theme, ThemeChoice
from anaphora.views.widgets.html_delegate import html_list, set_html


def test_a_box_stands_beside_the_first_line_and_is_ticked_there(qtbot) -> None:
    theme = Theme(cast(QApplication, QApplication.instance()), ThemeChoice.LIGHT)
    rows = html_list(theme, "Changes", ("No.", "Change"), 80, QHeaderView.ResizeMode.Fixed)
    qtbot.addWidget(rows)
    rows.resize(300, 400)
    item = QTreeWidgetItem(["1", ""])
    item.setCheckState(0, Qt.CheckState.Checked)
    set_html(item, 1, "words", "words " * 100)
    rows.addTopLevelItem(item)
    rows.show()
    QApplication.processEvents()
    row = rows.visualItemRect(item)
    assert row.height() > 150

    def click(down: int) -> Qt.CheckState:
        place = QPoint(row.left() + 14, row.top() + down)
        QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        return item.checkState(0)

    def accent(top: int, bottom: int) -> bool:
        image = rows.viewport().grab().toImage()
        ground = theme.colours.accent
        return any(
            image.pixelColor(x, y).name() == ground
            for x in range(30)
            for y in range(row.top() + top, row.top() + bottom)
        )

    assert accent(0, 30) and not accent(40, row.height())
    assert click(row.height() // 2) is Qt.CheckState.Checked
    assert click(14) is Qt.CheckState.Unchecked
