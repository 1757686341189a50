"""What can be read on a widget."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget


def shown_texts(widget: QWidget) -> list[str]:
    """The texts of the labels that are visible."""
    return [each.text() for each in widget.findChildren(QLabel) if each.isVisible() and each.text()]
