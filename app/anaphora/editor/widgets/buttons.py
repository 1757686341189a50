"""Buttons that Enter does not press."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton


def side_button(text: str, press: Callable[[], object]) -> QPushButton:
    """A button that is never a dialog's default button."""
    button = QPushButton(text)
    button.setAutoDefault(False)
    button.clicked.connect(lambda _=False: press())
    return button
