"""The steps of this session: the document and its memory as they stood after any of them."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListView, QVBoxLayout, QWidget

from anaphora.document.editing import Editing
from anaphora.document.history_jump import HistoryJump
from anaphora.views.widgets.dialog_size import resize_within_screen
from anaphora.views.widgets.panel import note


class TimelineDialog(QDialog):
    """Lists what was typed, confirmed and said about the memory; a step that is chosen is gone back to.

    The memory follows the document: what is confirmed there, and said about it, is what is remembered.
    """

    def __init__(self, editing: Editing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Timeline"))
        resize_within_screen(self, 420, 460)
        about = note(self.tr("Choose a step: the document and its memory are as they stood after it."))
        self._history = editing.stack
        # Not Qt's own view of a history: that takes all steps at one stretch.
        self._jump = HistoryJump(editing, self)
        self.steps = QListView()
        self.steps.setUniformItemSizes(True)
        self._names = _Steps(editing.stack, self.tr("as it was opened"), self)
        self.steps.setModel(self._names)
        self.steps.setAccessibleName(self.windowTitle())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.setContentsMargins(18, 16, 18, 14)
        box.addWidget(about)
        box.addWidget(self.steps, 1)
        box.addWidget(buttons)
        self._follow()
        # All rows have the height that the first one is found to have: it gets its air from the style later.
        self.steps.scheduleDelayedItemsLayout()
        self.steps.selectionModel().currentChanged.connect(self._go)
        editing.stack.indexChanged.connect(self._follow)
        self._jump.ended.connect(self._follow)
        self.finished.connect(self._jump.stop)

    def _go(self, chosen: QModelIndex) -> None:
        if chosen.isValid() and (self._jump.is_under_way or chosen.row() != self._history.index()):
            self._jump.begin(chosen.row())

    def _follow(self, _: int = 0) -> None:
        """Show the step that the document is at; on the way to another one that one."""
        if not self._jump.is_under_way:
            self._names.follow()
            self.steps.setCurrentIndex(self._names.index(self._history.index(), 0))


class _Steps(QAbstractListModel):
    """The names of a history's steps, behind the state before the first."""

    def __init__(self, history: QUndoStack, first: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._history, self._first, self._count = history, first, history.count()

    def follow(self) -> None:
        if self._count == self._history.count():
            self.dataChanged.emit(self.index(0, 0), self.index(self._count, 0))
        else:
            self.beginResetModel()
            self._count = self._history.count()
            self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: N802
        return 0 if parent.isValid() else self._count + 1

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        if role != Qt.ItemDataRole.DisplayRole or not index.isValid():
            return None
        return self._history.text(index.row() - 1) if index.row() else self._first
