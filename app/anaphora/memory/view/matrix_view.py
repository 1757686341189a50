"""A matrix of shares: rows (slots or source words) by output words, as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar, QToolTip, QWidget

from anaphora.views.appearance.theme import Theme, readable_on
from anaphora.views.widgets.plain_text import plain_tip

CELL_WIDTH = 30.0
CELL_HEIGHT = 24.0
MARGIN = 14.0
LEGEND_WIDTH = 78.0
SLANT = -50.0
MAX_LABEL = 230.0


@dataclass(frozen=True, slots=True)
class Matrix:
    """The contents of a MatrixView.

    Attributes:
        rows: labels at the left.
        columns: labels on top.
        shares: a row of values in [0, 1] for each row label.
        caption: what a value is, for the legend.
        empty: what to say when there are no rows.
    """

    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    shares: tuple[tuple[float, ...], ...] = ()
    caption: str = ""
    empty: str = ""


class MatrixView(QAbstractScrollArea):
    """Paints a Matrix with labels, a colour scale and the selected column.

    Signals:
        column_chosen: index of the column that the user clicked or stepped to.
        row_chosen: index of the row that the user double-clicked.
    """

    column_chosen = Signal(int)
    row_chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._matrix = Matrix()
        self._column = -1
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.changed.connect(self.viewport().update)

    def show_matrix(self, matrix: Matrix) -> None:
        """Show another matrix."""
        self._matrix = matrix
        self._column = -1
        self._update_scroll_bars()
        self.viewport().update()

    def select_column(self, column: int) -> None:
        """Frame a column; -1 for none."""
        self._column = column if 0 <= column < len(self._matrix.columns) else -1
        if self._column >= 0:
            self._scroll_to(self._column)
            self.setAccessibleDescription(self._describe(self._column))
        self.viewport().update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(520, 260)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._update_scroll_bars()
        if self._column >= 0:  # a column chosen while the view was hidden had no room to be shown in
            self._scroll_to(self._column)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None or not self._matrix.columns:
            super().keyPressEvent(event)
            return
        self.column_chosen.emit(min(max(self._column + step, 0), len(self._matrix.columns) - 1))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        cell = self._cell_at(event.position())
        if cell is not None and cell[1] >= 0:
            self.column_chosen.emit(cell[1])

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        cell = self._cell_at(event.position())
        if cell is not None and cell[0] >= 0:
            self.row_chosen.emit(cell[0])

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QHelpEvent):
            cell = self._cell_at(QPointF(event.pos()))
            if cell is not None and cell[0] >= 0 and cell[1] >= 0:
                row, column = cell
                share = self._matrix.shares[row][column]
                text = f"{self._matrix.rows[row]}  →  {self._matrix.columns[column]}:  {share:.1%}"
                QToolTip.showText(event.globalPos(), plain_tip(text), self.viewport())
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self._matrix.rows or not self._matrix.columns:
            painter.setPen(QColor(self._theme.colours.muted))
            area = QRectF(self.viewport().rect()).adjusted(20, 10, -20, -10)
            centred = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(area, centred, self._matrix.empty)
            return
        self._paint_cells(painter)
        self._paint_row_labels(painter)
        self._paint_column_labels(painter)
        self._paint_legend(painter)

    # Geometry

    def _left(self) -> float:
        metrics = QFontMetricsF(self.font())
        widest = max((metrics.horizontalAdvance(row) for row in self._matrix.rows), default=0.0)
        return MARGIN + min(widest, MAX_LABEL) + 8

    def _top(self) -> float:
        metrics = QFontMetricsF(self.font())
        widest = max((metrics.horizontalAdvance(column) for column in self._matrix.columns), default=0.0)
        return MARGIN + min(widest, 110.0) * 0.77 + 16

    def _origin(self) -> QPointF:
        return QPointF(
            self._left() - self.horizontalScrollBar().value(), self._top() - self.verticalScrollBar().value()
        )

    def _cell_at(self, position: QPointF) -> tuple[int, int] | None:
        """Row and column under a position, -1 where it lies in the labels."""
        if not self._matrix.rows:
            return None
        origin = self._origin()
        row = int((position.y() - origin.y()) // CELL_HEIGHT) if position.y() >= self._top() else -1
        column = int((position.x() - origin.x()) // CELL_WIDTH) if position.x() >= self._left() else -1
        if row >= len(self._matrix.rows) or column >= len(self._matrix.columns):
            return None
        return row, column

    def _update_scroll_bars(self) -> None:
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        overhang = 60.0
        width = self._left() + len(self._matrix.columns) * CELL_WIDTH + overhang + LEGEND_WIDTH
        height = self._top() + len(self._matrix.rows) * CELL_HEIGHT + MARGIN
        across.setPageStep(self.viewport().width())
        across.setRange(0, max(0, round(width - self.viewport().width())))
        down.setPageStep(self.viewport().height())
        down.setRange(0, max(0, round(height - self.viewport().height())))
        across.setSingleStep(round(CELL_WIDTH))
        down.setSingleStep(round(CELL_HEIGHT))

    def _scroll_to(self, column: int) -> None:
        """Bring a column and its strongest cell into sight."""
        room = self.viewport().width() - self._left() - LEGEND_WIDTH
        _reveal(self.horizontalScrollBar(), column * CELL_WIDTH, CELL_WIDTH, room)
        shares = [row[column] for row in self._matrix.shares]
        if max(shares, default=0.0) > 0.0:
            top = shares.index(max(shares)) * CELL_HEIGHT
            _reveal(self.verticalScrollBar(), top, CELL_HEIGHT, self.viewport().height() - self._top())

    # Painting

    def _strongest(self) -> float:
        return max((share for row in self._matrix.shares for share in row), default=0.0) or 1.0

    def _paint_cells(self, painter: QPainter) -> None:
        colours = self._theme.colours
        origin, strongest = self._origin(), self._strongest()
        painter.save()
        painter.setClipRect(
            QRectF(self._left(), self._top(), self.viewport().width() - self._left() - LEGEND_WIDTH, 1e6)
        )
        for row, shares in enumerate(self._matrix.shares):
            for column, share in enumerate(shares):
                cell = QRectF(
                    origin.x() + column * CELL_WIDTH,
                    origin.y() + row * CELL_HEIGHT,
                    CELL_WIDTH,
                    CELL_HEIGHT,
                ).adjusted(1, 1, -1, -1)
                colour = colours.heat(share / strongest)
                painter.setPen(QPen(QColor(colours.border), 0.6))
                painter.setBrush(colour)
                painter.drawRoundedRect(cell, 3, 3)
                if share >= 0.1 and share >= 0.25 * strongest:
                    painter.setPen(readable_on(colour))
                    painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, f"{share * 100:.0f}")
        if self._column >= 0:
            frame = QRectF(
                origin.x() + self._column * CELL_WIDTH,
                origin.y(),
                CELL_WIDTH,
                len(self._matrix.rows) * CELL_HEIGHT,
            )
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colours.edited), 2))
            painter.drawRoundedRect(frame, 4, 4)
        painter.restore()

    def _paint_row_labels(self, painter: QPainter) -> None:
        colours, metrics = self._theme.colours, QFontMetricsF(self.font())
        painter.save()
        painter.setClipRect(QRectF(0, self._top(), self._left(), 1e6))
        painter.setPen(QColor(colours.text))
        y = self._origin().y()
        for row, label in enumerate(self._matrix.rows):
            area = QRectF(MARGIN, y + row * CELL_HEIGHT, self._left() - MARGIN - 8, CELL_HEIGHT)
            text = metrics.elidedText(label, Qt.TextElideMode.ElideMiddle, area.width())
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()

    def _paint_column_labels(self, painter: QPainter) -> None:
        colours, metrics = self._theme.colours, QFontMetricsF(self.font())
        painter.save()
        room = self.viewport().width() - self._left() - LEGEND_WIDTH + 56
        painter.setClipRect(QRectF(self._left() - 6, 0, room, self._top()))
        for column, label in enumerate(self._matrix.columns):
            selected = column == self._column
            painter.save()
            painter.translate(self._origin().x() + (column + 0.5) * CELL_WIDTH, self._top() - 6)
            painter.rotate(SLANT)
            font = painter.font()
            font.setBold(selected)
            painter.setFont(font)
            painter.setPen(QColor(colours.edited if selected else colours.text))
            painter.drawText(QPointF(0, 4), metrics.elidedText(label, Qt.TextElideMode.ElideRight, 110))
            painter.restore()
        painter.restore()

    def _paint_legend(self, painter: QPainter) -> None:
        colours, strongest = self._theme.colours, self._strongest()
        right = float(self.viewport().width())
        height = min(max(self.viewport().height() - self._top() - 2 * MARGIN, 40.0), 130.0)
        bar = QRectF(right - 56, self._top() + 4, 10, height)
        painter.fillRect(
            QRectF(right - LEGEND_WIDTH + 6, 0, LEGEND_WIDTH, self.viewport().height()),
            QColor(colours.surface),
        )
        gradient = QLinearGradient(bar.bottomLeft(), bar.topLeft())
        for stop in (0.0, 0.25, 0.5, 0.75, 1.0):
            gradient.setColorAt(stop, colours.heat(stop))
        painter.setPen(QPen(QColor(colours.border), 1))
        painter.setBrush(gradient)
        painter.drawRoundedRect(bar, 3, 3)
        painter.setPen(QColor(colours.muted))
        painter.drawText(QPointF(bar.left() - 8, self._top() - 12), self._matrix.caption)
        for share, y in ((strongest, bar.top()), (strongest / 2, bar.center().y()), (0.0, bar.bottom())):
            area = QRectF(bar.right() + 5, y - 8, 40, 16)
            painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, f"{share:.0%}")

    def _describe(self, column: int) -> str:
        shares: Sequence[tuple[float, str]] = sorted(
            ((row[column], label) for row, label in zip(self._matrix.shares, self._matrix.rows, strict=True)),
            reverse=True,
        )[:3]
        strongest = ", ".join(f"{label} {share:.0%}" for share, label in shares)
        return f"{self._matrix.columns[column]}: {strongest}"


def _reveal(bar: QScrollBar, start: float, length: float, room: float) -> None:
    """Scroll as little as it takes to show a stretch."""
    if start < bar.value():
        bar.setValue(round(start))
    elif start + length > bar.value() + room:
        bar.setValue(round(start + length - room))
