"""Progress of a step that changes many segments, and reports of successes and failures."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from anaphora.core.table_text import as_table
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.dialogs import closing_buttons, set_up_dialog, stack, wrapped
from anaphora.editor.widgets.html_table import html_list, set_html
from anaphora.editor.widgets.progress import ProgressView
from anaphora.project.current import CurrentProject
from anaphora.project.document.following import OpenProject


class LargeStepsView(QObject):
    """Blocks editing while a large step is carried out.

    Attributes:
        progress: progress dialog of the open project; None without a project.
    """

    def __init__(self, window: QWidget, controller: CurrentProject) -> None:
        super().__init__(window)
        self._window = window
        self.progress: ProgressView | None = None
        controller.begun.connect(self._follow)
        controller.closing.connect(self._leave)

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

    def _leave(self) -> None:
        if self.progress is not None:
            self.progress.end()
            self.progress.deleteLater()
            self.progress = None


class ReportDialog(QDialog):
    """Shows a sentence and a table of two columns."""

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
