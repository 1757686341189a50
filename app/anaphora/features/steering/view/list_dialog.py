"""Dialogs for memory rules and the timeline, and the base class of dialogs with removable items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QStringListModel, Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListView, QListWidget, QListWidgetItem, QWidget

from anaphora.core.tags import readable_tags
from anaphora.editor.widgets.dialogs import closing_buttons, set_up_dialog, side_button, stack, wrapped
from anaphora.editor.widgets.rail import NumberOf, note
from anaphora.features.explain.view.effects import origin_text
from anaphora.features.steering.steering import HistoryJump, Rules
from anaphora.project.document.editing import Editing
from anaphora_nmt.types import MemoryRule


class ListDialog(QDialog):
    """A list of items that can be removed; emits `removal_requested` with the item to remove."""

    removal_requested = Signal(object)

    def __init__(self, items: Callable[[], Sequence[object]], parent: QWidget | None) -> None:
        super().__init__(parent)
        set_up_dialog(self, "", 600, 320)
        self._items = items
        self._about = wrapped()
        self.list = QListWidget()
        self.buttons = closing_buttons(self)
        self.remove = side_button("", self._remove)
        self.buttons.addButton(self.remove, QDialogButtonBox.ButtonRole.ActionRole)
        stack(self, self._about, self.list, self.buttons, grows=self.list)

    def _set_texts(self, title: str, about: str, remove: str) -> None:
        self.setWindowTitle(title)
        self.list.setAccessibleName(title)
        self._about.setText(about)
        self.remove.setText(remove)
        self.show_items()

    def show_items(self) -> None:
        items = self._items()
        self.list.clear()
        for each in items:
            item = QListWidgetItem(self.text_of(each))
            item.setData(Qt.ItemDataRole.UserRole, each)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.remove.setEnabled(bool(items))

    def text_of(self, item: Any) -> str:
        raise NotImplementedError

    def _remove(self) -> None:
        if (item := self.list.currentItem()) is not None:
            self.removal_requested.emit(item.data(Qt.ItemDataRole.UserRole))


class MemoryRulesDialog(ListDialog):
    def __init__(
        self, rules: Callable[[], Rules], number_of: NumberOf, parent: QWidget | None = None
    ) -> None:
        super().__init__(rules, parent)
        self._number_of = number_of
        title = self.tr("Memory rules")
        about = self.tr(
            "No rules yet. To add one, right-click a word in the “Memory” column on the “Word” tab of "
            "“Details”."
        )
        self._set_texts(title, about, self.tr("Remove"))

    def show_items(self) -> None:
        super().show_items()
        self._about.setVisible(self.list.count() == 0)

    def text_of(self, item: MemoryRule) -> str:
        word, number = readable_tags(item.word), origin_text(item.segment, self._number_of)
        if item.topic:
            return self.tr("“{0}” was removed from the topic words").format(word)
        if not item.word:
            return self.tr("Forgotten: {0}").format(number)
        name = self.tr("“{0}” from {1}").format(word, number) if item.segment else f"“{word}”"
        effects = []
        if item.weight == 0:
            effects.append(self.tr("forgotten"))
        elif item.weight != 1:
            effects.append(self.tr("stronger effect") if item.weight > 1 else self.tr("weaker effect"))
        if item.instead:
            effects.append(self.tr("remembered as “{0}”").format(readable_tags(item.instead)))
        if item.pinned:
            effects.append(self.tr("pinned"))
        return f"{name}: {', '.join(effects)}"


class TimelineDialog(QDialog):
    """Lists all undo steps; choosing one restores the document and its memory as they were after it."""

    def __init__(self, editing: Editing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up_dialog(self, self.tr("Timeline"), 420, 460)
        about = note(self.tr("Choose a step to return the document and its memory to that point."))
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
        # Uniform rows take the height of the first row, and the style sheet changes that height later.
        self.steps.scheduleDelayedItemsLayout()
        self.steps.selectionModel().currentChanged.connect(self._go)
        editing.stack.indexChanged.connect(self._follow)
        self._jump.ended.connect(self._follow)
        self.finished.connect(self._jump.stop)

    def _go(self, chosen: QModelIndex) -> None:
        if chosen.isValid() and (self._jump.is_under_way or chosen.row() != self._history.index()):
            self._jump.begin(chosen.row())

    def _follow(self, _: int = 0) -> None:
        if self._jump.is_under_way:
            return
        history = self._history
        names = [self.tr("when opened"), *(history.text(step) for step in range(history.count()))]
        if names != self._names.stringList():
            self._names.setStringList(names)
        self.steps.setCurrentIndex(self._names.index(history.index(), 0))
