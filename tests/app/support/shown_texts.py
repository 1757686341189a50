"""The visible texts and the buttons of a widget."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget


def shown_texts(widget: QWidget) -> list[str]:
    """The texts of the labels that are visible when the widget is shown."""
    return [each.text() for each in widget.findChildren(QLabel) if each.isVisibleTo(widget) and each.text()]


def button(widget: QWidget, text: str) -> QAbstractButton:
    """The button, box or switch with this text."""
    return next(each for each in widget.findChildren(QAbstractButton) if each.text().replace("&", "") == text)
