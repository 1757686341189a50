"""Message boxes that do not block the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget


def _box(parent: QWidget, icon: QMessageBox.Icon, title: str, message: str, advice: str) -> QMessageBox:
    box = QMessageBox(parent)
    box.setIcon(icon)
    box.setWindowTitle(title)
    box.setText(message)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(advice)
    # Otherwise the label of the advice would render markup and open links.
    for label in box.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box


def show_error(parent: QWidget, title: str, message: str, advice: str = "") -> QMessageBox:
    """Show an error and its remedy; returns at once."""
    box = _box(parent, QMessageBox.Icon.Warning, title, message, advice)
    box.open()
    return box


def show_note(parent: QWidget, title: str, message: str) -> QMessageBox:
    """Show a message that needs no action; returns at once."""
    box = _box(parent, QMessageBox.Icon.Information, title, message, "")
    box.open()
    return box


def ask(
    parent: QWidget,
    title: str,
    message: str,
    advice: str,
    accept: str,
    on_accept: Callable[[], None],
    loses_work: bool = False,
) -> QMessageBox:
    """Ask for confirmation of an important action.

    Args:
        accept: the label of the button that confirms.
        loses_work: make Cancel the default button.
    """
    box = _box(parent, QMessageBox.Icon.Question, title, message, advice)
    role = QMessageBox.ButtonRole
    agree = box.addButton(accept, role.DestructiveRole if loses_work else role.AcceptRole)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    if loses_work:
        box.setDefaultButton(cancel)
    agree.clicked.connect(on_accept)
    box.open()
    return box


def choose(
    parent: QWidget, title: str, message: str, advice: str, choices: Sequence[tuple[str, Callable[[], None]]]
) -> QMessageBox:
    """Let the user choose an action, the recommended one first; closing the box does nothing."""
    box = _box(parent, QMessageBox.Icon.Question, title, message, advice)
    for label, act in choices:
        button = box.addButton(label, QMessageBox.ButtonRole.AcceptRole)
        button.clicked.connect(act)
    later = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setEscapeButton(later)
    box.open()
    return box
