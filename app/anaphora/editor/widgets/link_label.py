"""A label with links in the colours of the current theme."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QWidget


class LinkLabel(QLabel):
    """Rich text with links, which open in the browser.

    Qt colours a link when the text is set; this label follows later changes of the palette.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setOpenExternalLinks(True)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            # Qt ignores an unchanged text.
            text = self.text()
            self.clear()
            self.setText(text)
