"""Leaving a document: a question about unsaved changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog

from anaphora.editor.desk import Desk
from anaphora.editor.widgets.messages import ask
from anaphora.project.saving import BRIEF_SECONDS


class ClosePrompt(QObject):
    """Asks before changes are lost that could not be saved."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._window, self._controller = desk.window, desk.project
        self._agreed = False
        self._question: QDialog | None = None
        desk.project.opened.connect(self._follow_document)

    def close_document(self) -> None:
        close = partial(self._controller.close, BRIEF_SECONDS)
        if self.may_leave(close):
            close()

    def may_leave(self, leave: Callable[[], object]) -> bool:
        """True if the document can be left now; else `leave` is called when it can and the user agrees.

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
        self._controller.comments.add_unfinished()

        def go_on(problem: str | None) -> None:
            if problem is not None and self._agrees(problem, leave):
                self._agree(leave)

        problem = self._controller.saving.write_now(go_on)
        return problem is not None and self._agrees(problem, leave)

    def _agrees(self, problem: str, leave: Callable[[], object]) -> bool:
        """True without open questions; else the user is asked. `problem` explains the unsaved changes."""
        if self._controller.session is None or not problem:
            return True
        self._question = ask(
            self._window,
            self.tr("Your last changes are not saved"),
            problem,
            self.tr("Before you close, save the project as another file or free some disk space."),
            self.tr("Close without saving"),
            lambda: self._agree(leave),
            loses_work=True,
        )
        self._question.finished.connect(self._forget_question)
        return False

    def _forget_question(self) -> None:
        self._question = None

    def _agree(self, leave: Callable[[], object]) -> None:
        self._agreed = True
        try:
            leave()
        finally:
            self._agreed = False

    def _follow_document(self, _: int) -> None:
        if self._question is not None:
            self._question.reject()  # It was about the document before.
