"""Bars and heat: the small painted pieces that the panels share."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from anaphora.views.appearance.theme import Theme
from anaphora_text.punctuation import CLOSING, PAUSES, SENTENCE_ENDS, WIDE_PAUSES, WIDE_SENTENCE_ENDS

BAR_ROLE = Qt.ItemDataRole.UserRole + 20
"""A share in [0, 1] that a cell shows as a bar."""


def paint_bar(painter: QPainter, rect: QRectF, share: float, theme: Theme) -> None:
    """A rounded bar filled up to `share`."""
    colours = theme.colours
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    radius = rect.height() / 2
    painter.setBrush(QColor(colours.hover))
    painter.drawRoundedRect(rect, radius, radius)
    if share > 0:
        width = max(rect.width() * min(share, 1.0), rect.height())
        painter.setBrush(QColor(colours.accent))
        painter.drawRoundedRect(QRectF(rect.left(), rect.top(), width, rect.height()), radius, radius)
    painter.restore()


class BarDelegate(QStyledItemDelegate):
    """Paints cells that hold a share as a bar with its number, all others as usual."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(  # noqa: N802
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(hint.width(), max(hint.height(), 28))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        share = index.data(BAR_ROLE)
        super().paint(painter, option, index)
        if share is None:
            return
        rect = QRectF(option.rect)  # type: ignore[attr-defined]
        label = index.data(Qt.ItemDataRole.UserRole + 21) or ""
        width = 44.0 if label else 0.0
        bar = QRectF(rect.left() + 6, rect.center().y() - 2.5, max(rect.width() - 14 - width, 8), 6)
        paint_bar(painter, bar, share, self._theme)
        if label:
            muted = not option.state & QStyle.StateFlag.State_Selected  # type: ignore[attr-defined]
            colours = self._theme.colours
            painter.save()
            painter.setPen(QColor(colours.muted if muted else colours.text))
            area = QRectF(bar.right(), rect.top(), rect.right() - bar.right() - 6, rect.height())
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, label)
            painter.restore()


CLOSERS = frozenset(SENTENCE_ENDS + PAUSES + WIDE_SENTENCE_ENDS + WIDE_PAUSES + CLOSING)

LABEL_ROLE = Qt.ItemDataRole.UserRole + 21
"""The number beside a bar."""


class ShareBar(QWidget):
    """A name, a bar and its value."""

    def __init__(self, theme: Theme, name: str, tip: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        # A property of its own name, so that it follows when the window changes its language.
        self.setProperty("title", name)
        self._share = 0.0
        self._label = ""
        self.setToolTip(tip)
        self.setMinimumSize(100, 36)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_share(self, share: float | None) -> None:
        """Show a share in [0, 1]; None empties the bar."""
        self._share = share or 0.0
        self._label = "" if share is None else f"{share:.0%}"
        self._say()
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.DynamicPropertyChange and self.accessibleName():
            self._say()
            self.update()
        return super().event(event)

    def _say(self) -> None:
        self.setAccessibleName(f"{self.property('title')}: {self._label}")

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        colours = self._theme.colours
        top = QRectF(0, 0, self.width(), 20)
        painter.setPen(QColor(colours.muted))
        metrics = QFontMetricsF(self.font())
        room = self.width() - metrics.horizontalAdvance(self._label) - 6
        name = metrics.elidedText(self.property("title"), Qt.TextElideMode.ElideRight, room)
        painter.drawText(top, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        painter.setPen(QColor(colours.text))
        painter.drawText(top, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._label)
        paint_bar(painter, QRectF(0, 25, self.width(), 6), self._share, self._theme)
