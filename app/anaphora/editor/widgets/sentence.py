"""Parts of the rail's sections: lines of rich text with links to segments."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from anaphora.core.text import has_han
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.breaking_label import BreakingLabel

WORD_JOINER = "\u2060"


def rich_label() -> QLabel:
    """A label of wrapped rich text with links that can be used by keyboard."""
    label = BreakingLabel()
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    label.setContentsMargins(14, 4, 14, 4)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.LinksAccessibleByMouse
        | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        | Qt.TextInteractionFlag.TextSelectableByMouse
    )
    return label


def describe(label: QLabel, lines: Sequence[str]) -> None:
    """Let a screen reader read a label's content after its name."""
    plain = (QTextDocumentFragment.fromHtml(line).toPlainText() for line in lines)
    label.setAccessibleDescription("\n".join(plain))


class Lines(QWidget):
    """A block of rich text whose links are ids of segments."""

    segment_requested = Signal(str)
    changed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.text = rich_label()
        self.text.linkActivated.connect(self.segment_requested)
        self.setFocusProxy(self.text)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.text)

    def set_title(self, title: str) -> None:
        self.text.setAccessibleName(title)

    def show_lines(self, lines: list[str]) -> None:
        describe(self.text, lines)
        self.text.setText("".join(f'<p style="margin:0 0 5px 0">{line}</p>' for line in lines))
        self.changed.emit(len(lines))

    def link(self, segment: str, text: str) -> str:
        style = f"color:{self._theme.colours.accent};text-decoration:none"
        if has_han(text):
            # Otherwise a line might break between its Chinese characters.
            text = WORD_JOINER.join(text)
        return f'<a style="{style}" href="{html.escape(segment)}">{html.escape(text)}</a>'

    def muted(self, text: str) -> str:
        return f'<span style="color:{self._theme.colours.muted}">{html.escape(text)}</span>'
