"""The dictionary in the window: words that an unsure draft may have missed, or what is selected."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from anaphora.core.edits import ChangeSet
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import MARK
from anaphora.dictionary.entries import DictionaryEntry
from anaphora.project.documents import DocumentController
from anaphora.services.confidence import ConfidenceService
from anaphora.services.dictionary_service import DictionaryService
from anaphora.views.controllers.announcer import Announcer
from anaphora.views.panels.dictionary import DictionaryLines
from anaphora.views.widgets.segment_table import SegmentTable


class DictionaryController(Announcer):
    """Asks the dictionary about the current segment, and puts a gloss where the caret stands.

    A draft that the model was sure of is left alone: where it does not say what the dictionary does, it is
    usually right.
    """

    def __init__(
        self,
        window: QWidget,
        dictionary: DictionaryService,
        confidence: ConfidenceService,
        controller: DocumentController,
        table: SegmentTable,
        panel: DictionaryLines,
    ) -> None:
        super().__init__(window)
        self._dictionary = dictionary
        self._confidence = confidence
        self._controller = controller
        self._table = table
        self._panel = panel
        self._segment = ""
        self._unsure = ""
        self._pause = QTimer(self, singleShot=True, interval=150)
        self._pause.timeout.connect(self._ask)
        dictionary.found.connect(self._take)
        dictionary.failed.connect(self.announced)
        confidence.changed.connect(self._follow_confidence)
        controller.opened.connect(lambda _: self._follow_session())
        table.segment_shown.connect(self.show_segment)
        table.card.source.selectionChanged.connect(self._pause.start)
        panel.chosen.connect(self.insert)

    def show_segment(self, segment_id: str) -> None:
        """Look at another segment; empty for none."""
        self._segment, self._unsure = segment_id, ""
        self._panel.show_entries(())
        self._ask()

    def insert(self, gloss: str) -> None:
        """Put a gloss where the caret stands, or in the place of what is selected."""
        segment = self._current()
        if segment is None:
            return
        if segment.status is Status.LOCKED:
            self.announced.emit(self.tr("This segment is locked."))
            return
        self._table.editor.type_text(gloss)
        self._table.editor.setFocus()

    def _current(self) -> Segment | None:
        session = self._controller.session
        known = session is not None and session.document.has(self._segment)
        return session.document.get(self._segment) if session is not None and known else None

    def _follow_session(self) -> None:
        if self._controller.session is not None:
            self._controller.session.applied.connect(self._follow_edits)

    def _follow_edits(self, changes: ChangeSet) -> None:
        if self._segment in changes.segments:
            self._pause.start()

    def _follow_confidence(self, segments: tuple[str, ...]) -> None:
        if self._segment in segments:
            self._pause.start()

    def _ask(self) -> None:
        segment, session = self._current(), self._controller.session
        selected = MARK.sub("", self._table.card.source.selected_text()).strip()
        if segment is None or session is None:
            self._dictionary.drop()
            return
        if self._confidence.is_unsure(segment.id):
            # of an edited draft nobody asks how sure it is: its words stay until they are rendered
            self._unsure = segment.id
        if selected:
            self._dictionary.look_up(segment, session.pair, selected)
        elif self._unsure == segment.id and segment.status in (Status.DRAFT, Status.EDITED):
            self._dictionary.look_for_unrendered(segment, session.pair)
        else:
            self._dictionary.drop()
            self._panel.show_entries(())

    def _take(self, segment_id: str, entries: tuple[DictionaryEntry, ...]) -> None:
        if segment_id == self._segment:
            self._panel.show_entries(entries)
