"""A report of successes and failures that can be copied."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from anaphora.core.table_text import as_table
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.dialogs import closing_buttons, set_up_dialog, stack, wrapped
from anaphora.editor.widgets.html_table import html_list, set_html


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
