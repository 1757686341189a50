"""Buttons that Enter leaves alone."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton


def side_button(text: str, press: Callable[[], object]) -> QPushButton:
    """A button that a dialog does not take for the one that Enter presses."""
    button = QPushButton(text)
    button.setAutoDefault(False)
    button.clicked.connect(lambda _=False: press())
    return button
