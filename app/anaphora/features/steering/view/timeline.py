"""The dialog with the steps of this session, to go back to any of them."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QStringListModel
from PySide6.QtWidgets import QDialog, QListView, QWidget

from anaphora.editor.widgets.dialogs import closing_buttons, set_up_dialog, stack
from anaphora.editor.widgets.panel import note
from anaphora.features.steering.step import HistoryJump
from anaphora.project.document.editing import Editing


class TimelineDialog(QDialog):
    """Lists edits, confirmations and memory rules; choosing a step goes back to it.

    The memory follows the document: it contains the confirmed segments and rules of that step.
    """

    def __init__(self, editing: Editing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up_dialog(self, self.tr("Timeline"), 420, 460)
        about = note(self.tr("Choose a step to see the document and its memory at that point."))
        self._history = editing.stack
        # QUndoView would run all steps at once and block the window.
        self._jump = HistoryJump(editing, self)
        self.steps = QListView()
        self.steps.setUniformItemSizes(True)
        self.steps.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._names = QStringListModel(self)
        self.steps.setModel(self._names)
        self.steps.setAccessibleName(self.windowTitle())
        stack(self, about, self.steps, closing_buttons(self), grows=self.steps)
        self._follow()
        # Uniform rows take the height of the first one, which the style sheet changes later.
        self.steps.scheduleDelayedItemsLayout()
        self.steps.selectionModel().currentChanged.connect(self._go)
        editing.stack.indexChanged.connect(self._follow)
        self._jump.ended.connect(self._follow)
        self.finished.connect(self._jump.stop)

    def _go(self, chosen: QModelIndex) -> None:
        if chosen.isValid() and (self._jump.is_under_way or chosen.row() != self._history.index()):
            self._jump.begin(chosen.row())

    def _follow(self, _: int = 0) -> None:
        """Select the current step, except during a jump."""
        if self._jump.is_under_way:
            return
        history = self._history
        names = [self.tr("when opened"), *(history.text(step) for step in range(history.count()))]
        if names != self._names.stringList():
            self._names.setStringList(names)
        self.steps.setCurrentIndex(self._names.index(history.index(), 0))
