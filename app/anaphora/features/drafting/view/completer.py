"""Completes a translation while the user types it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QTimer

from anaphora.core.drafts import proposal_of
from anaphora.core.edits import ChangeSet
from anaphora.core.segment import Status
from anaphora.editor.desk import Desk
from anaphora.features.drafting.completions import Deleted, Expected, is_finished
from anaphora.features.drafting.requests import completion
from anaphora.features.spelling.service import SpellingService
from anaphora.system.window_settings import is_on
from anaphora_nmt.types import Completion

SETTING = "completion"
PAUSE_MS = 60
"""Pause in typing before a request to the engine."""


class Completer(QObject):
    """Shows a completion after the caret at the end of the typed text.

    Typed text that agrees with the completion shortens it; otherwise, or at its end, the engine is asked.
    Nothing is shown after a finished sentence. Deleted and invented words are not shown.
    """

    def __init__(self, desk: Desk, spelling: SpellingService) -> None:
        super().__init__(desk.window)
        self.is_on = is_on(desk.settings, SETTING)
        self._worker, self._controller, self._spelling = desk.worker, desk.project, spelling
        self._editor = editor = desk.table.editor
        self._segment = ""
        self._expected = Expected()
        self._deleted = Deleted()
        self._ticket = 0
        self._requested_text = ""
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(self._ask)
        editor.typed.connect(self._follow)
        editor.ghost_refused.connect(self._drop)
        desk.project.opened.connect(self._follow_session)

    def switch(self, is_on: bool) -> None:
        self.is_on = is_on
        if not is_on:
            self._drop()
            self._editor.show_draft_alone()

    def _drop(self) -> None:
        self._ticket += 1
        self._expected = Expected()
        self._timer.stop()

    def _follow_session(self) -> None:
        if (session := self._controller.session) is not None:
            session.applied.connect(self._note_deletion)

    def _note_deletion(self, changes: ChangeSet) -> None:
        for edit in changes.edits:
            if edit.segment == self._editor.segment_id:
                self._enter(edit.segment)
                if (proposal := proposal_of(edit.before)) and edit.after.target:
                    # Show the rest of a proposal after its typed part, but not in a cleared field.
                    self._expected = Expected(proposal, ended=True)
                self._deleted.follow(edit.before.target, edit.after.target)

    def _enter(self, segment_id: str) -> None:
        if segment_id != self._segment:
            self._segment = segment_id
            self._expected = Expected()
            self._deleted = Deleted()

    def _follow(self, segment_id: str, text: str) -> None:
        self._enter(segment_id)
        allowed, rest = self._may_complete(text), self._expected.rest(text)
        is_short = allowed and self._expected.is_short(text)
        if allowed and rest:
            self._show(text, rest)
        else:
            self._drop()
        self._timer.start() if is_short else self._timer.stop()

    def _may_complete(self, text: str) -> bool:
        session, editor = self._controller.session, self._editor
        if not self.is_on or session is None or not text.strip() or editor.guard.composing:
            return False
        if editor.textCursor().hasSelection() or editor.caret != len(text):
            return False
        segment = session.document.find(self._segment)
        if editor.segment_id != self._segment or segment is None or segment.status is Status.LOCKED:
            return False
        return not is_finished(segment.source, text) and session.pair.needs_translation(segment.source)

    def _show(self, text: str, rest: str) -> None:
        self._editor.show_ghost("" if self._deleted.is_back(text, rest) else rest)

    def _ask(self) -> None:
        text, session = self._editor.toPlainText(), self._controller.session
        if session is not None and self._may_complete(text):
            self._ticket += 1
            self._requested_text = text
            receive, source = partial(self._receive, self._ticket), session.document.get(self._segment).source
            invented = self._spelling.inventions_beside(source)
            self._worker.ask(completion(session.key, self._segment, source, text, receive, invented))

    def _receive(self, ticket: int, found: Completion) -> None:
        text = self._editor.toPlainText()
        expected = Expected(self._requested_text + found.text, found.ended)
        if ticket == self._ticket and self._may_complete(text) and (rest := expected.rest(text)):
            self._expected = expected
            self._show(text, rest)
