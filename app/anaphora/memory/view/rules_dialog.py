"""What the translator has said about the memory, to be read and taken back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from anaphora.core.steering import Rules
from anaphora.core.tags import readable_tags
from anaphora.memory.view.effects import origin_text
from anaphora.views.widgets.dialog_size import resize_within_screen
from anaphora.views.widgets.panel import NumberOf, note
from anaphora_nmt.types import MemoryRule


class MemoryRulesDialog(QDialog):
    """The rules, a line each. `removed`: the MemoryRule that is to be taken back."""

    removed = Signal(object)

    def __init__(
        self, rules: Callable[[], Rules], number_of: NumberOf, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._rules = rules
        self._number_of = number_of
        self.setWindowTitle(self.tr("What you said about the memory"))
        resize_within_screen(self, 560, 320)
        self._about = note(self.tr("Nothing yet: right-click a word under Details, Memory."))
        self.list = QListWidget()
        self.list.setAccessibleName(self.windowTitle())
        self.remove = QPushButton(self.tr("Take back"))
        self.remove.clicked.connect(self._remove)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.remove, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.setContentsMargins(18, 16, 18, 14)
        box.addWidget(self._about)
        box.addWidget(self.list, 1)
        box.addWidget(buttons)
        self.follow()

    def follow(self) -> None:
        rules = self._rules()
        self.list.clear()
        for rule in rules:
            item = QListWidgetItem(self.describe(rule))
            item.setData(Qt.ItemDataRole.UserRole, rule)
            self.list.addItem(item)
        self._about.setVisible(not rules)
        self.remove.setEnabled(bool(rules))
        self.list.setCurrentRow(0)

    def describe(self, rule: MemoryRule) -> str:
        word, number = readable_tags(rule.word), origin_text(rule.segment, self._number_of)
        if rule.topic:
            return self.tr("“{0}” was taken from the topic words").format(word)
        if not rule.word:
            return self.tr("Nothing of segment {0} is remembered.").format(number)
        what = self.tr("“{0}” from segment {1}").format(word, number) if rule.segment else f"“{word}”"
        said = []
        if rule.weight == 0:
            said.append(self.tr("forgotten"))
        elif rule.weight != 1:
            said.append(self.tr("counts more") if rule.weight > 1 else self.tr("counts less"))
        if rule.instead:
            said.append(self.tr("remembered as “{0}”").format(readable_tags(rule.instead)))
        if rule.pinned:
            said.append(self.tr("pinned"))
        return f"{what}: {', '.join(said)}"

    def _remove(self) -> None:
        if (item := self.list.currentItem()) is not None:
            self.removed.emit(item.data(Qt.ItemDataRole.UserRole))
