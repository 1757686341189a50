"""Comments on the current segment, and its history."""

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
from anaphora.core.shortening import shortened
from anaphora.core.tags import readable_tags
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.compared import compared
from anaphora.editor.widgets.sentence import Lines, describe, rich_label
from anaphora.editor.widgets.tag_chips import with_chips

MAX_LINES = 12


def local_time(moment: str) -> str:
    """A time stamp in local time and format; "" if it is invalid."""
    try:
        local = datetime.fromisoformat(moment).astimezone()
    except (ValueError, OverflowError):
        return ""
    if local.date() == datetime.now().astimezone().date():
        return local.strftime("%H:%M")
    day = QDate(local.year, local.month, local.day)
    return QLocale().toString(day, QLocale.FormatType.ShortFormat) + local.strftime(" %H:%M")


class CommentsPanel(QWidget):
    """The comments on a segment, and a field to add one.

    Signals:
        removal_requested: the Comment to remove.
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
            # Ctrl+Enter also adds the comment here, instead of confirming the translation.
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
                # Keep the typed text.
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
        about = " · ".join(part for part in (comment.author, local_time(comment.moment)) if part)
        link = f'<a style="color:{colours.accent};text-decoration:none" href="{html.escape(comment.id)}">'
        remove = f"{link}{html.escape(self.tr('remove'))}</a>"
        text = html.escape(readable_tags(shortened(comment.text))).replace("\n", "<br>")
        head = f'<span style="color:{colours.muted}">{html.escape(about)} · </span>{remove}'
        return f'<p style="margin:0 0 6px 0">{text}<br>{head}</p>'


class HistoryLines(Lines):
    """The earlier texts of a segment, the newest first, each with its changes."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.set_title(self.tr("History of the current segment"))

    def show_history(
        self, states: Sequence[PastState], labels: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Show a segment's earlier states; `labels`: of its tags."""
        texts = [shortened(state.target) for state in states]
        steps = [*zip(states, ["", *texts], texts, strict=False)]
        lines = [self._line(*step, labels) for step in reversed(steps[-MAX_LINES:])]
        if len(states) > 2 and texts[0] != texts[-1]:
            whole = compared(self._theme, texts[0], texts[-1], labels)
            lines.insert(0, f"{self.muted(self.tr('From the draft to now:'))}<br>{whole}")
        self.show_lines(lines[:MAX_LINES])

    def _line(self, state: PastState, before: str, text: str, labels: Mapping[str, str]) -> str:
        is_draft = state.author == MACHINE
        author = self.tr("machine") if is_draft else state.author
        names = {Status.EDITED: self.tr("edited"), Status.CONFIRMED: self.tr("confirmed")}
        # A person returns to a draft, or to an empty target, only by an undo.
        status = names.get(state.status, self.tr("draft") if is_draft else self.tr("undone"))
        about = self.muted(" · ".join(part for part in (status, author, local_time(state.moment)) if part))
        if text == before:
            return about
        shown = (
            compared(self._theme, before, text, labels)
            if before
            else with_chips(html.escape(text), labels, self._theme.colours)
        )
        return f"{about}<br>{shown}"
