"""A long list with wrapped rich text in its cells, which measures rows when they come into view."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.html_delegate import HtmlDelegate

AIR = 12
_Move = QAbstractItemView.CursorAction


class HtmlTable(QTableView):
    """A table read and navigated as a list of rows, of any length."""

    def __init__(self, model: QAbstractTableModel, theme: Theme, name: str) -> None:
        super().__init__()
        self._measured: set[int] = set()
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._measure_shown)
        self.setModel(model)
        model.modelReset.connect(self._forget)
        self.setAccessibleName(name)
        self.setItemDelegate(HtmlDelegate(theme, self, self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        down, across = self.verticalHeader(), self.horizontalHeader()
        down.hide()
        down.setMinimumSectionSize(self.fontMetrics().height() + AIR)
        down.setDefaultSectionSize(down.minimumSectionSize())
        across.setHighlightSections(False)
        across.setSectionsClickable(False)
        across.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        across.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        across.sectionResized.connect(self._forget)
        self.verticalScrollBar().valueChanged.connect(self._measure_shown)

    def fix_width(self, column: int, width: int) -> None:
        """Fix a column's width; the others share the remaining space."""
        self.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().resizeSection(column, width)

    def scrollTo(  # noqa: N802
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        # Rows that grow when they are measured would push the wanted row out of view.
        row, around = index.row(), self.viewport().height() // self.verticalHeader().minimumSectionSize()
        for each in range(max(row - around, 0), min(row + around, self.model().rowCount())):
            self._measure(each)
        self.updateGeometries()
        super().scrollTo(index, hint)

    def moveCursor(self, action: _Move, modifiers: Qt.KeyboardModifier) -> QModelIndex:  # noqa: N802
        # The space bar toggles the check box of the current cell, so the column must not change.
        current = self.currentIndex()
        if current.isValid() and action in (_Move.MoveLeft, _Move.MoveRight):
            return current
        if current.isValid() and action in (_Move.MoveHome, _Move.MoveEnd):
            row = 0 if action is _Move.MoveHome else self.model().rowCount() - 1
            return self.model().index(row, current.column())
        return super().moveCursor(action, modifiers)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._later.start()

    def _forget(self) -> None:
        self._measured.clear()
        self._later.start()

    def _measure_shown(self) -> None:
        row = max(self.rowAt(0), 0)
        while row < self.model().rowCount() and self.rowViewportPosition(row) < self.viewport().height():
            self._measure(row)
            row += 1

    def _measure(self, row: int) -> None:
        if row not in self._measured:
            self._measured.add(row)
            self.setRowHeight(row, max(self.sizeHintForRow(row), self.verticalHeader().minimumSectionSize()))
