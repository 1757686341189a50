"""What goes on beyond an edge of a scrolled area fades out there, so that no line of text looks cut."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

HEIGHT = 28
"""Of what fades, in pixels."""

PLACING = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.FocusIn, QEvent.Type.FocusOut)


class Fade(QWidget):
    """Stands over an area's upper or lower edge while something follows beyond it.

    Attributes:
        edge: Qt.Edge.TopEdge or Qt.Edge.BottomEdge.
    """

    def __init__(self, area: QAbstractScrollArea, edge: Qt.Edge) -> None:
        super().__init__(area)
        self.edge = edge
        self._area = area
        self.setObjectName("upperFade" if edge is Qt.Edge.TopEdge else "lowerFade")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        bar = area.verticalScrollBar()
        for changed in (bar.valueChanged, bar.rangeChanged):
            changed.connect(self.place)
        for watched in (area, area.viewport()):
            watched.installEventFilter(self)
        self.place()

    def place(self) -> None:
        """Stand at the edge, if something follows beyond it and nobody steps through the links there."""
        seen, bar = self._area.viewport().geometry(), self._area.verticalScrollBar()
        is_upper = self.edge is Qt.Edge.TopEdge
        top = seen.top() if is_upper else seen.bottom() + 1 - HEIGHT
        self.setGeometry(seen.left(), top, seen.width(), HEIGHT)
        has_more = bar.value() > bar.minimum() if is_upper else bar.value() < bar.maximum()
        self.setVisible(has_more and not self._area.hasFocus())
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in PLACING:
            self.place()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        full = self.palette().color(QPalette.ColorRole.Base)
        none = QColor(full)
        none.setAlpha(0)
        above, below = (full, none) if self.edge is Qt.Edge.TopEdge else (none, full)
        gradient = QLinearGradient(QPoint(0, 0), QPoint(0, self.height()))
        gradient.setColorAt(0, above)
        gradient.setColorAt(1, below)
        QPainter(self).fillRect(self.rect(), gradient)
