"""A search field with a placeholder and a clear button."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QToolButton


class SearchLine(QLineEdit):
    """A search field; screen readers read its name and that of the clear button."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear"))
