"""A label for rich text that also wraps text without blanks, such as an address or a path."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLabel, QMenu

_BREAK = "\u200b"
_TOGETHER = re.compile(r"(<[^<>]+>)|((?:&[^\s;&]{1,32};|[^\s<&⺀-\U0010ffff]){24})(?=[^\s<⺀-\U0010ffff])")
"""A run of 24 characters without a break: Qt's labels wrap only between words, but Chinese text anywhere."""


def breakable(rich_text: str) -> str:
    """A rich text with a possible line break after every 24 characters without a blank."""
    return _TOGETHER.sub(lambda found: found[1] or found[2] + _BREAK, rich_text)


class BreakingLabel(QLabel):
    """A label of rich text; `text` and copies do not contain the added breaks."""

    def __init__(self) -> None:
        super().__init__()
        self._given = ""
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)

    def setText(self, text: str) -> None:  # noqa: N802
        self._given = text
        super().setText(breakable(text))

    def text(self) -> str:
        return self._given

    def selectedText(self) -> str:  # noqa: N802
        """The selected part of the original text."""
        return super().selectedText().replace(_BREAK, "")

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy"), self._copy)
        copy.setEnabled(self.hasSelectedText())
        menu.popup(event.globalPos())

    def _copy(self) -> None:
        if text := self.selectedText():
            QGuiApplication.clipboard().setText(text)
