"""The window's actions by name, and the keymap, which assigns their keys."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QKeyCombination, QObject, QSettings, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow

from anaphora.editor.actions.entries import Action
from anaphora.editor.appearance.theme import Theme, icon
from anaphora.system.interface_language import without_mnemonic
from anaphora.system.locations import RESOURCES


class Actions(QObject):
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
        action.setEnabled(declared.is_global)
        action.triggered.connect(lambda _=False: declared.do())
        if declared.beside_icon:
            action.setIconText(f" {declared.beside_icon}")  # styles leave no space after the icon
        if declared.icon:
            self._show_icon(declared.name, declared.icon)
        self._window.addAction(action)

    def names(self) -> tuple[str, ...]:
        return tuple(self._declared)

    def title(self, name: str) -> str:
        return without_mnemonic(self._declared[name].text).rstrip("…")

    def default_keys(self, name: str) -> Sequence[str]:
        return self._declared[name].keys.split()

    def key_text(self, name: str) -> str:
        return self._actions[name].shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    def set_keys(self, name: str, keys: Sequence[QKeySequence]) -> None:
        self._actions[name].setShortcuts(list(keys))
        self._actions[name].setToolTip(f"{self.title(name)}  {self.key_text(name)}".strip())

    def carry_out(self, keys: QKeySequence) -> bool:
        """Trigger the first enabled action with this key; False if there is none."""
        for action in self._actions.values():
            if action.isEnabled() and keys in action.shortcuts():
                action.trigger()
                return True
        return False

    def set_document_open(self, is_open: bool) -> None:
        for name, declared in self._declared.items():
            if not declared.is_global:
                self._actions[name].setEnabled(is_open)

    def show_as(self, name: str, text: str, icon_name: str) -> None:
        self._actions[name].setText(text)
        self._show_icon(name, icon_name)

    def update_icons(self) -> None:
        for name, shown in self._icons.items():
            self._show_icon(name, shown)

    def _show_icon(self, name: str, icon_name: str) -> None:
        self._icons[name] = icon_name
        colours = self._theme.colours
        self._actions[name].setIcon(icon(icon_name, colours.text, colours.not_started))


DEFAULT = "Default"
PRESETS: Mapping[str, Mapping[str, Sequence[str]]] = {
    DEFAULT: {},
    **tomllib.loads((RESOURCES / "keys.toml").read_text("utf-8")),
}
"""For each preset, the keys of those actions whose keys differ from the defaults."""


PRESET_SETTING = "keys/preset"
OWN_SETTING = "keys/{0}/{1}"  # preset, action
_NATIVE = QKeySequence.SequenceFormat.NativeText
_MODIFIERS = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
_TEXT_KEYS = ("Ctrl+A", "Ctrl+C", "Ctrl+V", "Ctrl+X", "Ctrl+Left", "Ctrl+Right", "Ctrl+Backspace")


def _pressed(sequence: QKeySequence) -> QKeyCombination:
    return sequence[0]  # type: ignore[index, no-any-return]


def with_keypad(sequence: QKeySequence) -> list[QKeySequence]:
    """The key itself; for Return or Enter (on the keypad), also the other one."""
    if sequence.isEmpty():
        return []
    pressed = _pressed(sequence)
    twins = {Qt.Key.Key_Return: Qt.Key.Key_Enter, Qt.Key.Key_Enter: Qt.Key.Key_Return}
    if pressed.key() not in twins:
        return [sequence]
    return [sequence, QKeySequence(pressed.keyboardModifiers().value | twins[pressed.key()].value)]


class Keymap(QObject):
    """Assigns keys to actions, and stores the user's changes separately for each preset."""

    changed = Signal()

    def __init__(self, actions: Actions, settings: QSettings) -> None:
        super().__init__(actions)
        self._actions = actions
        self._settings = settings
        preset = str(settings.value(PRESET_SETTING, DEFAULT))
        self.preset = preset if preset in PRESETS else DEFAULT

    def names(self) -> tuple[str, ...]:
        return self._actions.names()

    def title(self, name: str) -> str:
        return self._actions.title(name)

    def keys(self, name: str) -> list[QKeySequence]:
        return self._actions[name].shortcuts()

    def label(self, name: str) -> str:
        """An action's keys for display. If they include both Return and Enter, the later one is left out."""
        keys = self.keys(name)
        twins = [twin for key in keys for twin in with_keypad(key)[1:]]
        main = [key for number, key in enumerate(keys) if key not in twins[:number] or number == 0]
        return ", ".join(key.toString(_NATIVE) for key in main)

    def all_keys(self) -> list[QKeySequence]:
        return [key for name in self.names() for key in self.keys(name)]

    def is_changed(self, name: str) -> bool:
        return self._settings.contains(OWN_SETTING.format(self.preset, name))

    def problem(self, name: str, sequence: QKeySequence) -> str:
        """The reason why an action cannot have a key; "" if it can, or if the key is empty."""
        if sequence.isEmpty():
            return ""
        shown = sequence.toString(_NATIVE)
        if self._writes_text(sequence):
            return self.tr("{0} is used for typing. Choose a function key, or add Ctrl or Alt.").format(shown)
        owner = self._owner(name, with_keypad(sequence))
        if owner:
            text = self.tr("{0} is already used for “{1}”. Choose another shortcut or change that one first.")
            return text.format(shown, self.title(owner))
        return ""

    def bind(self, name: str, sequence: QKeySequence) -> str:
        """Replace an action's keys with one key or none; returns the problem, or "" on success."""
        problem = self.problem(name, sequence)
        if not problem:
            text = QKeySequence.listToString(with_keypad(sequence), QKeySequence.SequenceFormat.PortableText)
            self._settings.setValue(OWN_SETTING.format(self.preset, name), text)
            self.apply()
        return problem

    def restore(self, name: str) -> str:
        """Restore an action's keys from the preset; returns the problem, or "" on success."""
        preset = self._preset_keys(name)
        owner = self._owner(name, preset)
        if owner:
            return self.tr("{0} is already used for “{1}”. Change that shortcut first.").format(
                ", ".join(key.toString(_NATIVE) for key in preset), self.title(owner)
            )
        self._settings.remove(OWN_SETTING.format(self.preset, name))
        self.apply()
        return ""

    def choose(self, preset: str) -> None:
        self.preset = preset
        self._settings.setValue(PRESET_SETTING, preset)
        self.apply()

    def apply(self) -> None:
        """Assign each action the keys that the user has set for it, or else the keys of the preset."""
        for name in self.names():
            stored = self._settings.value(OWN_SETTING.format(self.preset, name))
            keys = QKeySequence.listFromString(str(stored)) if stored is not None else self._preset_keys(name)
            self._actions.set_keys(name, keys)
        self.changed.emit()

    def _preset_keys(self, name: str) -> list[QKeySequence]:
        keys = PRESETS[self.preset].get(name, self._actions.default_keys(name))
        return [QKeySequence(key) for key in keys]

    def _owner(self, name: str, keys: Sequence[QKeySequence]) -> str:
        candidates = (each for each in self.names() if each != name)
        return next((each for each in candidates if any(key in self.keys(each) for key in keys)), "")

    @staticmethod
    def _writes_text(sequence: QKeySequence) -> bool:
        pressed = _pressed(sequence)
        is_function_key = Qt.Key.Key_F1 <= pressed.key() <= Qt.Key.Key_F35
        is_plain = not pressed.keyboardModifiers() & _MODIFIERS
        return (is_plain and not is_function_key) or any(sequence == QKeySequence(key) for key in _TEXT_KEYS)
