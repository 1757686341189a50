"""Between memory, engine and the panel of suggestions: asks for them, and puts one into the target."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QTimer

from anaphora.core.drafts import proposal_of
from anaphora.core.edits import ChangeSet
from anaphora.core.matching import Match
from anaphora.core.segment import Segment, Status
from anaphora.editor.desk import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.features.drafting.offered_words import is_junk, says_it_otherwise
from anaphora.features.drafting.requests import suggestions
from anaphora.features.drafting.view.suggestions import OfferedText, SuggestionsPanel
from anaphora.features.tm.memories import TranslationMemories
from anaphora_nmt.types import Suggestion
from anaphora_text.punctuation import PAUSES, WIDE_PAUSES, WIDE_SENTENCE_ENDS

TAKE_ACTIONS = tuple(f"take_{number}" for number in range(1, 10))
PAUSE_MS = 500
"""Time at a segment before the engine is asked."""
FOLLOW_MS = 500
"""After a change of the text, before what differs from it is shown again."""
_END_MARKS = f".{PAUSES}…{WIDE_SENTENCE_ENDS[0]}{WIDE_PAUSES}"


def _bare(text: str) -> str:
    """A text without its blanks and the marks at its end; a question stays one."""
    return "".join(text.split()).rstrip(_END_MARKS)


class Suggester(Announcer):
    """Offers matches of the translation memory, requested at once, and the machine's texts.

    The engine is used only while the panel is visible or a key is pressed: a search costs as much as a draft.
    A key that comes before the answer waits for it, and so does a confirmation after this key.

    Attributes:
        offers: the suggestions for the current segment, the best first.
    """

    def __init__(self, desk: Desk, memory: TranslationMemories, panel: SuggestionsPanel) -> None:
        super().__init__(panel)
        self.offers: tuple[OfferedText, ...] = ()
        self._worker, self._memory, self._controller = desk.worker, memory, desk.project
        self._panel, self._keymap, self._panels = panel, desk.keymap, desk.panels
        self._segment = ""
        self._matches: tuple[Match, ...] | None = None
        self._drafts: tuple[str, ...] = ()
        self._target = ""
        self._asked = self._waiting = False
        self._wanted = self._ticket = 0
        self._confirm: Callable[[], None] | None = None
        self._available = True
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._ask)
        self._compare = QTimer(self, singleShot=True, interval=FOLLOW_MS)
        self._compare.timeout.connect(self._show_again)
        desk.worker.loaded.connect(self._take_up)
        desk.worker.load_failed.connect(self._give_up)
        desk.worker.failed.connect(self._stop_waiting)
        memory.found.connect(self._take_matches)
        memory.changed.connect(self._ask_memory)
        desk.project.opened.connect(self._follow_session)
        panel.shown.connect(self._ask_if_unknown)
        panel.chosen.connect(self.take)
        desk.keymap.changed.connect(self._show_again)

    @property
    def _current(self) -> Segment | None:
        session = self._controller.session
        return session.document.find(self._segment) if session is not None else None

    def show_segment(self, segment_id: str) -> None:
        self._give_key_up(self.tr("Suggestion {0} was not taken: it had not come yet."))
        self._segment = segment_id
        self._matches = None
        self.forget()
        self._memory.ask(segment_id)

    def forget(self) -> None:
        """Drop the machine's suggestions, for instance because its memory has learned."""
        self._ticket += 1
        self._drafts = ()
        self._asked = self._waiting = False
        self._target = self._current_target()
        if not self._panels.rail_is_seen() or not self._ask_if_unknown():
            self._show(False)

    def take(self, number: int) -> None:
        """Replace the target by a suggestion, as soon as it is there."""
        segment = self._current
        if segment is None:
            return
        if segment.status is Status.LOCKED:
            self.announced.emit(self.tr("This segment is locked."))
        elif not self.offers and not self._available:
            self.announced.emit(self.tr("No translation model is available for suggestions."))
        else:
            self._wanted = number
            if number > len(self.offers):
                self._panels.raise_panel("suggestions", focus=False)
                self._ask_if_unknown()
            self._show(self._waiting)
            if self._wanted:
                self.announced.emit(self.tr("Suggestion {0} is taken as soon as it comes.").format(number))

    def holds(self, confirm: Callable[[], None]) -> bool:
        """True if a confirmation must wait for a suggestion; the suggester calls it then."""
        if self._wanted:
            self._confirm = confirm
            told = self.tr("Suggestion {0} is taken and confirmed as soon as it comes.")
            self.announced.emit(told.format(self._wanted))
        return bool(self._wanted)

    def _give_key_up(self, why: str) -> None:
        if self._wanted:
            self.announced.emit(why.format(self._wanted))
        self._wanted, self._confirm = 0, None

    def _answer_key(self) -> None:
        """Use the suggestion that a key has requested; matches come before the machine's texts."""
        number, confirm, editing = self._wanted, self._confirm, self._controller.editing
        is_there = number <= len(self.offers) and self._matches is not None
        if not number or editing is None or (self._waiting and not is_there):
            return
        if number > len(self.offers):
            last = self.tr("The last suggestion is number {0}.").format(len(self.offers))
            self._give_key_up(last if self.offers else self.tr("There are no suggestions for this segment."))
            return
        self._wanted, self._confirm = 0, None
        self.announced.emit("")
        editing.replace_texts({self._segment: self.offers[number - 1].text}, self.tr("using a suggestion"))
        if confirm is not None:
            confirm()

    def _show_again(self) -> None:
        self._show(self._waiting)

    def _ask_memory(self) -> None:
        self._memory.ask(self._segment)

    def _ask_if_unknown(self) -> bool:
        """Ask the engine, at once where a key waits for it."""
        is_unknown = bool(self._segment) and self._available and not self._asked
        if is_unknown and (not self._waiting or self._wanted):
            self._show(True)
            self._timer.start(0 if self._wanted else PAUSE_MS)
        return is_unknown

    def _ask(self) -> None:
        session, segment = self._controller.session, self._current
        # The panel may have been in front for a moment only, while the docks were arranged.
        if (
            session is None
            or segment is None
            or not self._panels.rail_is_seen()
            or not session.pair.needs_translation(segment.source)
        ):
            self._show(False)
        else:
            take = partial(self._take_answer, self._ticket)
            self._worker.ask(suggestions(session.key, self._segment, take))

    def _take_answer(self, ticket: int, suggestion: Suggestion) -> None:
        if ticket == self._ticket:
            self._target = self._current_target()
            self._drafts = (suggestion.text, *suggestion.alternatives)
            self._asked = True
            self._show(False)

    def _follow_session(self) -> None:
        if (session := self._controller.session) is not None:
            session.applied.connect(self._follow)
            session.offered.connect(lambda offer: self._follow_offer(offer.segment))
            session.withdrawn.connect(self._follow_offer)

    def _follow(self, changes: ChangeSet) -> None:
        """Compare with the current text; using one or typing does not change the numbers."""
        edit = next((each for each in changes.edits if each.segment == self._segment), None)
        if edit is None:
            return
        if edit.after.status is Status.DRAFT and edit.after.target != self._target:
            self._target = edit.after.target
            self._show(self._waiting)
            return
        if edit.after.status is not Status.DRAFT:
            self._give_key_up(self.tr("Suggestion {0} was not taken: the text has changed meanwhile."))
        self._compare.start()

    def _follow_offer(self, segment_id: str) -> None:
        if segment_id == self._segment:
            self._show(self._waiting)

    def _take_matches(self, segment_id: str, matches: tuple[Match, ...]) -> None:
        if segment_id == self._segment:
            self._matches = matches
            self._show(self._waiting)

    def _take_up(self) -> None:
        """There is an engine, maybe in the place of one that could not be loaded."""
        if not self._available:
            self._available = True
            self.forget()

    def _give_up(self) -> None:
        self._available = False
        self._show(False)

    def _stop_waiting(self) -> None:
        """A job failed; requests not yet sent are unaffected."""
        if not self._timer.isActive():
            self._show(False)

    def _current_target(self) -> str:
        return segment.target if (segment := self._current) is not None else ""

    def _show(self, waiting: bool) -> None:
        self._compare.stop()
        self.offers = self._found()[: len(TAKE_ACTIONS)]
        self._waiting = waiting
        if not waiting:
            self._timer.stop()
        self._panel.show_offers(self.offers, [self._keymap.shown(name) for name in TAKE_ACTIONS], waiting)
        self._answer_key()

    def _found(self) -> tuple[OfferedText, ...]:
        session, segment = self._controller.session, self._current
        if session is None or segment is None:
            return ()
        offers = {
            match.target: OfferedText(match.target, match, segment.source) for match in self._matches or ()
        }
        # Not a suggestion: the current text, or the same with other blanks or another final mark.
        said = [self._target, proposal_of(segment.state), *offers]
        newer = session.offer_for(self._segment)
        if newer is not None and _bare(newer.text) not in map(_bare, said):
            known = session.document.has(newer.cause)
            cause = session.document.row(newer.cause) + 1 if known else 0
            offers[newer.text] = OfferedText(
                newer.text, target=segment.target, newer=True, cause=cause, taken_back=newer.taken_back
            )
            said.append(newer.text)
        for text in self._drafts:
            best = self._drafts[0] if text != self._drafts[0] else ""
            if not is_junk(segment.source, text, best) and says_it_otherwise(text, said):
                offers[text] = OfferedText(text, target=segment.target)
                said.append(text)
        return tuple(offers.values())
