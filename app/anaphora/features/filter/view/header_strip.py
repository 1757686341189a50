"""The strip above the table: progress, filter chips, and a field to filter by text."""

from __future__ import annotations

from PySide6.QtCore import QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QSizePolicy

from anaphora.editor.widgets.filter_chips import FilterChips, Shown
from anaphora.editor.widgets.plain_text import plain_label
from anaphora.editor.widgets.search_line import SearchLine

TYPING_PAUSE_MS = 200
LEFT, RIGHT, SPACING = 14, 10, 4
FIELD_GAP = 6
"""Space between chips and field, in pixels."""
FIELD_MIN, FIELD_MAX = 70, 220
"""Minimum and maximum width of the field, in pixels."""


class _Filters(QComboBox):
    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        event.ignore()


class HeaderStrip(QFrame):
    """Progress, filter chips and a field to filter by text, from left to right.

    Without room for the chips, a list of the same filters replaces them.

    Signals:
        filter_changed: (Shown, text).
    """

    filter_changed = Signal(object, str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("headerStrip")
        self.progress = plain_label()
        self.chips = FilterChips()
        self.chips.picked.connect(self._announce)
        self.chips.counted.connect(self._fit)
        self.list = _Filters(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.list.setAccessibleName(self.tr("Filter"))
        self.list.activated.connect(lambda at: self.chips.setCurrentIndex(self.list.itemData(at)))
        self.needle = SearchLine(self.tr("Filter by text"))
        self.needle.setPlaceholderText(self.tr("Filter"))
        self.needle.setMinimumWidth(FIELD_MIN)
        self.needle.setMaximumWidth(FIELD_MAX)
        # Takes the width that the chips leave.
        self.needle.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._announce)
        self.needle.textChanged.connect(lambda _: self._typing.start())
        self._lay_out()

    def choose(self, shown: Shown, text: str = "") -> None:
        self.chips.choose(shown)
        self.needle.setText(text)
        self._typing.stop()

    def show_work(self, confirmed: int, segments: int) -> None:
        """Show how many segments are confirmed."""
        numbers = map(QLocale().toString, (confirmed, segments))
        self.progress.setText(self.tr("{0} of {1} confirmed").format(*numbers) if segments else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Enter and Down move from the field to the table; Esc also clears the filter."""
        leaving = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down, Qt.Key.Key_Escape)
        if not self.needle.hasFocus() or event.key() not in leaving:
            super().keyPressEvent(event)
            return
        if event.key() == Qt.Key.Key_Escape:
            self.choose(Shown.ALL)
        self._announce()
        self.left.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        edges = LEFT + RIGHT + FIELD_GAP + 4 * SPACING + FIELD_MIN
        wanted = self.progress.sizeHint().width() + self.chips.sizeHint().width() + edges
        has_room = wanted <= self.width()
        self.chips.setVisible(has_room)
        self.list.setVisible(not has_room)
        if not has_room and not self.list.view().isVisible():
            self.list.clear()
            for at in filter(self.chips.isTabVisible, range(self.chips.count())):
                self.list.addItem(self.chips.tabText(at), at)
            self.list.setCurrentIndex(self.list.findData(self.chips.currentIndex()))

    def _announce(self) -> None:
        self._typing.stop()
        self.filter_changed.emit(self.chips.chosen, self.needle.text().strip())

    def _lay_out(self) -> None:
        box = QHBoxLayout(self)
        box.setContentsMargins(LEFT, 6, RIGHT, 8)
        box.setSpacing(SPACING)
        box.addWidget(self.progress)
        box.addStretch(1)
        box.addWidget(self.chips)
        box.addWidget(self.list)
        box.addSpacing(FIELD_GAP)
        box.addWidget(self.needle, 1)
