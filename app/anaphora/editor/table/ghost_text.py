"""A grey text after the caret of a text field, which is not part of the field's text."""

from __future__ import annotations

from PySide6.QtGui import QColor, QTextBlock, QTextCharFormat, QTextCursor, QTextLayout
from PySide6.QtWidgets import QPlainTextEdit

from anaphora.core.tags import MARK
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.tag_chips import in_units


class GhostText:
    """Shows a text in the preedit area of an input method, so that it wraps with the rest.

    Tags are left out; they appear as chips when the user accepts the text.
    """

    def __init__(self, edit: QPlainTextEdit, theme: Theme) -> None:
        self.text = ""
        self._edit = edit
        self._theme = theme

    def show(self, text: str) -> bool:
        """Show a text at the caret instead of the previous one; True if it changed."""
        if text == self.text:
            return False
        self._put(text)
        return True

    def repaint(self) -> None:
        """Show the text again, for another theme or after a new layout."""
        self._put(self.text)

    def _put(self, text: str) -> None:
        self.text = text
        shown = MARK.sub("", text)
        caret = self._edit.textCursor()
        block = self._edit.document().firstBlock()
        cursor = QTextCursor(self._edit.document())
        cursor.beginEditBlock()
        while block.isValid():
            here = shown if block == caret.block() else ""
            self._put_into(block, caret.positionInBlock() if here else -1, here)
            block = block.next()
        cursor.endEditBlock()

    def _put_into(self, block: QTextBlock, place: int, text: str) -> None:
        layout = block.layout()
        if not text and not layout.preeditAreaText():
            return
        looks = [each for each in layout.formats() if each.start < block.length() - 1]  # type: ignore[attr-defined]
        layout.setPreeditArea(place, text)
        if text:
            look = QTextCharFormat()
            look.setForeground(QColor(self._theme.colours.muted))
            look.setFontItalic(True)
            stretch = QTextLayout.FormatRange()
            stretch.start, stretch.length = place, len(in_units(text))  # type: ignore[attr-defined]
            stretch.format = look  # type: ignore[attr-defined]
            looks.append(stretch)
        layout.setFormats(looks)
