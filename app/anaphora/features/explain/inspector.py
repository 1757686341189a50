"""Provides the panels with the explanation of the current segment and its selected word."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QTimer, Signal

from anaphora.core.drafts import proposal_of
from anaphora.core.edits import ChangeSet
from anaphora.core.tags import MARK
from anaphora.engine.worker import EngineWorker
from anaphora.features.explain.marking import needs_comparison
from anaphora.features.explain.rendered import has_content, source_span
from anaphora.features.explain.requests import explanation, memory_view
from anaphora.project.document.following import SessionFollower
from anaphora_nmt.types import Explanation, MemoryView, TokenTrace


def is_word(token: TokenTrace) -> bool:
    """True if an output word has letters or digits; marks and tags are not explained."""
    return any(char.isalnum() for char in MARK.sub("", token.word))


class Inspector(SessionFollower):
    """Requests the explanation of the current segment, and stores the word that the user selects.

    Attributes:
        word: index of the selected token, -1 for none.

    Signals:
        proposal_explained: the Explanation of the current segment's tentative draft.
        found: each requested Explanation, even if it arrives too late to be shown.
        compared: the shown Explanation, now with the draft without memory.
        waiting_changed: True while an explanation is being computed.
    """

    explained = Signal(object)
    proposal_explained = Signal(object)
    found = Signal(object)
    compared = Signal(object)
    viewed = Signal(object)
    word_selected = Signal(int)
    waiting_changed = Signal(bool)

    def __init__(self, worker: EngineWorker) -> None:
        super().__init__()
        self.explanation: Explanation | None = None
        self.view: MemoryView | None = None
        self.word = -1
        self._worker = worker
        self._segment = ""
        self._caret = 0
        self._ticket = 0
        self._available = True
        self._timer = QTimer(self, singleShot=True, interval=400)
        self._timer.timeout.connect(self._ask)
        worker.failed.connect(self._stop_waiting)

    def close(self) -> None:
        super().close()
        self.show_segment("")

    def show_segment(self, segment_id: str) -> None:
        """Explain another segment; "" for none."""
        self._segment = segment_id
        self._ticket += 1
        self._caret = 0
        self._show(None)
        self.view = None
        if not segment_id:
            self.viewed.emit(None)
        self.refresh()

    def set_available(self, is_available: bool) -> None:
        """Set whether an engine is available."""
        if is_available != self._available:
            self._available = is_available
            self.refresh()

    def refresh(self) -> None:
        """Request the explanation again, for instance because the memory has changed."""
        if self._segment and self._session is not None and self._available:
            self.waiting_changed.emit(True)
            self._timer.start()
        else:
            self._timer.stop()
            self.waiting_changed.emit(False)

    def point_at(self, offset: int) -> None:
        """Select the word at an offset of the target, if there is one."""
        self._caret = offset
        if (span := self.span) is None or span[0] != offset:
            self._select(self._token_at(offset))

    def step(self, by: int) -> None:
        tokens = self.explanation.tokens if self.explanation is not None else ()
        words = [index for index, token in enumerate(tokens) if is_word(token)]
        if by > 0:
            neighbour = next((index for index in words if index > self.word), None)
        else:
            neighbour = next((each for each in reversed(words) if each < self.word or self.word < 0), None)
        if neighbour is not None:
            self.choose(neighbour)

    def choose(self, word: int) -> None:
        """Select a word by its index; ignores marks."""
        tokens = self.explanation.tokens if self.explanation is not None else ()
        if 0 <= word < len(tokens) and is_word(tokens[word]):
            self._caret = tokens[word].start
            self._select(word)

    @property
    def span(self) -> tuple[int, int] | None:
        if self.explanation is None or self.word < 0:
            return None
        token = self.explanation.tokens[self.word]
        return token.start, token.end

    @property
    def source_spans(self) -> tuple[tuple[int, int], ...]:
        """The source words that the selected word renders; empty if uncertain."""
        if self.explanation is None or self.word < 0:
            return ()
        found = source_span(self.explanation, self.word)
        return (found,) if found else ()

    def point_at_source(self, offset: int) -> None:
        """Select the output word that attends most to the source word at an offset."""
        explanation = self.explanation
        words = explanation.source_words if explanation is not None else ()
        index = next((n for n, word in enumerate(words) if word.start <= offset < word.end), None)
        if explanation is not None and index is not None:
            places = [place for place, token in enumerate(explanation.tokens) if is_word(token)]
            attends = [explanation.tokens[place].attention[index] for place in places]
            if places:
                self.choose(places[attends.index(max(attends))])

    def _follow(self, changes: ChangeSet) -> None:
        session = self._session
        if session is None or self._segment not in changes.segments:
            return
        target = session.document.get(self._segment).target
        if self.explanation is None or self.explanation.text != target:
            self._ticket += 1
            if self.explanation is not None:
                self._show(None)
            self.refresh()

    def _ask(self) -> None:
        session = self._session
        if session is None or not self._segment:
            return
        self._ticket += 1
        segment = session.document.get(self._segment)
        proposal = proposal_of(segment.state)
        text = proposal or segment.target
        # A translation in the opposite direction cannot be explained, but the memory can be shown.
        if text.strip() and session.pair.fits(segment.source, text):
            receive = partial(self._use_proposal if proposal else self._use_explanation, self._ticket)
            self._worker.ask(explanation(session.key, self._segment, text, receive))
        else:
            self._worker.ask(memory_view(session.key, self._segment, partial(self._use_view, self._ticket)))

    def _use_explanation(self, ticket: int, explanation: Explanation) -> None:
        self.found.emit(explanation)
        if ticket == self._ticket:
            self.waiting_changed.emit(False)
            self._show_view(explanation.view)
            self._show(explanation)

    def _use_proposal(self, ticket: int, explanation: Explanation) -> None:
        """Report the explanation of a tentative draft, whose words cannot be selected."""
        if ticket == self._ticket:
            self.waiting_changed.emit(False)
            self._show_view(explanation.view)
            self.proposal_explained.emit(explanation)

    def compare(self, explanation: Explanation) -> None:
        """Add the draft without memory to the shown explanation if both explain the same text."""
        shown, plain = self.explanation, explanation.draft_without_memory
        if shown is None or plain is None or not needs_comparison(shown):
            return
        if (shown.segment, shown.text) == (explanation.segment, explanation.text):
            self.explanation = replace(shown, draft_without_memory=plain)
            self.compared.emit(self.explanation)

    def _stop_waiting(self) -> None:
        if not self._timer.isActive():
            self.waiting_changed.emit(False)

    def _use_view(self, ticket: int, view: MemoryView) -> None:
        if ticket == self._ticket:
            self.waiting_changed.emit(False)
            self._show_view(view)

    def _show_view(self, view: MemoryView) -> None:
        self.view = view
        self.viewed.emit(view)

    def _show(self, explanation: Explanation | None) -> None:
        self.explanation = explanation
        self.explained.emit(explanation)
        self.word = -1
        self._select(self._token_at(self._caret))

    def _token_at(self, offset: int) -> int:
        """Index of the word at or ending at an offset; -1 if it has neither content nor an effect."""
        if self.explanation is None:
            return -1
        found = -1
        for index, token in enumerate(self.explanation.tokens):
            if not is_word(token) or not (has_content(token.word) or token.without_memory is not None):
                continue
            if token.start <= offset < token.end:
                return index
            if offset == token.end:
                found = index
        return found

    def _select(self, word: int) -> None:
        self.word = word
        self.word_selected.emit(word)
