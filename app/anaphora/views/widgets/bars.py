"""Bars and heat: the small painted pieces that the panels share."""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QLabel,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from anaphora.core.shortening import ELLIPSIS
from anaphora.views.appearance.theme import Theme, blend, readable_on

BAR_ROLE = Qt.ItemDataRole.UserRole + 20
"""A share in [0, 1] that a cell shows as a bar."""


def paint_bar(painter: QPainter, rect: QRectF, share: float, theme: Theme) -> None:
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


LABEL_ROLE = Qt.ItemDataRole.UserRole + 21
"""The number beside a bar."""


class ShareBar(QWidget):
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


class HeatText(QLabel):
    """A text whose words have a background by weight; words without one are plain."""

    LEAST = 0.05
    """A weight below this is not coloured."""
    MOST = 600
    """Pieces that are shown: of a longer text the beginning."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words: tuple[tuple[str, float], ...] = ()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        theme.changed.connect(self._colour)

    def show_words(self, words: tuple[tuple[str, float], ...], tip: str) -> None:
        """Show pieces of a text, each with its weight in [0, 1] (below 0: none).

        Args:
            tip: tells screen readers the word {0} and its weight {1}, of the three strongest.
        """
        self._words = words if len(words) <= self.MOST else (*words[: self.MOST], (ELLIPSIS, -1.0))
        strongest = sorted((w for w in self._words if w[1] >= self.LEAST), key=lambda word: -word[1])[:3]
        self.setAccessibleName(", ".join(tip.format(word, f"{share:.0%}") for word, share in strongest))
        self._colour()

    def _colour(self) -> None:
        colours = self._theme.colours
        parts = []
        for text, share in self._words:
            style = f"color:{colours.text if share >= 0 else colours.muted}"
            if share >= self.LEAST:
                back = blend(QColor(colours.surface), colours.heat(share), 0.92)
                style = f"background-color:{back.name()};color:{readable_on(back).name()}"
            parts.append(f'<span style="{style}">{html.escape(text)}</span>')
        self.setText("".join(parts))
