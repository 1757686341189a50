"""Leaving a document: what is not saved is asked about, else it says what is confirmed and what is not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QDialog, QWidget

from anaphora.checks.checking import CheckingService
from anaphora.checks.issue_count import IssueCount
from anaphora.core.edits import ChangeSet
from anaphora.core.segment import Status
from anaphora.document.session import DocumentSession
from anaphora.export.view.dialog import ClosingDialog
from anaphora.export.writing import summarise
from anaphora.projects.controller import DocumentController
from anaphora.projects.saving import BRIEF_SECONDS
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.messages import ask

SETTING = "say_at_closing"
BY_HAND = (Status.EDITED, Status.CONFIRMED)


class ClosePrompt(QObject):
    """Knows whether the translation has changed by hand since it was exported, and says so at the end."""

    export_requested = Signal()
    segments_requested = Signal(object)

    def __init__(
        self,
        window: QWidget,
        controller: DocumentController,
        checking: CheckingService,
        theme: Theme,
        settings: QSettings,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._controller = controller
        self._checking = checking
        self._theme = theme
        self._settings = settings
        self._changed = False
        self._agreed = False
        self._question: QDialog | None = None
        controller.opened.connect(self._follow_document)
        for exported in (controller.exported, controller.exported_all):
            exported.connect(self._forget_changes)

    def close_document(self) -> None:
        close = partial(self._controller.close, BRIEF_SECONDS)
        if self.may_leave(close):
            close()

    def may_leave(self, leave: Callable[[], object]) -> bool:
        """Whether the document can be left now; else `leave` is called once it can, and the user agrees.

        One question at a time: while one is open, it is shown again; a slow disk is waited for once.
        """
        if self._controller.session is None or self._agreed:
            return True
        if self._question is not None:
            self._question.raise_()
            self._question.activateWindow()
            return False
        if self._controller.saving.is_waiting:
            return False
        self._controller.comments.take_begun()

        def go_on(problem: str | None) -> None:
            if problem is not None and self._agrees(problem, leave):
                self._agree(leave)

        problem = self._controller.saving.now(go_on)
        return problem is not None and self._agrees(problem, leave)

    def _agrees(self, problem: str, leave: Callable[[], object]) -> bool:
        """Whether nothing is to be asked; else it is. `problem` says why not everything is on the disk."""
        session = self._controller.session
        if session is not None and problem:
            self._ask_to_lose(problem, leave)
        elif session is not None and self._changed and self._settings.value(SETTING, True, type=bool):
            self._say_what_is_done(session, leave)
        else:
            return True
        return False

    def _ask_to_lose(self, problem: str, leave: Callable[[], object]) -> None:
        box = ask(
            self._window,
            self.tr("Your last changes are not saved"),
            problem,
            self.tr("Save the project as another file, or free some space, before you close."),
            self.tr("Close without saving"),
            lambda: self._agree(leave),
            loses_work=True,
        )
        self._wait_for(box)

    def _say_what_is_done(self, session: DocumentSession, leave: Callable[[], object]) -> None:
        dialog = ClosingDialog(
            session.document.name,
            summarise(session.document, self._controller.documents),
            IssueCount(self._checking),
            self._theme,
            self._window,
        )

        def agree() -> None:
            self._settings.setValue(SETTING, dialog.again.isChecked())
            self._agree(leave)

        dialog.close_agreed.connect(agree)
        dialog.export_requested.connect(self.export_requested)
        dialog.segments_requested.connect(self.segments_requested)
        dialog.open()
        self._wait_for(dialog)

    def _wait_for(self, question: QDialog) -> None:
        self._question = question
        question.finished.connect(self._forget_question)

    def _forget_question(self) -> None:
        self._question = None

    def _agree(self, leave: Callable[[], object]) -> None:
        self._agreed = True
        try:
            leave()
        finally:
            self._agreed = False

    def _follow_document(self, _: int) -> None:
        self._changed = False
        if self._question is not None:
            self._question.reject()  # It was about the document before.
        if (session := self._controller.session) is not None:
            session.applied.connect(self._follow)

    def _follow(self, changes: ChangeSet) -> None:
        self._changed = self._changed or any(edit.after.status in BY_HAND for edit in changes.edits)

    def _forget_changes(self, _: object) -> None:
        self._changed = False
