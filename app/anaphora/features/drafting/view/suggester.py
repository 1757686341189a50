"""The numbered suggestions with their keys, and completions while the user types."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer

from anaphora.core.drafts import proposal_of
from anaphora.core.edits import ChangeSet, OfferedDraft
from anaphora.core.matching import Match
from anaphora.core.segment import Segment, Status
from anaphora.editor.feature import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.features.drafting.completions import (
    DeletedTexts,
    ExpectedText,
    completion,
    differs_in_words,
    is_finished,
    is_junk,
    suggestions,
)
from anaphora.features.drafting.view.suggestions import OfferedText, SuggestionsPanel
from anaphora.features.spelling.service import SpellingService
from anaphora.features.tm.memories import TranslationMemories
from anaphora.system.window_settings import is_on
from anaphora_nmt.types import Completion, Suggestion
from anaphora_text.punctuation import PAUSES, WIDE_PAUSES, WIDE_SENTENCE_ENDS

TAKE_ACTIONS = tuple(f"take_{number}" for number in range(1, 10))
PAUSE_MS = 500
"""Delay in milliseconds before the model's suggestions for a segment are requested."""
FOLLOW_MS = 500
"""Pause in milliseconds between a change of the target and the update of the suggestions."""
_END_MARKS = f".{PAUSES}…{WIDE_SENTENCE_ENDS[0]}{WIDE_PAUSES}"


def _comparable(text: str) -> str:
    """A text for comparison: without spaces, and without final marks except "?" and "!"."""
    return "".join(text.split()).rstrip(_END_MARKS)


class Suggester(Announcer):
    """Offers matches of the translation memories, a newer draft if there is one, and the model's texts.

    The engine is asked only if the panel is visible or a key requests a suggestion, because its search takes
    as long as a draft. A key that is pressed before the suggestion arrives takes effect on arrival, and so
    does a confirmation after that key.
    """

    def __init__(self, desk: Desk, memory: TranslationMemories, panel: SuggestionsPanel) -> None:
        super().__init__(panel)
        self.offers: tuple[OfferedText, ...] = ()
        self._worker, self._memory, self._project = desk.worker, memory, desk.project
        self._panel, self._keymap, self._panels = panel, desk.keymap, desk.panels
        self._segment = ""
        self._matches: tuple[Match, ...] | None = None
        self._drafts: tuple[str, ...] = ()
        self._target = ""
        self._has_drafts = self._waiting = False
        self._requested_number = self._ticket = 0
        self._confirm: Callable[[], None] | None = None
        self._available = True
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._ask)
        self._compare_timer = QTimer(self, singleShot=True, interval=FOLLOW_MS)
        self._compare_timer.timeout.connect(self._show_again)
        desk.worker.loaded.connect(self._resume)
        desk.worker.load_failed.connect(self._stop)
        desk.worker.failed.connect(self._stop_waiting)
        memory.found.connect(self._receive_matches)
        memory.changed.connect(self._ask_memory)
        desk.project.opened.connect(self._follow_session)
        panel.shown.connect(self._ask_if_missing)
        panel.chosen.connect(self.take)
        desk.keymap.changed.connect(self._show_again)

    @property
    def _current(self) -> Segment | None:
        session = self._project.session
        return session.document.find(self._segment) if session is not None else None

    def show_segment(self, segment_id: str) -> None:
        self._drop_request(self.tr("Suggestion {0} was not ready before you left the segment."))
        self._segment = segment_id
        self._matches = None
        self.forget()
        self._memory.ask(segment_id)

    def forget(self) -> None:
        """Drop the model's suggestions, for instance because the memory has changed."""
        self._ticket += 1
        self._drafts = ()
        self._has_drafts = self._waiting = False
        self._target = self._current_target()
        if not self._panels.is_rail_seen() or not self._ask_if_missing():
            self._show(False)

    def take(self, number: int) -> None:
        """Replace the target by a suggestion (numbered from 1), now or as soon as the suggestion arrives."""
        segment = self._current
        if segment is None:
            return
        if segment.status is Status.LOCKED:
            self.announced.emit(self.tr("This segment is locked."))
        elif not self.offers and not self._available:
            self.announced.emit(self.tr("No translation model is available for suggestions."))
        else:
            self._requested_number = number
            if number > len(self.offers):
                self._panels.raise_panel("suggestions", focus=False)
                self._ask_if_missing()
            self._show(self._waiting)
            if self._requested_number:
                self.announced.emit(self.tr("Suggestion {0} will be used when it is ready.").format(number))

    def delay_confirm(self, confirm: Callable[[], None]) -> bool:
        """If a suggestion is awaited, return True, and call `confirm` once it is used; else return False."""
        if self._requested_number:
            self._confirm = confirm
            text = self.tr("Suggestion {0} will be used and confirmed when it is ready.")
            self.announced.emit(text.format(self._requested_number))
        return bool(self._requested_number)

    def _drop_request(self, reason: str) -> None:
        if self._requested_number:
            self.announced.emit(reason.format(self._requested_number))
        self._requested_number, self._confirm = 0, None

    def _use_requested(self) -> None:
        """Use the requested suggestion once it has arrived. The matches have the first numbers."""
        number, confirm, editing = self._requested_number, self._confirm, self._project.editing
        has_arrived = number <= len(self.offers) and self._matches is not None
        if not number or editing is None or (self._waiting and not has_arrived):
            return
        if number > len(self.offers):
            text = self.tr("Suggestions available: {0}.").format(len(self.offers))
            self._drop_request(text if self.offers else self.tr("There are no suggestions for this segment."))
            return
        self._requested_number, self._confirm = 0, None
        self.announced.emit("")
        editing.replace_texts({self._segment: self.offers[number - 1].text}, self.tr("using a suggestion"))
        if confirm is not None:
            confirm()

    def _show_again(self) -> None:
        self._show(self._waiting)

    def _ask_memory(self) -> None:
        self._memory.ask(self._segment)

    def _ask_if_missing(self) -> bool:
        """Request missing texts of the model, at once if a key waits for one; True if texts are missing."""
        is_missing = bool(self._segment) and self._available and not self._has_drafts
        if is_missing and (not self._waiting or self._requested_number):
            self._show(True)
            self._timer.start(0 if self._requested_number else PAUSE_MS)
        return is_missing

    def _ask(self) -> None:
        session, segment = self._project.session, self._current
        # The panel may have been visible only briefly, while the docks were arranged.
        if (
            session is None
            or segment is None
            or not self._panels.is_rail_seen()
            or not session.pair.needs_translation(segment.source)
        ):
            self._show(False)
        else:
            receive = partial(self._receive_answer, self._ticket)
            self._worker.ask(suggestions(session.key, self._segment, receive))

    def _receive_answer(self, ticket: int, suggestion: Suggestion) -> None:
        if ticket == self._ticket:
            self._target = self._current_target()
            self._drafts = (suggestion.text, *suggestion.alternatives)
            self._has_drafts = True
            self._show(False)

    def _follow_session(self) -> None:
        if (session := self._project.session) is not None:
            session.applied.connect(self._follow)
            session.offered.connect(self._follow_new_offer)
            session.withdrawn.connect(self._follow_offer)

    def _follow(self, changes: ChangeSet) -> None:
        """Update the suggestions at once after a new draft, else after a pause; an edit drops a request."""
        edit = next((each for each in changes.edits if each.segment == self._segment), None)
        if edit is None:
            return
        if edit.after.status is Status.DRAFT and edit.after.target != self._target:
            self._target = edit.after.target
            self._show(self._waiting)
            return
        if edit.after.status is not Status.DRAFT:
            self._drop_request(self.tr("Suggestion {0} was not used because the text has changed."))
        self._compare_timer.start()

    def _follow_new_offer(self, offer: OfferedDraft) -> None:
        self._follow_offer(offer.segment)

    def _follow_offer(self, segment_id: str) -> None:
        if segment_id == self._segment:
            self._show(self._waiting)

    def _receive_matches(self, segment_id: str, matches: tuple[Match, ...]) -> None:
        if segment_id == self._segment:
            self._matches = matches
            self._show(self._waiting)

    def _resume(self) -> None:
        if not self._available:
            self._available = True
            self.forget()

    def _stop(self) -> None:
        self._available = False
        self._show(False)

    def _stop_waiting(self) -> None:
        """Stop waiting after a failed job, unless the request has not been sent yet."""
        if not self._timer.isActive():
            self._show(False)

    def _current_target(self) -> str:
        return segment.target if (segment := self._current) is not None else ""

    def _show(self, waiting: bool) -> None:
        self._compare_timer.stop()
        self.offers = self._current_offers()[: len(TAKE_ACTIONS)]
        self._waiting = waiting
        if not waiting:
            self._timer.stop()
        self._panel.show_offers(self.offers, [self._keymap.label(name) for name in TAKE_ACTIONS], waiting)
        self._use_requested()

    def _current_offers(self) -> tuple[OfferedText, ...]:
        session, segment = self._project.session, self._current
        if session is None or segment is None:
            return ()
        offers = {
            match.target: OfferedText(match.target, match, segment.source) for match in self._matches or ()
        }
        # A text that differs from a known text only in spaces or the final mark is not a suggestion.
        known = [self._target, proposal_of(segment.state), *offers]
        offer = session.offer_for(self._segment)
        if offer is not None and _comparable(offer.text) not in map(_comparable, known):
            has_cause = session.document.has(offer.cause)
            cause = session.document.row(offer.cause) + 1 if has_cause else 0
            offers[offer.text] = OfferedText(
                offer.text, target=segment.target, newer=True, cause=cause, is_revoked=offer.is_revoked
            )
            known.append(offer.text)
        for text in self._drafts:
            best = self._drafts[0] if text != self._drafts[0] else ""
            if not is_junk(segment.source, text, best) and differs_in_words(text, known):
                offers[text] = OfferedText(text, target=segment.target)
                known.append(text)
        return tuple(offers.values())


SETTING = "completion"
TYPING_PAUSE_MS = 60
"""Pause in milliseconds between typing and a request to the engine."""


class Completer(QObject):
    """Shows a completion after the caret at the end of the typed text.

    The engine is asked again only if the typed text differs from the completion, or if few words are left.
    Invented words, and words that the user has deleted, are not shown.
    """

    def __init__(self, desk: Desk, spelling: SpellingService) -> None:
        super().__init__(desk.window)
        self.is_on = is_on(desk.settings, SETTING)
        self._worker, self._project, self._spelling = desk.worker, desk.project, spelling
        self._editor = editor = desk.table.editor
        self._segment = ""
        self._expected = ExpectedText()
        self._deleted = DeletedTexts()
        self._ticket = 0
        self._requested_text = ""
        self._timer = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._timer.timeout.connect(self._ask)
        editor.typed.connect(self._follow)
        editor.ghost_refused.connect(self._drop)
        desk.project.opened.connect(self._follow_session)

    def switch(self, is_on: bool) -> None:
        self.is_on = is_on
        if not is_on:
            self._drop()
            self._editor.show_proposal()

    def _drop(self) -> None:
        self._ticket += 1
        self._expected = ExpectedText()
        self._timer.stop()

    def _follow_session(self) -> None:
        if (session := self._project.session) is not None:
            session.applied.connect(self._follow_edits)

    def _follow_edits(self, changes: ChangeSet) -> None:
        for edit in changes.edits:
            if edit.segment == self._editor.segment_id:
                self._enter(edit.segment)
                if (proposal := proposal_of(edit.before)) and edit.after.target:
                    # Show the rest of a proposal after its typed part, but not in a cleared field.
                    self._expected = ExpectedText(proposal, ended=True)
                self._deleted.note(edit.before.target, edit.after.target)

    def _enter(self, segment_id: str) -> None:
        if segment_id != self._segment:
            self._segment = segment_id
            self._expected = ExpectedText()
            self._deleted = DeletedTexts()

    def _follow(self, segment_id: str, text: str) -> None:
        self._enter(segment_id)
        may_complete, rest = self._may_complete(text), self._expected.rest(text)
        needs_more = may_complete and self._expected.is_short(text)
        if may_complete and rest:
            self._show(text, rest)
        else:
            self._drop()
        self._timer.start() if needs_more else self._timer.stop()

    def _may_complete(self, text: str) -> bool:
        session, editor = self._project.session, self._editor
        if not self.is_on or session is None or not text.strip() or editor.guard.composing:
            return False
        if editor.textCursor().hasSelection() or editor.caret != len(text):
            return False
        segment = session.document.find(self._segment)
        if editor.segment_id != self._segment or segment is None or segment.status is Status.LOCKED:
            return False
        return not is_finished(segment.source, text) and session.pair.needs_translation(segment.source)

    def _show(self, text: str, rest: str) -> None:
        self._editor.show_ghost("" if self._deleted.is_deleted(text, rest) else rest)

    def _ask(self) -> None:
        text, session = self._editor.toPlainText(), self._project.session
        if session is not None and self._may_complete(text):
            self._ticket += 1
            self._requested_text = text
            receive, source = partial(self._receive, self._ticket), session.document.get(self._segment).source
            invented = self._spelling.invention_finder(source)
            self._worker.ask(completion(session.key, self._segment, source, text, receive, invented))

    def _receive(self, ticket: int, found: Completion) -> None:
        text = self._editor.toPlainText()
        expected = ExpectedText(self._requested_text + found.text, found.ended)
        if ticket == self._ticket and self._may_complete(text) and (rest := expected.rest(text)):
            self._expected = expected
            self._show(text, rest)
