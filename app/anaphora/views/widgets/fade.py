"""What goes on beyond an edge of a scrolled area fades out there, so that no line of text looks cut."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QTableView, QWidget

HEIGHT = 28
"""Height of what fades, in pixels."""

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
        seen = self._area.viewport().geometry()
        is_upper = self.edge is Qt.Edge.TopEdge
        top = seen.top() if is_upper else seen.bottom() + 1 - HEIGHT
        self.setGeometry(seen.left(), top, seen.width(), HEIGHT)
        has_more = self.has_more()
        if has_more is self.isHidden():
            # Raised each time, two of them would take turns, and be painted anew with each key.
            self.setVisible(has_more)
            self.raise_()

    def has_more(self) -> bool:
        """Whether something follows beyond the edge that is to fade out."""
        if self._area.hasFocus():
            return False
        bar = self._area.verticalScrollBar()
        return bar.value() > bar.minimum() if self.edge is Qt.Edge.TopEdge else bar.value() < bar.maximum()

    def ground(self) -> QColor:
        """The colour into which it fades."""
        return self.palette().color(QPalette.ColorRole.Base)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in PLACING:
            self.place()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        full = self.ground()
        none = QColor(full)
        none.setAlpha(0)
        above, below = (full, none) if self.edge is Qt.Edge.TopEdge else (none, full)
        gradient = QLinearGradient(QPoint(0, 0), QPoint(0, self.height()))
        gradient.setColorAt(0, above)
        gradient.setColorAt(1, below)
        QPainter(self).fillRect(self.rect(), gradient)


class RowFade(Fade):
    """Stands over an edge of a table that cuts a row, unless something else ends the row there."""

    def __init__(
        self, table: QTableView, edge: Qt.Edge, is_ended: Callable[[], bool] = lambda: False
    ) -> None:
        self._table = table
        self._is_ended = is_ended
        super().__init__(table, edge)

    def has_more(self) -> bool:
        table, height = self._table, self._table.viewport().height()
        row = table.rowAt(0 if self.edge is Qt.Edge.TopEdge else height - 1)
        if row < 0 or self._is_ended():
            return False
        top = table.rowViewportPosition(row)
        return top < 0 if self.edge is Qt.Edge.TopEdge else top + table.rowHeight(row) > height

    def ground(self) -> QColor:
        return self.palette().color(QPalette.ColorRole.Window)
