"""A message line above a document, hidden while empty."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from anaphora.editor.widgets.link_label import LinkLabel
from anaphora.editor.widgets.plain_text import plain_label


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
