"""A line over a document, hidden as long as there is nothing to say."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from anaphora.editor.widgets.link_label import LinkLabel


class Banner(QLabel):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # What a file or a library says is no markup.
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "banner")
        self.setWordWrap(True)
        self.hide()


class LinkBanner(LinkLabel):
    """A banner whose link does something in the window."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setOpenExternalLinks(False)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.LinksAccessibleByMouse | flags.LinksAccessibleByKeyboard)
        self.setProperty("role", "banner")
        self.hide()
