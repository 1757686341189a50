"""Requests about the memory's effects: explanations of a segment, marks in visible drafts, and previews."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QTimer, Signal

from anaphora.core.drafts import proposal_of
from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.influence_marks import InfluenceMark
from anaphora.core.segment import Status
from anaphora.core.tags import MARK
from anaphora.core.text import has_han
from anaphora.engine.jobs import EngineContext, Receiver, Request, Urgency
from anaphora.engine.worker import EngineWorker
from anaphora.features.explain.marking import influence_marks, needs_comparison
from anaphora.features.explain.rendered import has_content, source_span
from anaphora.project.document.following import SessionFollower
from anaphora_nmt.types import Explanation, MemoryView, Suggestion, TokenTrace, WhatIf
from anaphora_text.chinese_words import segmenter


def explanation(document: str, segment: str, target: str, receive: Callable[[Explanation], None]) -> Request:
    """A request for the explanation of a target, with the draft without memory if that draft is known."""

    def run(context: EngineContext, answer: Receiver) -> None:
        result = context.explain(document, segment, target)
        if needs_comparison(result):
            key = document, segment, target, context.all_terms(document, segment)
            result = replace(result, draft_without_memory=context.plain_drafts.get(key))
        if any(has_han(each.word) for each in result.source_words):
            segmenter()  # loads the dictionary here instead of in the window's thread
        answer(result)

    return Request(document, Urgency.INSPECT, run, receive, "current segment")


def memory_view(document: str, segment: str, receive: Callable[[MemoryView], None]) -> Request:
    """A request for the memory's content before a segment; used if the segment has no text to explain."""

    def run(context: EngineContext, answer: Receiver) -> None:
        answer(context.translator.memory(document, segment))

    return Request(document, Urgency.INSPECT, run, receive, "current segment")


def comparison(document: str, segment: str, target: str, receive: Callable[[Explanation], None]) -> Request:
    """A request for a draft's explanation, with the draft without memory if the memory affects a word."""

    def run(context: EngineContext, answer: Receiver) -> None:
        result = context.explain(document, segment, target)
        if needs_comparison(result):
            key = document, segment, target, context.all_terms(document, segment)
            if key not in context.plain_drafts:
                (draft,) = context.draft_as_if(document, (segment,), WhatIf(), context.memoryless_options)
                context.plain_drafts[key] = draft.text
            result = replace(result, draft_without_memory=context.plain_drafts[key])
        answer(result)

    return Request(document, Urgency.MARK, run, receive, (segment, target))


def preview(
    document: str,
    segments: Sequence[str],
    question: WhatIf,
    receive: Callable[[tuple[Suggestion, ...]], None],
) -> Request:
    """A request for the drafts that segments would have with another memory."""

    def run(context: EngineContext, answer: Receiver) -> None:
        answer(context.draft_as_if(document, segments, question))

    return Request(document, Urgency.PREVIEW, run, receive, "preview")


@dataclass(frozen=True, slots=True)
class _StoredMarks:
    """The marks of a draft's `text`. `is_fresh` is False after an earlier segment has changed the memory."""

    text: str
    marks: tuple[InfluenceMark, ...]
    is_fresh: bool = True


class InfluenceService(SessionFollower):
    """Stores the marks of a session's drafts, and requests the marks of visible segments.

    Signals:
        changed: ids of the segments whose marks have changed.
        compared: an Explanation, with the draft without memory if the memory affects a word.
    """

    changed = Signal(object)
    compared = Signal(object)

    def __init__(self, worker: EngineWorker) -> None:
        super().__init__()
        self._worker = worker
        self._stored: dict[str, _StoredMarks] = {}
        self._visible: tuple[str, ...] = ()
        self._timer = QTimer(self, singleShot=True, interval=300)
        self._timer.timeout.connect(self._ask)
        worker.memory_changed.connect(lambda job, _: self.forget_after(job.segment))
        worker.steered.connect(lambda _: self._forget_all())

    def close(self) -> None:
        super().close()
        self._timer.stop()
        self._stored.clear()
        self._visible = ()

    def set_visible(self, segment_ids: Sequence[str]) -> None:
        self._visible = tuple(segment_ids)
        self._timer.start()

    def marks(self, segment_id: str) -> tuple[InfluenceMark, ...]:
        stored, session = self._stored.get(segment_id), self._session
        segment = session.document.find(segment_id) if session is not None else None
        if stored is None or segment is None or segment.status is not Status.DRAFT:
            return ()
        return stored.marks if segment.target == stored.text else ()

    def forget_after(self, segment_id: str) -> None:
        """In later drafts, drop the marks that refer to a changed segment; request new marks."""
        session = self._session
        if session is None or not session.document.has(segment_id):
            return
        row, changed = session.document.row(segment_id), []
        for each, stored in list(self._stored.items()):
            if not session.document.has(each) or session.document.row(each) <= row:
                continue
            marks = tuple(mark for mark in stored.marks if mark.segment != segment_id)
            self._stored[each] = _StoredMarks(stored.text, marks, is_fresh=False)
            if marks != stored.marks:
                changed.append(each)
        if changed:
            self.changed.emit(tuple(changed))
        self._timer.start()

    def _ask(self) -> None:
        """Request the missing marks of visible segments; drop the requests for invisible segments."""
        session = self._session
        if session is None:
            return
        wanted = []
        for segment_id in self._visible:
            segment, stored = session.document.find(segment_id), self._stored.get(segment_id)
            if segment is None or segment.status is not Status.DRAFT:
                continue
            is_stored = stored is not None and stored.is_fresh and stored.text == segment.target
            if not is_stored and session.pair.fits(segment.source, segment.target):
                wanted.append(comparison(session.key, segment_id, segment.target, self._receive_comparison))
        self._worker.ask_only(Urgency.MARK, wanted)

    def _receive_comparison(self, explanation: Explanation) -> None:
        self.store(explanation)
        self.compared.emit(explanation)

    def store(self, explanation: Explanation) -> None:
        session = self._session
        if session is None or not session.document.has(explanation.segment):
            return
        if needs_comparison(explanation):
            self._timer.start()  # to request the comparison
            return
        before = self.marks(explanation.segment)
        self._stored[explanation.segment] = _StoredMarks(explanation.text, influence_marks(explanation))
        if self.marks(explanation.segment) != before:
            self.changed.emit((explanation.segment,))

    def _forget_all(self) -> None:
        removed_ids, self._stored = tuple(self._stored), {}
        if removed_ids:
            self.changed.emit(removed_ids)
        self._timer.start()

    def _follow(self, changes: ChangeSet) -> None:
        if any(edit.after.status is Status.DRAFT for edit in changes.edits):
            self._timer.start()

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        for segment in change.before:
            self._stored.pop(segment.id, None)
        self._timer.start()


def is_word(token: TokenTrace) -> bool:
    """True if an output word has letters or digits outside tags. Other output words are not explained."""
    return any(char.isalnum() for char in MARK.sub("", token.word))


class Inspector(SessionFollower):
    """Requests the explanation of the current segment, and stores the word that the user selects.

    Attributes:
        word: index of the selected output word; -1 without a selection.

    Signals:
        explained: the Explanation of the current target; None if it is unknown.
        proposal_explained: the Explanation of the current segment's proposal (see `core.drafts`).
        found: each requested Explanation, even if it arrives too late to be shown.
        compared: the shown Explanation, now with the draft without memory.
        viewed: the MemoryView before the current segment; None without a segment.
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
        """Explain another segment; "" if no segment is current."""
        self._segment = segment_id
        self._ticket += 1
        self._caret = 0
        self._show(None)
        self.view = None
        if not segment_id:
            self.viewed.emit(None)
        self.refresh()

    def set_available(self, is_available: bool) -> None:
        if is_available != self._available:
            self._available = is_available
            self.refresh()

    def refresh(self) -> None:
        """Request the explanation again, for instance because the memory has changed; needs an engine."""
        if self._segment and self._session is not None and self._available:
            self.waiting_changed.emit(True)
            self._timer.start()
        else:
            self._timer.stop()
            self.waiting_changed.emit(False)

    def point_at(self, offset: int) -> None:
        """Select the word at an offset, see `_token_at`, unless the selected word begins there."""
        self._caret = offset
        if (span := self.span) is None or span[0] != offset:
            self._select(self._token_at(offset))

    def step(self, by: int) -> None:
        """Select the next word, or the previous word if `by` is not positive."""
        tokens = self.explanation.tokens if self.explanation is not None else ()
        words = [index for index, token in enumerate(tokens) if is_word(token)]
        if by > 0:
            neighbour = next((index for index in words if index > self.word), None)
        else:
            neighbour = next((each for each in reversed(words) if each < self.word or self.word < 0), None)
        if neighbour is not None:
            self.choose(neighbour)

    def choose(self, word: int) -> None:
        """Select a word by its index; ignores punctuation and tags."""
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
        """The span of the source words that the selected word renders; empty if uncertain."""
        if self.explanation is None or self.word < 0:
            return ()
        span = source_span(self.explanation, self.word)
        return (span,) if span else ()

    def point_at_source(self, offset: int) -> None:
        """Select the output word that attends most to the source word at an offset."""
        explanation = self.explanation
        words = explanation.source_words if explanation is not None else ()
        index = next((n for n, word in enumerate(words) if word.start <= offset < word.end), None)
        if explanation is not None and index is not None:
            positions = [position for position, token in enumerate(explanation.tokens) if is_word(token)]
            attends = [explanation.tokens[position].attention[index] for position in positions]
            if positions:
                self.choose(positions[attends.index(max(attends))])

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
        # A target in another language than the model's cannot be explained, but the memory can be shown.
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
        """Emit the explanation of a proposal; the words of a proposal cannot be selected."""
        if ticket == self._ticket:
            self.waiting_changed.emit(False)
            self._show_view(explanation.view)
            self.proposal_explained.emit(explanation)

    def compare(self, explanation: Explanation) -> None:
        """Add the draft without memory to the shown explanation if it needs one and the texts agree."""
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
        """Index of the output word at an offset, or else of the word that ends there; -1 if there is none.

        Words with neither content nor an effect of the memory are skipped.
        """
        if self.explanation is None:
            return -1
        ending = -1
        for index, token in enumerate(self.explanation.tokens):
            if not is_word(token) or not (has_content(token.word) or token.without_memory is not None):
                continue
            if token.start <= offset < token.end:
                return index
            if offset == token.end:
                ending = index
        return ending

    def _select(self, word: int) -> None:
        self.word = word
        self.word_selected.emit(word)
