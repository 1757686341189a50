"""A recent document on the start page: its name, where it lies, and how far it is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from anaphora.projects.recent_progress import RecentDocument
from anaphora.views.appearance.icons import pixmap
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.plain_text import plain_tip, short_path

PADDING = 10
ICON = 20
BAR = 90
GAP = 4
"""Between the lines: Chinese letters reach lower than Latin ones."""
FONT_SHARE = 0.9
"""Size of the second line, as a share of the first."""
WHOLE = Qt.TextFlag.TextDontClip
"""A line is as high as its font's letters; those that another font lends it (Chinese ones) reach lower."""


class RecentRow(QAbstractButton):
    """Two lines at the left, a bar with the share that is confirmed at the right."""

    def __init__(self, path: Path, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._theme = theme
        self._found = RecentDocument(path)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(plain_tip(str(path)))
        self.setAccessibleName(path.name)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    @property
    def said(self) -> str:
        """How far the document is, as the reader reads it; empty while that is not known."""
        translate, number = QCoreApplication.translate, QLocale().toString
        found = self._found
        if not found.is_there:
            return translate("RecentRow", "not found")
        if not found.segments:
            return ""
        if found.confirmed >= found.segments:
            return translate("RecentRow", "all confirmed")
        said = translate("RecentRow", "{0} of {1} confirmed")
        return said.format(number(found.confirmed), number(found.segments))

    def show_found(self, found: RecentDocument) -> None:
        """Show how far the document is."""
        self._found = found
        self.setAccessibleDescription(self.said)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(420, self._text_height() + 2 * PADDING - 4)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(240, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(QColor(colours.accent), 1) if self.hasFocus() else Qt.PenStyle.NoPen)
        filled = colours.accent_soft if self.isDown() else colours.hover if self.underMouse() else ""
        painter.setBrush(QColor(filled) if filled else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, 7, 7)
        picture = colours.accent if self._found.is_there else colours.not_started
        painter.drawPixmap(PADDING, (self.height() - ICON) // 2, pixmap("document", picture, ICON))
        left = PADDING + ICON + 10
        right = self.width() - PADDING
        if self.said:
            right = self._paint_progress(painter, right) - 14
        self._paint_texts(painter, left, right - left)

    def _text_height(self) -> int:
        return round(self.fontMetrics().height() * (1 + FONT_SHARE)) + GAP

    def _paint_progress(self, painter: QPainter, right: int) -> int:
        """Paint bar and numbers; returns where they begin."""
        colours, found = self._theme.colours, self._found
        metrics = painter.fontMetrics()
        painter.setPen(QColor(colours.muted))
        left = right - max(BAR, metrics.horizontalAdvance(self.said))
        has_bar = bool(found.segments) and found.is_there
        middle = self.height() // 2
        top = middle - metrics.height() if has_bar else middle - metrics.height() // 2
        line = QRect(left, top, right - left, metrics.height())
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.said)
        if has_bar:
            painter.setPen(Qt.PenStyle.NoPen)
            bar = QRectF(right - BAR, middle + 5, BAR, 5)
            painter.setBrush(QColor(colours.border))
            painter.drawRoundedRect(bar, 2.5, 2.5)
            if found.confirmed:
                bar.setWidth(max(BAR * min(found.confirmed / found.segments, 1.0), 5))
                painter.setBrush(QColor(colours.confirmed))
                painter.drawRoundedRect(bar, 2.5, 2.5)
        return left

    def _paint_texts(self, painter: QPainter, left: int, width: int) -> None:
        colours, metrics = self._theme.colours, painter.fontMetrics()
        middle = Qt.TextElideMode.ElideMiddle
        top = (self.height() - self._text_height()) // 2
        painter.setPen(QColor(colours.text if self._found.is_there else colours.muted))
        name = metrics.elidedText(self._path.name, middle, width)
        painter.drawText(QRect(left, top, width, metrics.height()), WHOLE, name)
        font = painter.font()
        font.setPointSizeF(font.pointSizeF() * FONT_SHARE)
        painter.setFont(font)
        painter.setPen(QColor(colours.muted))
        small = painter.fontMetrics()
        folder = small.elidedText(short_path(self._path.parent), middle, width)
        painter.drawText(QRect(left, top + metrics.height() + GAP, width, small.height()), WHOLE, folder)
