"""Labels and tool tips for untrusted texts, and labels of rich text with links."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QTextDocumentFragment
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QLabel, QMenu, QVBoxLayout, QWidget

from anaphora.core.text import has_han
from anaphora.editor.appearance.theme import Theme


def plain_label(text: str = "", role: str = "") -> QLabel:
    """A label that shows markup as plain text; `role` selects its style in the style sheet."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", role or None)
    return label


def plain_tip(text: str) -> str:
    """The text of a tool tip that shows markup as plain text."""
    if not GuiQt.mightBeRichText(text):
        return text
    return html.escape(text, quote=False).replace("\n", "<br>")


def plain_action(text: str) -> str:
    """The text of a menu entry or button in which an ampersand does not mark a mnemonic."""
    return text.replace("&", "&&")


def short_path(path: Path) -> str:
    """A path for display, with “~” for the home folder."""
    home = Path.home()
    return str(Path("~", path.relative_to(home))) if path.is_relative_to(home) else str(path)


_BREAK = "\u200b"
_LONG_RUN = re.compile(r"(<[^<>]+>)|((?:&[^\s;&]{1,32};|[^\s<&⺀-\U0010ffff]){24})(?=[^\s<⺀-\U0010ffff])")
"""An HTML tag, or 24 characters of a longer word. Chinese is excluded, because Qt breaks it anywhere."""


def breakable(rich_text: str) -> str:
    """A rich text that can be broken after every 24 characters without a space."""
    return _LONG_RUN.sub(lambda match: match[1] or match[2] + _BREAK, rich_text)


class BreakingLabel(QLabel):
    """A label of rich text that also wraps long words. `text` and copied text do not contain the breaks."""

    def __init__(self) -> None:
        super().__init__()
        self._original = ""
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)

    def setText(self, text: str) -> None:  # noqa: N802
        self._original = text
        super().setText(breakable(text))

    def text(self) -> str:
        return self._original

    def selectedText(self) -> str:  # noqa: N802
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


WORD_JOINER = "\u2060"


def rich_label() -> QLabel:
    """A label of wrapped, selectable rich text, whose links work with the mouse and the keyboard."""
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
    """Set lines of rich text as the description that a screen reader reads after a label's name."""
    plain = (QTextDocumentFragment.fromHtml(line).toPlainText() for line in lines)
    label.setAccessibleDescription("\n".join(plain))


class Lines(QWidget):
    """Lines of rich text whose links are segment ids; `changed` is emitted with the new number of lines."""

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

    def link(self, segment_id: str, text: str) -> str:
        style = f"color:{self._theme.colours.accent};text-decoration:none"
        if has_han(text):
            # Without word joiners, a line might break between the Chinese characters of the link.
            text = WORD_JOINER.join(text)
        return f'<a style="{style}" href="{html.escape(segment_id)}">{html.escape(text)}</a>'

    def muted(self, text: str) -> str:
        return f'<span style="color:{self._theme.colours.muted}">{html.escape(text)}</span>'
