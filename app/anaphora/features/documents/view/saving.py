"""Messages before closing with unsaved text, and while the project cannot be saved or the disk is slow."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QMessageBox, QWidget

from anaphora.editor.desk import Desk
from anaphora.editor.widgets.dialogs import ask, show_error
from anaphora.editor.widgets.progress import ProgressDialog
from anaphora.project.operations import ProjectOperations
from anaphora.project.saving import BRIEF_SECONDS, Saving


class SavingView(QObject):
    """Shows at most one message about failed saving, and a progress dialog for slow saving."""

    def __init__(self, window: QWidget, saving: Saving, projects: ProjectOperations) -> None:
        super().__init__(window)
        self.dialog: ProgressDialog | None = None
        self._window = window
        self._saving, self._projects = saving, projects
        self._box: QMessageBox | None = None
        saving.failed.connect(self._show_problem)
        saving.handled.connect(self._close_box)
        saving.waiting.connect(self._show_lasting)

    def _show_problem(self, message: str) -> None:
        advice = self.tr(
            "Your work is still in the window, and Anaphora keeps trying to save it. To be safe, "
            "choose Document ▸ Save project as…, or export the translation."
        )
        self._close_box()
        title, projects = self.tr("Your changes cannot be saved"), self._projects
        if projects.is_outside_data_folder:
            keep = self.tr("Keep it in the data folder")
            self._box = ask(self._window, title, message, advice, keep, projects.move_to_data_folder)
        else:
            self._box = show_error(self._window, title, message, advice)
        self._box.finished.connect(self._forget_box)

    def _close_box(self) -> None:
        if self._box is not None:
            self._box.close()

    def _forget_box(self) -> None:
        self._box = None

    def _show_lasting(self, is_lasting: bool) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.end()
        if is_lasting:
            text = self.tr("Your last changes are being written to the disk…")
            self.dialog = ProgressDialog(self.tr("Saving"), text, 0, self._window)
            self.dialog.canceled.connect(self._saving.cancel)
            self.dialog.block()


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
