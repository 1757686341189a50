"""Untrusted texts in labels and tool tips, in which Qt would render markup as rich text.

A file name, a segment or an error message may contain `<img src=…>`. As rich text it would be hidden, and
could load a picture from the disk or show a link.
"""

from __future__ import annotations

import html
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QLabel


def plain_label(text: str = "", role: str = "") -> QLabel:
    """A label that shows text without rendering markup; the style sheet uses its role."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", role or None)
    return label


def plain_tip(text: str) -> str:
    """A text for a tool tip that is shown without rendering markup."""
    if not GuiQt.mightBeRichText(text):
        return text
    return html.escape(text, quote=False).replace("\n", "<br>")


def plain_action(text: str) -> str:
    """A text for a menu entry or button with visible ampersands."""
    return text.replace("&", "&&")


def short_path(path: Path) -> str:
    """A path for display: the home folder is shown as ~."""
    home = Path.home()
    return str(Path("~", path.relative_to(home))) if path.is_relative_to(home) else str(path)
