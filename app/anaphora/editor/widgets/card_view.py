"""A view for a model's card, usually in Markdown, and for its licences."""

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
_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*(\r?\n.*?\n)---[ \t]*\r?\n", re.DOTALL)
"""The front matter of a card from Hugging Face. Qt would not show it, although it names the licence."""
_MAX_BARS = 2000
"""Maximum number of vertical bars in a text shown as Markdown; Qt takes seconds for larger tables."""


class CardView(QTextBrowser):
    """Shows untrusted texts one below the other. It loads no pictures, and opens only links to web pages."""

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        # If the scroll bar appeared later, the width would change and a long card would be laid out twice.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.anchorClicked.connect(_open)

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802
        """Return an invisible dot for every picture, so that Qt does not search for a file."""
        return QImage(b"\0\0\0\0", 1, 1, QImage.Format.Format_ARGB32)

    def add(self, texts: Iterable[ModelText]) -> None:
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()  # one layout for all insertions
        for text in texts:
            cursor.movePosition(QTextCursor.MoveOperation.End)
            if not self.document().isEmpty():
                cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
            if text.is_markdown and text.text.count("|") <= _MAX_BARS:
                cursor.insertMarkdown(_FRONT_MATTER.sub(r"```\1```\n", text.text), _MARKDOWN)
            else:
                cursor.insertText(text.text, QTextCharFormat())
        cursor.endEditBlock()

    def show_texts(self, texts: Iterable[ModelText]) -> None:
        self.clear()
        self.add(texts)
        self.moveCursor(QTextCursor.MoveOperation.Start)


def _open(address: QUrl) -> None:
    if address.scheme() in ("http", "https"):
        QDesktopServices.openUrl(address)
