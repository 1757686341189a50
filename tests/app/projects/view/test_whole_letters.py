"""Names in letters that another font lends, as Chinese ones mostly are, are painted whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QFontDatabase, QImage, QPainter
from PySide6.QtWidgets import QWidget

from anaphora.projects.recent_progress import RecentDocument
from anaphora.projects.view.recent_row import RecentRow
from anaphora.views.appearance.theme import Theme, ThemeChoice

NAME = "国合同"


def inked_rows(image: QImage, box: QRect, colour: str) -> int:
    """How many rows of pixels hold something of a colour, or nearly."""
    wanted = QColor(colour).lightness()
    pixels = lambda y: (image.pixelColor(x, y).lightness() for x in range(box.left(), box.right()))  # noqa: E731
    return sum(any(abs(each - wanted) < 90 for each in pixels(y)) for y in range(box.top(), box.bottom()))


def whole(widget: QWidget, text: str, colour: str) -> int:
    """The rows of a text that nothing clips."""
    image = QImage(300, 100, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.setFont(widget.font())
    painter.setPen(QColor(colour))
    painter.drawText(20, 50, text)
    painter.end()
    return inked_rows(image, image.rect(), colour)


@pytest.fixture
def theme(qapp):
    if "Noto Sans CJK SC" not in QFontDatabase.families():
        pytest.skip("not installed: Noto Sans CJK SC")
    yield Theme(qapp, ThemeChoice.LIGHT)


def test_a_recent_document_has_its_name_whole(qtbot, theme) -> None:
    row = RecentRow(Path("/") / NAME, theme)
    qtbot.addWidget(row)
    row.show_found(RecentDocument(row._path))
    row.resize(420, row.sizeHint().height())
    image = row.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    colour = theme.colours.text if row._found.is_there else theme.colours.muted
    # the folder, "/", stands below the first letter only
    box = QRect(60, 0, 60, row.height())
    assert inked_rows(image, box, colour) >= whole(row, NAME, colour)
