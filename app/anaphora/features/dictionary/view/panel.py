"""The rail's section with dictionary entries for the current segment, and its controller."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QUrl, Signal

from anaphora.core.segment import Status
from anaphora.core.tags import MARK
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.feature import Desk, SegmentWords
from anaphora.editor.widgets.sentence import Lines
from anaphora.features.dictionary.entries import DictionaryEntry
from anaphora.features.dictionary.hints import DictionaryHints, DictionaryService, UsedHint
from anaphora.features.quality.confidence import ConfidenceService

_MAX_GLOSSES = 4


class DictionaryLines(Lines):
    """Source words with their glosses; a click on a gloss inserts it. Hints used in the draft come first.

    Signals:
        chosen: the gloss to insert.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.set_title(self.tr("Words in the dictionary"))
        self._hints: tuple[UsedHint, ...] = ()
        self._entries: tuple[DictionaryEntry, ...] = ()
        self.text.linkActivated.disconnect(self.segment_requested)
        self.text.linkActivated.connect(self._choose)
        theme.changed.connect(self._fill)

    def show_hints(self, words: Sequence[UsedHint]) -> None:
        if tuple(words) != self._hints:
            self._hints = tuple(words)
            self._fill()

    def show_entries(self, entries: Sequence[DictionaryEntry]) -> None:
        if tuple(entries) != self._entries:
            self._entries = tuple(entries)
            self._fill()

    def _fill(self) -> None:
        hints = [self._hint_line(word) for word in self._hints]
        self.show_lines([*hints, *(self._line(entry) for entry in self._entries)])

    def _hint_line(self, word: UsedHint) -> str:
        note = self.muted(self.tr("in the draft"))
        other_glosses = [gloss for gloss in word.entry.glosses if gloss.lower() != word.form.lower()]
        line = f"{html.escape(word.word)} &nbsp;<b>{html.escape(word.form)}</b> &nbsp;{note}"
        return f"{line}<br>{self._links(other_glosses)}" if other_glosses else line

    def _line(self, entry: DictionaryEntry) -> str:
        return f"{html.escape(entry.word)} &nbsp;{self._links(entry.glosses)}"

    def _links(self, glosses: Sequence[str]) -> str:
        separator = self.muted(" · ")
        return separator.join(self.link(_link_address(gloss), gloss) for gloss in glosses[:_MAX_GLOSSES])

    def _choose(self, address: str) -> None:
        gloss = QUrl.fromPercentEncoding(address.encode("ascii"))
        self.chosen.emit(gloss.removeprefix("to "))


def _link_address(gloss: str) -> str:
    return bytes(QUrl.toPercentEncoding(gloss).data()).decode("ascii")


class DictionaryController(SegmentWords):
    """Looks up words of the current segment, and inserts a gloss at the caret.

    Unselected words are looked up only for a tentative or unsure draft, because any other draft is usually
    right where it differs from the dictionary.
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
        self._panel = panel
        self._dictionary, self._confidence, self._dictionary_hints = dictionary, confidence, hints
        self._unsure = ""
        dictionary.found.connect(self._show_entries)
        dictionary.failed.connect(self.announced)
        for service in (confidence, hints):
            service.changed.connect(self._follow_draft)
        desk.table.card.source.selectionChanged.connect(self._pause.start)
        panel.chosen.connect(self.insert)

    def show_segment(self, segment_id: str) -> None:
        """Look up another segment; "" if no segment is current."""
        self._segment, self._unsure = segment_id, ""
        self._panel.show_hints(())
        self._panel.show_entries(())
        self._refresh()

    def insert(self, gloss: str) -> None:
        if self._may_write():
            self._write(gloss)

    def _follow_draft(self, segments: tuple[str, ...]) -> None:
        if self._segment in segments:
            self._pause.start()

    def _refresh(self) -> None:
        segment, session = self._current(), self._project.session
        selected = MARK.sub("", self._table.card.source.selected_text()).strip()
        self._panel.show_hints(self._dictionary_hints.used_hints(segment) if segment is not None else ())
        if segment is None or session is None:
            self._dictionary.drop()
            return
        is_proposed = self._confidence.is_proposed(segment.id)
        if is_proposed or self._confidence.is_unsure(segment.id):
            # While the user edits this draft, each unrendered word is shown until the target renders it.
            self._unsure = segment.id
        if selected:
            self._dictionary.look_up(segment, session.pair, selected)
        elif self._unsure == segment.id and (is_proposed or segment.status in (Status.DRAFT, Status.EDITED)):
            self._dictionary.look_for_unrendered(segment, session.pair)
        else:
            self._dictionary.drop()
            self._panel.show_entries(())

    def _show_entries(self, segment_id: str, entries: tuple[DictionaryEntry, ...]) -> None:
        if segment_id == self._segment:
            self._panel.show_entries(entries)
