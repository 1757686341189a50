"""Shows what comes with a model: its card, in Markdown as a rule, and texts of licences."""

from __future__ import annotations

import re
from collections.abc import Iterable

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QImage,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QTextBrowser

from anaphora.core.installed_model import ModelText

_MARKDOWN = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_HEAD = re.compile(r"\A\ufeff?---[ \t]*(\r?\n.*?\n)---[ \t]*\r?\n", re.DOTALL)
"""The head of a card on Hugging Face, which names the licence; Qt would leave it out."""
_MOST_BARS = 2000
"""With more of them, in tables, Qt takes seconds: such a card is shown as it is written."""


class CardView(QTextBrowser):
    """Texts below each other. They may be a stranger's: no picture is loaded, only web pages are opened."""

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        # A bar that comes and goes would change the width: a long card would be laid out twice.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.anchorClicked.connect(_open)

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802
        """An invisible dot. For an empty name, Qt would look for a file."""
        return QImage(b"\0\0\0\0", 1, 1, QImage.Format.Format_ARGB32)

    def add(self, texts: Iterable[ModelText]) -> None:
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()  # what is shown is laid out once
        for text in texts:
            cursor.movePosition(QTextCursor.MoveOperation.End)
            if not self.document().isEmpty():
                cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
            if text.is_markdown and text.text.count("|") <= _MOST_BARS:
                cursor.insertMarkdown(_HEAD.sub(r"```\1```\n", text.text), _MARKDOWN)
            else:
                cursor.insertText(text.text, QTextCharFormat())
        cursor.endEditBlock()

    def show_texts(self, texts: Iterable[ModelText]) -> None:
        """Show these texts and no others, from their beginning."""
        self.clear()
        self.add(texts)
        self.moveCursor(QTextCursor.MoveOperation.Start)


def _open(address: QUrl) -> None:
    if address.scheme() in ("http", "https"):
        QDesktopServices.openUrl(address)
