"""Messages that the project cannot be saved, or that the disk is slow."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QWidget

from anaphora.editor.widgets.messages import ask, show_error
from anaphora.editor.widgets.progress import ProgressDialog
from anaphora.project.operations import ProjectOperations
from anaphora.project.saving import Saving


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
