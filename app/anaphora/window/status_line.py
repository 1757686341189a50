"""The bars below the document: the status bar, and one bar at a time above it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QStatusBar, QStyle, QStyleOption, QVBoxLayout, QWidget

from anaphora.editor.feature import StatusPart
from anaphora.editor.widgets.sentence import plain_label, plain_tip

MARGIN = 6
"""Space at both sides of a message, in pixels."""


class StatusLine(QStatusBar):
    def __init__(self) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self.saved = plain_label()
        self.saved.hide()
        self.messageChanged.connect(lambda _: self._fit_message())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the message like Qt, but shorten it with an ellipsis if there is not enough room."""
        painter, option = QPainter(self), QStyleOption()
        option.initFrom(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelStatusBar, option, painter, self)
        area = self.rect().adjusted(MARGIN, 0, self._right_edge() - self.width(), 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self._fit_message())

    def _right_edge(self) -> int:
        return (self.childrenRegion().boundingRect().left() or self.width()) - MARGIN

    def _fit_message(self) -> str:
        text, room = self.currentMessage(), self._right_edge() - MARGIN
        shown = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        self.setToolTip("" if shown == text else plain_tip(text))
        return shown

    def fill(self, parts: Iterable[StatusPart]) -> None:
        for part in sorted((StatusPart(self.saved, 50), *parts), key=lambda each: each.rank):
            self.addPermanentWidget(part.widget)

    def show_saved(self, saved: bool) -> None:
        self._show_state(self.tr("Saved") if saved else self.tr("Saving…"))

    def show_not_saved(self, reason: str) -> None:
        self._show_state(self.tr("Not saved"))
        self.saved.setToolTip(plain_tip(reason))

    def _show_state(self, text: str) -> None:
        """Show whether the project is saved; the fixed size keeps Qt from laying out the whole window."""
        self.saved.setText(text)
        self.saved.setFixedSize(self.saved.sizeHint().expandedTo(self.saved.minimumSize()))
        self.saved.show()

    def clear_saved(self) -> None:
        self.saved.clear()
        self.saved.hide()


class OneBar(QWidget):
    """Shows only one of its bars, the last one that is not hidden."""

    def __init__(self, bars: Sequence[QWidget]) -> None:
        super().__init__()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        self._bars = [(bar, QWidget()) for bar in bars]
        for bar, holder in self._bars:
            inner = QVBoxLayout(holder)
            inner.setContentsMargins(0, 0, 0, 0)
            inner.addWidget(bar)
            box.addWidget(holder)
            bar.installEventFilter(self)
        self._choose()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._choose()
        return False

    def _choose(self) -> None:
        wanted = [holder for bar, holder in self._bars if not bar.isHidden()]
        for _, holder in self._bars:
            holder.setVisible(holder in wanted[-1:])
