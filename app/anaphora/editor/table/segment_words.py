"""Base of controllers that insert words into the translation of the current segment."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from anaphora.core.edits import ChangeSet
from anaphora.core.segment import Segment, Status
from anaphora.editor.table.segment_table import SegmentTable
from anaphora.editor.widgets.announcer import Announcer
from anaphora.project.current import CurrentProject


class SegmentWords(Announcer):
    """Refreshes its words for a new current segment, and shortly after the segment has changed."""

    def __init__(self, window: QWidget, project: CurrentProject, table: SegmentTable) -> None:
        super().__init__(window)
        self._project = project
        self._table = table
        self._segment = ""
        self._pause = QTimer(self, singleShot=True, interval=150)
        self._pause.timeout.connect(self._refresh)
        project.opened.connect(self._follow_session)
        table.segment_shown.connect(self.show_segment)

    @abstractmethod
    def show_segment(self, segment_id: str) -> None:
        """Switch to another segment; empty for none."""

    @abstractmethod
    def _refresh(self) -> None:
        """Find the words of the current segment."""

    def _current(self) -> Segment | None:
        session = self._project.session
        known = session is not None and session.document.has(self._segment)
        return session.document.get(self._segment) if session is not None and known else None

    def _may_write(self) -> bool:
        """True if the current segment can be changed; announces a locked one."""
        segment = self._current()
        if segment is not None and segment.status is Status.LOCKED:
            self.announced.emit(self.tr("This segment is locked."))
        return segment is not None and segment.status is not Status.LOCKED

    def _write(self, text: str) -> None:
        """Insert a text at the caret or replace the selection."""
        self._table.editor.type_text(text)
        self._table.editor.setFocus()

    def _follow_session(self) -> None:
        if self._project.session is not None:
            self._project.session.applied.connect(self._follow_edits)

    def _follow_edits(self, changes: ChangeSet) -> None:
        if self._segment in changes.segments:
            self._pause.start()


def selected_text(focused: QWidget | None, table: SegmentTable) -> str:
    """The selection in the focused text, otherwise in the target or in the source."""
    source = table.card.source
    if isinstance(focused, QLineEdit | QLabel):
        return focused.selectedText().strip()
    if focused is source:
        return source.selected_text()
    return table.editor.selected_text() or source.selected_text()
