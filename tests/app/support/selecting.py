"""Actions of the mouse: text selected by its content, and a file dropped on a window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QTextCursor
from PySide6.QtWidgets import QMainWindow, QTextEdit


def select(edit: QTextEdit, text: str) -> None:
    """Select the first occurrence of a text."""
    cursor = edit.textCursor()
    start = edit.toPlainText().index(text)
    cursor.setPosition(start)
    cursor.setPosition(start + len(text), QTextCursor.MoveMode.KeepAnchor)
    edit.setTextCursor(cursor)


def drop(window: QMainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(50, 50), copy, data, left, none))
