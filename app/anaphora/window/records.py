"""Between the rail and the project: comments on the current segment, and its history."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QTimer

from anaphora.core.edits import ChangeSet
from anaphora.core.records import PastState
from anaphora.editor.table.segment_model import Role, SegmentModel
from anaphora.editor.table.segment_table import SegmentTable
from anaphora.project.current import CurrentProject
from anaphora.window.docks import Docks

PAUSE_MS = 400
"""After a segment was reached or changed, before its history is read."""


class RecordsController(QObject):
    """Shows comments and history of the segment that the user is at, and takes comments.

    A comment that was begun is kept when the user goes on, or closes the project.
    """

    def __init__(
        self, controller: CurrentProject, docks: Docks, table: SegmentTable, model: SegmentModel
    ) -> None:
        super().__init__(table)
        self._controller = controller
        self._docks = docks
        self._table = table
        self._segment = ""
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(self._ask)
        comments = controller.comments
        model.ask_for(Role.COMMENTED, comments.has)
        comments.changed.connect(model.refresh)
        comments.changed.connect(self._follow_comments)
        comments.leaving.connect(self._keep_begun)
        docks.comments.added.connect(lambda text: comments.add(self._segment, text))
        docks.comments.removal_requested.connect(comments.remove)
        docks.comments.left.connect(table.setFocus)
        controller.saving.saved.connect(self._follow_saving)

    def open(self) -> None:
        if (session := self._controller.session) is not None:
            session.applied.connect(self._follow)

    def show_segment(self, segment_id: str) -> None:
        """Look at another segment; empty for none."""
        if segment_id != self._segment:
            self._keep_begun()
        self._segment = segment_id
        self._docks.history.show_history(())
        self._show_comments()
        self._timer.start()

    def _keep_begun(self) -> None:
        """Add what was begun in the field to the comments."""
        session, text = self._controller.session, self._docks.comments.field.text()
        self._docks.comments.field.clear()
        if text.strip() and session is not None and session.document.has(self._segment):
            self._controller.comments.add(self._segment, text)

    def write_comment(self) -> None:
        if self._segment:
            self._docks.rail.section("comments").show_filled(True)
            self._docks.raise_panel("comments")

    def _show_comments(self) -> None:
        self._docks.comments.show_comments(self._controller.comments.of(self._segment))

    def _follow_comments(self, segments: tuple[str, ...]) -> None:
        if self._segment in segments:
            self._show_comments()

    def _follow(self, changes: ChangeSet) -> None:
        if self._segment in changes.segments:
            self._timer.start()
        if (segment := self._table.current_segment) is not None:
            self._docks.notes.follow_target(segment)

    def _follow_saving(self, is_saved: bool) -> None:
        if is_saved:
            self._timer.start()

    def _ask(self) -> None:
        if self._segment and self._docks.rail_is_seen():
            self._controller.read_history(self._segment, partial(self._show_history, self._segment))

    def _show_history(self, segment_id: str, states: tuple[PastState, ...]) -> None:
        session = self._controller.session
        if segment_id == self._segment and session is not None:
            self._docks.history.show_history(states, dict(session.document.get(segment_id).tags))
