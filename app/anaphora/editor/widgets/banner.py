"""Labels with links, and the message line above a document, which is hidden while empty."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QWidget

from anaphora.editor.widgets.plain_text import plain_label


class LinkLabel(QLabel):
    """Rich text with links, which open in the browser.

    Qt fixes a link's colour when the text is set; here it follows the palette.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setOpenExternalLinks(True)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            # The same text again would change nothing.
            text = self.text()
            self.clear()
            self.setText(text)


def banner(text: str = "") -> QLabel:
    label = plain_label(text, "banner")
    label.setWordWrap(True)
    label.hide()
    return label


def link_banner(text: str) -> LinkLabel:
    """A banner whose link triggers an action in the window."""
    label = LinkLabel(text)
    label.setOpenExternalLinks(False)
    flags = Qt.TextInteractionFlag
    label.setTextInteractionFlags(flags.LinksAccessibleByMouse | flags.LinksAccessibleByKeyboard)
    label.setProperty("role", "banner")
    label.hide()
    return label
