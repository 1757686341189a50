"""Lists of a project's memory rules and memory packs, with removal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QListWidgetItem, QWidget

from anaphora.core.tags import readable_tags
from anaphora.editor.widgets.buttons import side_button
from anaphora.editor.widgets.dialogs import begin, closing_buttons, stack, wrapped
from anaphora.editor.widgets.panel import NumberOf
from anaphora.features.explain.view.effects import origin_text
from anaphora.features.steering.rules import Rules
from anaphora_nmt.types import MemoryRule


class ListDialog(QDialog):
    """The items, one per line. `removed`: an item to remove."""

    removed = Signal(object)

    def __init__(self, held: Callable[[], Sequence[object]], parent: QWidget | None) -> None:
        super().__init__(parent)
        begin(self, "", 600, 320)
        self._held = held
        self._about = wrapped()
        self.list = QListWidget()
        self.buttons = closing_buttons(self)
        self.remove = side_button("", self._remove)
        self.buttons.addButton(self.remove, QDialogButtonBox.ButtonRole.ActionRole)
        stack(self, self._about, self.list, self.buttons, grows=self.list)

    def _name(self, title: str, about: str, take_back: str) -> None:
        """Name all parts, and show what holds."""
        self.setWindowTitle(title)
        self.list.setAccessibleName(title)
        self._about.setText(about)
        self.remove.setText(take_back)
        self.follow()

    def follow(self) -> None:
        """Show what holds now."""
        held = self._held()
        self.list.clear()
        for each in held:
            item = QListWidgetItem(self.describe(each))
            item.setData(Qt.ItemDataRole.UserRole, each)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.remove.setEnabled(bool(held))

    def describe(self, held: Any) -> str:
        raise NotImplementedError

    def _remove(self) -> None:
        if (item := self.list.currentItem()) is not None:
            self.removed.emit(item.data(Qt.ItemDataRole.UserRole))


class MemoryRulesDialog(ListDialog):
    """The translator's memory rules."""

    def __init__(
        self, rules: Callable[[], Rules], number_of: NumberOf, parent: QWidget | None = None
    ) -> None:
        super().__init__(rules, parent)
        self._number_of = number_of
        title = self.tr("Memory rules")
        about = self.tr("No rules yet. To add one, right-click a word in Details, Memory.")
        self._name(title, about, self.tr("Remove"))

    def follow(self) -> None:
        super().follow()
        self._about.setVisible(self.list.count() == 0)

    def describe(self, held: MemoryRule) -> str:
        """A rule in a sentence."""
        word, number = readable_tags(held.word), origin_text(held.segment, self._number_of)
        if held.topic:
            return self.tr("“{0}” was removed from the topic words").format(word)
        if not held.word:
            return self.tr("Segment {0} is not remembered.").format(number)
        what = self.tr("“{0}” from segment {1}").format(word, number) if held.segment else f"“{word}”"
        said = []
        if held.weight == 0:
            said.append(self.tr("forgotten"))
        elif held.weight != 1:
            said.append(self.tr("counts more") if held.weight > 1 else self.tr("counts less"))
        if held.instead:
            said.append(self.tr("remembered as “{0}”").format(readable_tags(held.instead)))
        if held.pinned:
            said.append(self.tr("pinned"))
        return f"{what}: {', '.join(said)}"
