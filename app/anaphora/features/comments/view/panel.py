"""Comments about the sentence and its earlier texts."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from PySide6.QtCore import QDate, QEvent, QLocale, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from anaphora.core.records import MACHINE, Comment, PastState
from anaphora.core.segment import Status
from anaphora.core.tags import readable_tags
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.compared import compared
from anaphora.editor.widgets.sentence import Lines, describe, rich_label
from anaphora.editor.widgets.tag_chips import with_chips

MOST = 12
_LONGEST = 1000
"""Characters of a text that are compared and shown: the panel is narrow, and a comparison takes its time."""


def when(moment: str) -> str:
    """A moment in the reader's time and manner; empty for one that cannot be read."""
    try:
        local = datetime.fromisoformat(moment).astimezone()
    except (ValueError, OverflowError):
        return ""
    if local.date() == datetime.now().astimezone().date():
        return local.strftime("%H:%M")
    day = QDate(local.year, local.month, local.day)
    return QLocale().toString(day, QLocale.FormatType.ShortFormat) + local.strftime(" %H:%M")


class CommentsPanel(QWidget):
    """The comments on a segment, and a field for another one.

    Signals:
        removal_requested: a Comment.
    """

    added = Signal(str)
    removal_requested = Signal(object)
    left = Signal()
    changed = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._comments: tuple[Comment, ...] = ()
        self.text = rich_label()
        self.text.setAccessibleName(self.tr("Comments on the current segment"))
        self.text.linkActivated.connect(self._remove)
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Add a comment"))
        self.field.setAccessibleName(self.tr("Add a comment"))
        self.field.installEventFilter(self)
        self.setFocusProxy(self.field)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(2)
        box.addWidget(self.text)
        inner = QVBoxLayout()
        inner.setContentsMargins(14, 2, 14, 4)
        inner.addWidget(self.field)
        box.addLayout(inner)
        theme.changed.connect(self._fill)

    def show_comments(self, comments: Sequence[Comment]) -> None:
        self._comments = tuple(comments)
        self._fill()
        self.changed.emit(len(self._comments) + bool(self.field.text()))

    def eventFilter(self, watched: object, event: QEvent) -> bool:  # noqa: N802
        if not isinstance(event, QKeyEvent):
            return False
        entered = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.type() is QEvent.Type.ShortcutOverride and entered:
            # With Ctrl, too, Enter is for the comment here, not for the translation.
            event.accept()
            return True
        if event.type() is QEvent.Type.KeyPress:
            if entered:
                text = self.field.text()
                self.field.clear()
                if text.strip():
                    self.added.emit(text)
                self.left.emit()
                return True
            if event.key() == Qt.Key.Key_Escape:
                # The typed text stays for later.
                self.left.emit()
                return True
        return False

    def _remove(self, link: str) -> None:
        found = [comment for comment in self._comments if comment.id == link]
        if found:
            self.removal_requested.emit(found[0])

    def _fill(self) -> None:
        lines = [self._line(comment) for comment in self._comments]
        self.text.setText("".join(lines))
        describe(self.text, lines)
        self.text.setVisible(bool(self._comments))

    def _line(self, comment: Comment) -> str:
        colours = self._theme.colours
        about = " · ".join(part for part in (comment.author, when(comment.moment)) if part)
        link = f'<a style="color:{colours.accent};text-decoration:none" href="{html.escape(comment.id)}">'
        remove = f"{link}{html.escape(self.tr('remove'))}</a>"
        text = html.escape(readable_tags(_beginning(comment.text))).replace("\n", "<br>")
        head = f'<span style="color:{colours.muted}">{html.escape(about)} · </span>{remove}'
        return f'<p style="margin:0 0 6px 0">{text}<br>{head}</p>'


class HistoryLines(Lines):
    """The texts that a segment had, the newest first, each with what it changed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.set_title(self.tr("History of the current segment"))

    def show_history(
        self, states: Sequence[PastState], labels: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Show a segment's history; one that only the machine has touched has none."""
        texts = [_beginning(state.target) for state in states]
        steps = [*zip(states, ["", *texts], texts, strict=False)]
        lines = [self._line(*step, labels) for step in reversed(steps[-MOST:])]
        if len(states) > 2 and texts[0] != texts[-1]:
            whole = compared(self._theme, texts[0], texts[-1], labels)
            lines.insert(0, f"{self.muted(self.tr('From the draft to now:'))}<br>{whole}")
        self.show_lines(lines[:MOST])

    def _line(self, state: PastState, before: str, text: str, labels: Mapping[str, str]) -> str:
        who = self.tr("machine") if state.author == MACHINE else state.author
        names = {Status.EDITED: self.tr("edited"), Status.CONFIRMED: self.tr("confirmed")}
        what = names.get(state.status, self.tr("draft"))
        about = self.muted(" · ".join(part for part in (what, who, when(state.moment)) if part))
        if text == before:
            return about
        shown = (
            compared(self._theme, before, text, labels)
            if before
            else with_chips(html.escape(text), labels, self._theme.colours)
        )
        return f"{about}<br>{shown}"


def _beginning(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
