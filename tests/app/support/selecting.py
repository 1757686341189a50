"""Selection of text by its content."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QTextEdit


def select(edit: QTextEdit, text: str) -> None:
    """Select the first occurrence of a text."""
    cursor = edit.textCursor()
    start = edit.toPlainText().index(text)
    cursor.setPosition(start)
    cursor.setPosition(start + len(text), QTextCursor.MoveMode.KeepAnchor)
    edit.setTextCursor(cursor)
