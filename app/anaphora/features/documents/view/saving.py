"""Messages and progress while the project is saved, closed or changed in a large step; a report dialog."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QMessageBox,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from anaphora.core.table_text import as_table
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.feature import Desk
from anaphora.editor.widgets.dialogs import (
    ProgressDialog,
    ProgressView,
    ask,
    closing_buttons,
    set_up_dialog,
    show_error,
    stack,
    wrapped,
)
from anaphora.editor.widgets.html_table import html_list, set_html
from anaphora.project.current import CurrentProject
from anaphora.project.document.following import OpenProject
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
        saving.waiting.connect(self._show_waiting)

    def _show_problem(self, message: str) -> None:
        advice = self.tr(
            "Your work is still in the window, and Anaphora keeps trying to save it. To be safe, "
            "choose Document ▸ Save project as…, or export the translation."
        )
        self._close_box()
        title, projects = self.tr("Your changes cannot be saved"), self._projects
        if projects.is_outside_data_folder:
            keep = self.tr("Save the project in Anaphora's data folder")
            self._box = ask(self._window, title, message, advice, keep, projects.save_in_data_folder)
        else:
            self._box = show_error(self._window, title, message, advice)
        self._box.finished.connect(self._forget_box)

    def _close_box(self) -> None:
        if self._box is not None:
            self._box.close()

    def _forget_box(self) -> None:
        self._box = None

    def _show_waiting(self, is_waiting: bool) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.end()
        if is_waiting:
            text = self.tr("Your last changes are being written to the disk…")
            self.dialog = ProgressDialog(self.tr("Saving"), text, 0, self._window)
            self.dialog.cancel_requested.connect(self._saving.cancel)
            self.dialog.block()


class ClosePrompt(QObject):
    """Asks the user before unsaved changes are lost. `close_tab` returns False if it cannot close a tab."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._window, self._project = desk.window, desk.project
        self._is_leaving = False
        self._question: QDialog | None = None
        self.close_tab: Callable[[], bool] = lambda: False
        desk.project.opened.connect(self._follow_document)

    def close_document(self) -> None:
        close = partial(self._project.close, BRIEF_SECONDS)
        if not self.close_tab() and self.may_leave(close):
            close()

    def may_leave(self, leave: Callable[[], object]) -> bool:
        """True if the project can be closed now.

        Otherwise `leave` is called later, after saving or with the user's consent to lose the changes.
        """
        if self._project.session is None or self._is_leaving:
            return True
        if self._question is not None:
            self._question.raise_()
            self._question.activateWindow()
            return False
        if self._project.saving.is_waiting:
            return False
        self._project.comments.add_unfinished()

        def continue_after(problem: str | None) -> None:
            if problem is not None and self._ask_to_leave(problem, leave):
                self._leave_unsaved(leave)

        problem = self._project.saving.write_now(continue_after)
        return problem is not None and self._ask_to_leave(problem, leave)

    def _ask_to_leave(self, problem: str, leave: Callable[[], object]) -> bool:
        """True if saving succeeded (`problem` is ""). Otherwise ask whether to close without saving."""
        if self._project.session is None or not problem:
            return True
        self._question = ask(
            self._window,
            self.tr("Your last changes are not saved"),
            problem,
            self.tr("Before you close, save the project as another file or free some disk space."),
            self.tr("Close without saving"),
            lambda: self._leave_unsaved(leave),
            loses_work=True,
        )
        self._question.finished.connect(self._forget_question)
        return False

    def _forget_question(self) -> None:
        self._question = None

    def _leave_unsaved(self, leave: Callable[[], object]) -> None:
        self._is_leaving = True
        try:
            leave()
        finally:
            self._is_leaving = False

    def _follow_document(self, _: int) -> None:
        if self._question is not None:
            self._question.reject()  # the question is about the previous project


class LargeStepsView(QObject):
    """Blocks editing while a large step is carried out. `progress` is None without a project."""

    def __init__(self, window: QWidget, controller: CurrentProject) -> None:
        super().__init__(window)
        self._window = window
        self.progress: ProgressView | None = None
        controller.begun.connect(self._follow)
        controller.closing.connect(self._close_progress)

    def _follow(self, project: OpenProject) -> None:
        large = project.editing.large
        self.progress = ProgressView(self._window, large.progressed, large.cancel)
        large.begun.connect(self._begin)
        large.ended.connect(self.progress.end)

    def _begin(self, name: str) -> None:
        if self.progress is None:
            return
        self.progress.begin(self.tr("Changing many segments"), f"{name[:1].upper()}{name[1:]}…")
        if (dialog := self.progress.dialog) is not None:
            dialog.block()

    def _close_progress(self) -> None:
        if self.progress is not None:
            self.progress.end()
            self.progress.deleteLater()
            self.progress = None


class ReportDialog(QDialog):
    """Shows a summary and a table of two columns, which the user can copy."""

    def __init__(
        self,
        title: str,
        summary: str,
        headers: tuple[str, str],
        rows: Sequence[tuple[str, str]],
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        set_up_dialog(self, title, 720, 380)
        self.rows = tuple(rows)
        self._headers = headers
        buttons = closing_buttons(self)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        copy = buttons.addButton(self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.setAutoDefault(False)
        copy.clicked.connect(self._copy)
        table = self._table(theme)
        stack(self, wrapped(summary), table, buttons, grows=table)

    def _table(self, theme: Theme) -> QTreeWidget:
        interactive = QHeaderView.ResizeMode.Interactive
        table = html_list(theme, self.windowTitle(), self._headers, 240, interactive)
        for row in self.rows:
            item = QTreeWidgetItem(["", ""])
            for column, text in enumerate(row):
                set_html(item, column, text, html.escape(text))
            table.addTopLevelItem(item)
        return table

    def _copy(self) -> None:
        table = as_table((self._headers, *self.rows), "\t")
        QGuiApplication.clipboard().setText(table.rstrip("\n"))
