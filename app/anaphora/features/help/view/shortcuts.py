"""The dialog to view and change keyboard shortcuts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from anaphora.editor.actions.actions import DEFAULT, PRESETS, Keymap
from anaphora.editor.widgets.dialogs import (
    closing_buttons,
    set_up_dialog,
    side_button,
    side_by_side,
    stack,
    wrapped,
)
from anaphora.editor.widgets.filter_chips import SearchLine
from anaphora.editor.widgets.rail import listing, top_items

NAME_ROLE = Qt.ItemDataRole.UserRole + 1


class ShortcutsDialog(QDialog):
    """Lists all actions with their keys; changes take effect at once."""

    def __init__(self, keymap: Keymap, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keymap = keymap
        set_up_dialog(self, self.tr("Keyboard shortcuts"), 560, 660)
        self.presets = QComboBox()
        self.presets.setAccessibleName(self.tr("Shortcut preset"))
        for preset in PRESETS:
            self.presets.addItem(self.tr("Default") if preset == DEFAULT else preset, preset)
        self.presets.setCurrentIndex(self.presets.findData(keymap.preset))
        self.search = SearchLine(self.tr("Find an action or a shortcut"))
        self.list = self._make_list()
        self.recorder = QKeySequenceEdit()
        self.recorder.setMaximumSequenceLength(1)
        self.recorder.setAccessibleName(self.tr("New shortcut for the selected action"))
        for field in self.recorder.findChildren(QLineEdit):
            field.setAccessibleName(self.recorder.accessibleName())
        self.remove_button = side_button(self.tr("&Remove"), lambda: self._bind(QKeySequence()))
        self.restore_button = side_button(self.tr("Restore &default"), self._restore)
        self.message = wrapped(role="muted")
        self.message.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self._lay_out()
        self.search.textChanged.connect(self._filter_actions)
        self.presets.currentIndexChanged.connect(self._choose_preset)
        self.list.currentItemChanged.connect(lambda *_: self._show_current())
        self.recorder.keySequenceChanged.connect(self._bind)
        self._fill()
        self.list.setCurrentItem(top_items(self.list)[0])
        self.search.setFocus()

    def select(self, name: str) -> None:
        for item in top_items(self.list):
            if item.data(0, NAME_ROLE) == name:
                self.list.setCurrentItem(item)

    def _make_list(self) -> QTreeWidget:
        result = listing(self.tr("Actions and their shortcuts"), [self.tr("Action"), self.tr("Shortcuts")])
        result.setAlternatingRowColors(True)
        header = result.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        for name in self._keymap.names():
            item = QTreeWidgetItem([self._keymap.title(name), ""])
            item.setData(0, NAME_ROLE, name)
            result.addTopLevelItem(item)
        return result

    def _lay_out(self) -> None:
        label = QLabel(self.tr("Shortcut &preset:"))
        label.setBuddy(self.presets)
        top = side_by_side(label, self.presets, grows=self.presets)
        new = QLabel(self.tr("&New shortcut:"))
        new.setBuddy(self.recorder)
        change = side_by_side(
            new, self.recorder, self.remove_button, self.restore_button, grows=self.recorder
        )
        buttons = closing_buttons(self)
        stack(self, top, self.search, self.list, change, self.message, buttons, grows=self.list)

    def _fill(self) -> None:
        for item in top_items(self.list):
            name = item.data(0, NAME_ROLE)
            item.setText(1, self._keymap.label(name))
            font = item.font(1)
            font.setBold(self._keymap.is_changed(name))
            item.setFont(1, font)
        self._enable()

    def _filter_actions(self) -> None:
        words = self.search.text().casefold().split()
        for item in top_items(self.list):
            text = f"{item.text(0)} {item.text(1)}".casefold()
            item.setHidden(not all(word in text for word in words))
        visible_items = [item for item in top_items(self.list) if not item.isHidden()]
        current = self.list.currentItem()
        if visible_items and (current is None or current.isHidden()):
            self.list.setCurrentItem(visible_items[0])

    def _current(self) -> str:
        item = self.list.currentItem()
        return item.data(0, NAME_ROLE) if item is not None else ""

    def _show_current(self) -> None:
        name = self._current()
        keys = self._keymap.keys(name) if name else []
        self._show_key(keys[0] if keys else QKeySequence())
        self._show_message(self.tr("Press the new shortcut in the field. Changed shortcuts are bold."))
        self._enable()

    def _enable(self) -> None:
        name = self._current()
        self.remove_button.setEnabled(bool(name and self._keymap.keys(name)))
        self.restore_button.setEnabled(bool(name and self._keymap.is_changed(name)))

    def _show_key(self, key: QKeySequence) -> None:
        self.recorder.blockSignals(True)
        self.recorder.setKeySequence(key)
        self.recorder.blockSignals(False)

    def _bind(self, sequence: QKeySequence) -> None:
        if name := self._current():
            self._report(name, self._keymap.bind(name, sequence))

    def _restore(self) -> None:
        if name := self._current():
            self._report(name, self._keymap.restore(name))

    def _report(self, name: str, problem: str) -> None:
        self._fill()
        keys = self._keymap.keys(name)
        self._show_key(keys[0] if keys else QKeySequence())
        if problem:
            self._show_message(problem, wrong=True)
        else:
            text = self._keymap.label(name) or self.tr("none")
            self._show_message(self.tr("Shortcuts for “{0}”: {1}").format(self._keymap.title(name), text))

    def _choose_preset(self, number: int) -> None:
        self._keymap.choose(str(self.presets.itemData(number)))
        self._fill()
        self._show_current()

    def _show_message(self, text: str, wrong: bool = False) -> None:
        self.message.setProperty("role", "wrong" if wrong else "muted")
        self.message.style().polish(self.message)
        self.message.setText(text)
