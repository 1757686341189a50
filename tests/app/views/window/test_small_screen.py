"""The window fits a screen of 1280×720 at 125 %, and one on which a larger layout was saved."""

from __future__ import annotations

from PySide6.QtCore import QSize

SMALL = QSize(1024, 576)
"""What is left of 1280×720 pixels at 125 %."""


def test_everything_fits_a_small_screen(qtbot, make_window, document) -> None:
    window = make_window(None, document, False)
    window.docks.show_dock("documents", False)
    window.resize(SMALL)
    qtbot.waitUntil(lambda: window.width() <= SMALL.width(), timeout=5000)
    least = window.minimumSizeHint()
    assert least.width() <= SMALL.width() and least.height() <= SMALL.height(), least
    table = window.table
    assert table.viewport().height() > 300 and table.card.isVisible()
    qtbot.waitUntil(lambda: table.viewport().rect().contains(table.card.geometry()), timeout=5000)
