"""The dictionary in the window: words that an unsure draft does not render, or the selected text."""

from __future__ import annotations

from anaphora.core.segment import Status
from anaphora.core.tags import MARK
from anaphora.editor.desk import Desk
from anaphora.editor.table.segment_words import SegmentWords
from anaphora.features.dictionary.entries import DictionaryEntry
from anaphora.features.dictionary.hints import DictionaryHints
from anaphora.features.dictionary.lookup import DictionaryService
from anaphora.features.dictionary.view.panel import DictionaryLines
from anaphora.features.quality.confidence import ConfidenceService


class DictionaryController(SegmentWords):
    """Looks up words of the current segment, and inserts a gloss at the caret.

    Drafts with high confidence are not looked up: if they differ from the dictionary, they are
    usually right. Hints used in a draft are shown while they are in its text.
    """

    def __init__(
        self,
        desk: Desk,
        dictionary: DictionaryService,
        confidence: ConfidenceService,
        hints: DictionaryHints,
        panel: DictionaryLines,
    ) -> None:
        super().__init__(desk.window, desk.project, desk.table)
        self._controller, self._panel = desk.project, panel
        self._dictionary, self._confidence, self._dictionary_hints = dictionary, confidence, hints
        self._unsure = ""
        dictionary.found.connect(self._show_found)
        dictionary.failed.connect(self.announced)
        for service in (confidence, hints):
            service.changed.connect(self._follow_draft)
        desk.table.card.source.selectionChanged.connect(self._pause.start)
        panel.chosen.connect(self.insert)

    def show_segment(self, segment_id: str) -> None:
        """Look up another segment; "" for none."""
        self._segment, self._unsure = segment_id, ""
        self._panel.show_hints(())
        self._panel.show_entries(())
        self._refresh()

    def insert(self, gloss: str) -> None:
        """Insert a gloss at the caret, or in place of the selection."""
        if self._may_write():
            self._write(gloss)

    def _follow_draft(self, segments: tuple[str, ...]) -> None:
        if self._segment in segments:
            self._pause.start()

    def _refresh(self) -> None:
        segment, session = self._current(), self._controller.session
        selected = MARK.sub("", self._table.card.source.selected_text()).strip()
        self._panel.show_hints(self._dictionary_hints.words(segment) if segment is not None else ())
        if segment is None or session is None:
            self._dictionary.drop()
            return
        is_proposed = self._confidence.is_proposed(segment.id)
        if is_proposed or self._confidence.is_unsure(segment.id):
            # While the user edits an unsure draft, words are shown until they are rendered.
            self._unsure = segment.id
        if selected:
            self._dictionary.look_up(segment, session.pair, selected)
        elif self._unsure == segment.id and (is_proposed or segment.status in (Status.DRAFT, Status.EDITED)):
            self._dictionary.look_for_unrendered(segment, session.pair)
        else:
            self._dictionary.drop()
            self._panel.show_entries(())

    def _show_found(self, segment_id: str, entries: tuple[DictionaryEntry, ...]) -> None:
        if segment_id == self._segment:
            self._panel.show_entries(entries)
