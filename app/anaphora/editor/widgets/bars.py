"""Bars and heat: the small painted pieces that the panels share."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from anaphora.editor.appearance.theme import Theme

BAR_ROLE = Qt.ItemDataRole.UserRole + 20
"""A share in [0, 1] that a cell shows as a bar."""
LABEL_ROLE = BAR_ROLE + 1
"""The number beside a bar."""


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
        label = index.data(LABEL_ROLE) or ""
        width = 44.0 if label else 0.0
        bar = QRectF(rect.left() + 6, rect.center().y() - 2.5, max(rect.width() - 14 - width, 8), 6)
        radius, colours = bar.height() / 2, self._theme.colours
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.hover))
        painter.drawRoundedRect(bar, radius, radius)
        if share > 0:
            filled = QRectF(bar)
            filled.setWidth(max(bar.width() * min(share, 1.0), bar.height()))
            painter.setBrush(QColor(colours.accent))
            painter.drawRoundedRect(filled, radius, radius)
        if label:
            muted = not option.state & QStyle.StateFlag.State_Selected  # type: ignore[attr-defined]
            painter.setPen(QColor(colours.muted if muted else colours.text))
            area = QRectF(bar.right(), rect.top(), rect.right() - bar.right() - 6, rect.height())
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, label)
        painter.restore()
