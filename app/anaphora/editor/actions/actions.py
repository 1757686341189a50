"""The window's actions by name, with their keys, icons, tooltips and enabled states."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow

from anaphora.editor.actions.entries import Action
from anaphora.editor.appearance.icons import icon
from anaphora.editor.appearance.theme import Theme
from anaphora.system.interface_language import without_mnemonic


class Actions(QObject):
    """Every action of the main window, by name."""

    def __init__(self, window: QMainWindow, theme: Theme) -> None:
        super().__init__(window)
        self._theme = theme
        self._window = window
        self._declared: dict[str, Action] = {}
        self._actions: dict[str, QAction] = {}
        self._icons: dict[str, str] = {}
        theme.changed.connect(self.update_icons)

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def add(self, declared: Action) -> None:
        if declared.name in self._declared:
            raise ValueError(f"two actions are called {declared.name}")
        self._declared[declared.name] = declared
        action = self._actions[declared.name] = QAction(declared.text, self._window)
        action.setEnabled(declared.always)
        action.triggered.connect(lambda _=False: declared.do())
        if declared.beside_icon:
            action.setIconText(f" {declared.beside_icon}")  # styles leave no space after the icon
        if declared.icon:
            self._show_icon(declared.name, declared.icon)
        self._window.addAction(action)

    def names(self) -> tuple[str, ...]:
        return tuple(self._declared)

    def title(self, name: str) -> str:
        """The title of an action outside of menus."""
        return without_mnemonic(self._declared[name].text).rstrip("…")

    def default_keys(self, name: str) -> Sequence[str]:
        return self._declared[name].keys.split()

    def key_text(self, name: str) -> str:
        return self._actions[name].shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    def set_keys(self, name: str, keys: Sequence[QKeySequence]) -> None:
        """Give an action its keys; its tooltip shows the first one."""
        self._actions[name].setShortcuts(list(keys))
        self._actions[name].setToolTip(f"{self.title(name)}  {self.key_text(name)}".strip())

    def carry_out(self, keys: QKeySequence) -> bool:
        """Trigger the enabled action of a key; False if there is none."""
        for action in self._actions.values():
            if action.isEnabled() and keys in action.shortcuts():
                action.trigger()
                return True
        return False

    def set_document_open(self, is_open: bool) -> None:
        for name, declared in self._declared.items():
            if not declared.always:
                self._actions[name].setEnabled(is_open)

    def show_as(self, name: str, text: str, icon_name: str) -> None:
        """Change the title and icon of an action."""
        self._actions[name].setText(text)
        self._show_icon(name, icon_name)

    def update_icons(self) -> None:
        for name, shown in self._icons.items():
            self._show_icon(name, shown)

    def _show_icon(self, name: str, icon_name: str) -> None:
        self._icons[name] = icon_name
        colours = self._theme.colours
        self._actions[name].setIcon(icon(icon_name, colours.text, colours.not_started))
