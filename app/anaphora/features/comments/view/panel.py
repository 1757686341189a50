"""Panels with the notes, comments and history of the current segment, and the panels' controller."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import compress
from types import MappingProxyType

from PySide6.QtCore import QCoreApplication, QDate, QEvent, QLocale, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from anaphora.core.edits import MACHINE, ChangeSet, Comment, PastState
from anaphora.core.length_limits import is_unchecked_limit, length_limit
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment, Status
from anaphora.core.structure import shortened
from anaphora.core.tags import caption_of, closes, labels_of, readable_tags
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.feature import Desk
from anaphora.editor.table.segment_model import Role
from anaphora.editor.widgets.changes import compared
from anaphora.editor.widgets.rail import Panel
from anaphora.editor.widgets.sentence import Lines, describe, rich_label
from anaphora.editor.widgets.tag_chips import STYLES, with_chips
from anaphora.system.messages import localise_place

MAX_ROWS = 100
"""Maximum number of rows that `NotesPanel` shows."""


class NotesPanel(Panel):
    """Shows the notes of a segment, its length limit, and the meaning of its tags.

    Signals:
        counted: number of the segment's rows, including those that exceed `MAX_ROWS`.
    """

    counted = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._segment: Segment | None = None
        self.text = QLabel()
        self.text.setTextFormat(Qt.TextFormat.RichText)
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.text.setContentsMargins(14, 4, 14, 4)
        self.text.setAccessibleName(self.tr("Notes and tags of the current segment"))
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFocusProxy(self.text)
        self.box.addWidget(self.text)
        theme.changed.connect(self._show_again)
        self.show_segment(None)

    def show_segment(self, segment: Segment | None) -> None:
        self._segment = segment
        notes = segment.notes if segment else ()
        rows = [self._note(note) for note in notes if note.kind is not NoteKind.STRUCTURE]
        if segment is not None and (limit := length_limit(segment)) is not None:
            rows.insert(0, self._length(limit.length(segment), limit.maximum))
        tags = labels_of(segment) if segment else {}
        rows += [
            (self._chip(mark), _html_text(label or self.tr("formatting")))
            for mark, label in tags.items()
            if not closes(mark) and not _is_visible(mark, label)
        ]
        self.text.setVisible(bool(rows))
        self.text.setText(self._table(rows[:MAX_ROWS]))
        self.counted.emit(len(rows))

    def _show_again(self) -> None:
        self.show_segment(self._segment)

    def update_length(self, segment: Segment) -> None:
        if self._segment is not None and segment.id == self._segment.id and length_limit(segment) is not None:
            self.show_segment(segment)

    def _length(self, length: int, maximum: int) -> tuple[str, str]:
        text = self.tr("{0} of {1}").format(length, maximum)
        if length > maximum:
            text = f'<b style="color:{self._theme.colours.warning}">{text}</b>'
        return self.tr("Length"), text

    def _table(self, rows: list[tuple[str, str]]) -> str:
        muted = self._theme.colours.muted
        cells = (
            f'<tr><td style="color:{muted}; padding-right:14px; white-space:nowrap">{label}</td>'
            f'<td style="padding-bottom:4px">{text}</td></tr>'
            for label, text in rows
        )
        return f'<table cellspacing="0" cellpadding="0">{"".join(cells)}</table>' if rows else ""

    def _chip(self, mark: str) -> str:
        colours, number = self._theme.colours, mark.strip("{/}")
        style = f"background-color:{colours.accent_soft}; color:{colours.accent}"
        return f'<span style="{style}">&nbsp;{number}&nbsp;</span>'

    def _note(self, note: Note) -> tuple[str, str]:
        label = self._labels()[note.kind]
        if note.kind is NoteKind.PLURAL_FORM:
            return label.format(*note.details), _html_text(note.text)
        if note.kind is NoteKind.PLACE:
            return label, _html_text(localise_place(note.text))
        if note.kind is NoteKind.PROPERTY:
            return label, _html_text(": ".join((*note.details, note.text)))
        if is_unchecked_limit(note):
            label = self.tr("Length limit, not checked")
        details = f" ({_html_text(', '.join(note.details))})" if note.details else ""
        return label + details, _html_text(note.text)

    def _labels(self) -> dict[NoteKind, str]:
        return {
            NoteKind.PLACE: self.tr("Note"),
            NoteKind.NOTE: self.tr("Note"),
            NoteKind.PROPERTY: self.tr("Note"),
            NoteKind.COMMENT: self.tr("Comment"),
            NoteKind.TRANSLATOR_COMMENT: self.tr("Translator's comment"),
            NoteKind.CONTEXT: self.tr("Context"),
            NoteKind.NAME: self.tr("Name"),
            NoteKind.REFERENCES: self.tr("Location"),
            NoteKind.FLAGS: self.tr("Flags"),
            NoteKind.LENGTH_LIMIT: self.tr("Length limit"),
            NoteKind.PLURAL_FORM: self.tr("Plural form {0} of {1}"),
            NoteKind.SINGULAR: self.tr("Singular"),
            NoteKind.PLURAL: self.tr("Plural"),
            NoteKind.TIME: self.tr("Time"),
            NoteKind.SPEAKER: self.tr("Speaker"),
            NoteKind.STYLE: self.tr("Style"),
        }


def _is_visible(mark: str, label: str) -> bool:
    """True if the editor shows a tag's meaning anyway, as a style of the text or as the tag's caption."""
    return set(label.split(", ")) <= STYLES or caption_of(mark, label) != mark.strip("{}/")


def _html_text(text: str) -> str:
    return html.escape(shortened(text)).replace("\n", "<br>")


MAX_LINES = 12
"""Maximum number of history lines shown, including the line with all changes since the draft."""


def local_time(time_stamp: str) -> str:
    """A time stamp in local time, without the date if it is today; "" if the time stamp is invalid."""
    try:
        local = datetime.fromisoformat(time_stamp).astimezone()
    except (ValueError, OverflowError):
        return ""
    if local.date() == datetime.now().astimezone().date():
        return local.strftime("%H:%M")
    day = QDate(local.year, local.month, local.day)
    return QLocale().toString(day, QLocale.FormatType.ShortFormat) + local.strftime(" %H:%M")


class CommentsPanel(QWidget):
    """The comments on a segment, and a field to add one.

    Signals:
        added: the text of a new comment.
        removal_requested: the Comment to remove.
        left: the user has pressed Enter or Esc in the field.
        changed: number of shown comments, plus one if the field contains text.
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
        field_box = QVBoxLayout()
        field_box.setContentsMargins(14, 2, 14, 4)
        field_box.addWidget(self.field)
        box.addLayout(field_box)
        theme.changed.connect(self._fill)

    def show_comments(self, comments: Sequence[Comment]) -> None:
        self._comments = tuple(comments)
        self._fill()
        self.changed.emit(len(self._comments) + bool(self.field.text()))

    def eventFilter(self, watched: object, event: QEvent) -> bool:  # noqa: N802
        if not isinstance(event, QKeyEvent):
            return False
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.type() is QEvent.Type.ShortcutOverride and is_enter:
            # Ctrl+Enter also adds the comment here, instead of confirming the translation.
            event.accept()
            return True
        if event.type() is QEvent.Type.KeyPress:
            if is_enter:
                text = self.field.text()
                self.field.clear()
                if text.strip():
                    self.added.emit(text)
                self.left.emit()
                return True
            if event.key() == Qt.Key.Key_Escape:
                # The typed text stays in the field.
                self.left.emit()
                return True
        return False

    def _remove(self, link: str) -> None:
        matching = [comment for comment in self._comments if comment.id == link]
        if matching:
            self.removal_requested.emit(matching[0])

    def _fill(self) -> None:
        lines = [self._line(comment) for comment in self._comments]
        self.text.setText("".join(lines))
        describe(self.text, lines)
        self.text.setVisible(bool(self._comments))

    def _line(self, comment: Comment) -> str:
        colours = self._theme.colours
        about = " · ".join(part for part in (comment.author, local_time(comment.time)) if part)
        link = f'<a style="color:{colours.accent};text-decoration:none" href="{html.escape(comment.id)}">'
        remove = f"{link}{html.escape(self.tr('remove'))}</a>"
        text = html.escape(readable_tags(shortened(comment.text))).replace("\n", "<br>")
        about_line = f'<span style="color:{colours.muted}">{html.escape(about)} · </span>{remove}'
        return f'<p style="margin:0 0 6px 0">{text}<br>{about_line}</p>'


class HistoryLines(Lines):
    """A segment's last states with their changes, newest first; above them, all changes since the draft."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.set_title(self.tr("History of the current segment"))

    def show_history(
        self, states: Sequence[PastState], labels: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Show a segment's states, given from the oldest on. `labels` has the label of each tag."""
        texts = [shortened(state.target) for state in states]
        steps = [*zip(states, ["", *texts], texts, strict=False)]
        lines = [self._line(*step, labels) for step in reversed(steps[-MAX_LINES:])]
        is_draft = [(state.author, state.status) == (MACHINE, Status.DRAFT) for state in states]
        drafts = [*compress(texts[:-2], is_draft)]
        if drafts and drafts[-1] != texts[-1]:
            all_changes = compared(self._theme, drafts[-1], texts[-1], labels)
            lines.insert(0, f"{self.muted(self.tr('Changes since the draft:'))}<br>{all_changes}")
        self.show_lines(lines[:MAX_LINES])

    def _line(self, state: PastState, before: str, text: str, labels: Mapping[str, str]) -> str:
        is_machine = state.author == MACHINE
        author = self.tr("machine") if is_machine else state.author
        status_names = {Status.EDITED: self.tr("edited"), Status.CONFIRMED: self.tr("confirmed")}
        # Any other state is a machine draft or, if a user is its author, the result of an undo.
        status = status_names.get(state.status, self.tr("draft") if is_machine else self.tr("undone"))
        if is_machine and state.status is Status.EDITED:
            status, author = QCoreApplication.translate("ReasonLines", "from the translation memory"), ""
        about = self.muted(" · ".join(part for part in (status, author, local_time(state.time)) if part))
        if text == before:
            return about
        shown = (
            compared(self._theme, before, text, labels)
            if before
            else with_chips(html.escape(text), labels, self._theme.colours)
        )
        return f"{about}<br>{shown}"


PAUSE_MS = 400
"""Pause in milliseconds before the history is read after an edit, a save or a change of segment."""


class CommentsController(QObject):
    """Connects the panels with the project; text left in the comment field becomes a comment."""

    def __init__(self, desk: Desk, panel: CommentsPanel, notes: NotesPanel, history: HistoryLines) -> None:
        super().__init__(desk.window)
        self._project, self._table, self._panels = desk.project, desk.table, desk.panels
        self._comments_panel, self._notes, self._history = panel, notes, history
        self._segment = ""
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(self._request_history)
        comments = self._project.comments
        desk.model.provide(Role.COMMENTED, comments.has)
        comments.changed.connect(desk.model.refresh)
        comments.changed.connect(self._follow_comments)
        comments.leaving.connect(self._add_typed_comment)
        panel.added.connect(lambda text: comments.add(self._segment, text))
        panel.removal_requested.connect(comments.remove)
        panel.left.connect(desk.table.setFocus)
        self._project.saving.saved.connect(self._follow_saving)

    def follow_edits(self) -> None:
        if (session := self._project.session) is not None:
            session.applied.connect(self._follow)

    def show_segment(self, segment_id: str) -> None:
        """Show another segment; "" for none. Text left in the field becomes a comment on the previous one."""
        if segment_id != self._segment:
            self._add_typed_comment()
        self._segment = segment_id
        self._history.show_history(())
        self._show_comments()
        self._timer.start()

    def _add_typed_comment(self) -> None:
        session, text = self._project.session, self._comments_panel.field.text()
        self._comments_panel.field.clear()
        if text.strip() and session is not None and session.document.has(self._segment):
            self._project.comments.add(self._segment, text)

    def _show_comments(self) -> None:
        self._comments_panel.show_comments(self._project.comments.of(self._segment))

    def _follow_comments(self, segments: tuple[str, ...]) -> None:
        if self._segment in segments:
            self._show_comments()

    def _follow(self, changes: ChangeSet) -> None:
        if self._segment in changes.segments:
            self._timer.start()
        if (segment := self._table.current_segment) is not None:
            self._notes.update_length(segment)

    def _follow_saving(self, is_saved: bool) -> None:
        if is_saved:
            self._timer.start()

    def _request_history(self) -> None:
        if self._segment and self._panels.is_rail_seen():
            self._project.read_history(self._segment, partial(self._show_history, self._segment))

    def _show_history(self, segment_id: str, states: tuple[PastState, ...]) -> None:
        session = self._project.session
        if segment_id == self._segment and session is not None:
            self._history.show_history(states, dict(session.document.get(segment_id).tags))
