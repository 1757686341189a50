"""Connects comments, notes and history in the rail with the project."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QTimer

from anaphora.core.edits import ChangeSet
from anaphora.core.records import PastState
from anaphora.editor.desk import Desk
from anaphora.editor.table.segment_model import Role
from anaphora.features.comments.view.notes import NotesPanel
from anaphora.features.comments.view.panel import CommentsPanel, HistoryLines

PAUSE_MS = 400
"""Pause before the history of a changed or new current segment is read."""


class RecordsController(QObject):
    """Shows the current segment's comments and history, and adds comments.

    Text in the field is added as a comment when the user leaves the segment or closes the project.
    """

    def __init__(self, desk: Desk, panel: CommentsPanel, notes: NotesPanel, history: HistoryLines) -> None:
        super().__init__(desk.window)
        self._controller, self._table, self._panels = desk.project, desk.table, desk.panels
        self._panel, self._notes, self._history = panel, notes, history
        self._segment = ""
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(self._ask)
        comments = self._controller.comments
        desk.model.provide(Role.COMMENTED, comments.has)
        comments.changed.connect(desk.model.refresh)
        comments.changed.connect(self._follow_comments)
        comments.leaving.connect(self._add_typed)
        panel.added.connect(lambda text: comments.add(self._segment, text))
        panel.removal_requested.connect(comments.remove)
        panel.left.connect(desk.table.setFocus)
        self._controller.saving.saved.connect(self._follow_saving)

    def open(self) -> None:
        if (session := self._controller.session) is not None:
            session.applied.connect(self._follow)

    def show_segment(self, segment_id: str) -> None:
        """Show another segment; "" for none."""
        if segment_id != self._segment:
            self._add_typed()
        self._segment = segment_id
        self._history.show_history(())
        self._show_comments()
        self._timer.start()

    def _add_typed(self) -> None:
        """Add the text in the field as a comment."""
        session, text = self._controller.session, self._panel.field.text()
        self._panel.field.clear()
        if text.strip() and session is not None and session.document.has(self._segment):
            self._controller.comments.add(self._segment, text)

    def _show_comments(self) -> None:
        self._panel.show_comments(self._controller.comments.of(self._segment))

    def _follow_comments(self, segments: tuple[str, ...]) -> None:
        if self._segment in segments:
            self._show_comments()

    def _follow(self, changes: ChangeSet) -> None:
        if self._segment in changes.segments:
            self._timer.start()
        if (segment := self._table.current_segment) is not None:
            self._notes.follow_target(segment)

    def _follow_saving(self, is_saved: bool) -> None:
        if is_saved:
            self._timer.start()

    def _ask(self) -> None:
        if self._segment and self._panels.rail_is_seen():
            self._controller.read_history(self._segment, partial(self._show_history, self._segment))

    def _show_history(self, segment_id: str, states: tuple[PastState, ...]) -> None:
        session = self._controller.session
        if segment_id == self._segment and session is not None:
            self._history.show_history(states, dict(session.document.get(segment_id).tags))
