"""The question about unsaved changes before a project is closed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog

from anaphora.editor.desk import Desk
from anaphora.editor.widgets.messages import ask
from anaphora.project.saving import BRIEF_SECONDS


class ClosePrompt(QObject):
    """Asks the user before unsaved changes are lost."""

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
        """True if the project can be closed now; otherwise `leave` is called after saving or with consent.

        Shows an open question again instead of a second one, and waits for a slow disk only once.
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

        def continue_after(problem: str | None) -> None:
            if problem is not None and self._agrees(problem, leave):
                self._agree(leave)

        problem = self._controller.saving.write_now(continue_after)
        return problem is not None and self._agrees(problem, leave)

    def _agrees(self, problem: str, leave: Callable[[], object]) -> bool:
        """True if nothing is unsaved; otherwise ask the user. `problem`: why saving failed."""
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
            self._question.reject()  # it is about the previous project
