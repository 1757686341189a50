"""Asks for the columns of terms and translations if a table does not show them clearly."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from anaphora.editor.widgets.columns import ColumnsPart
from anaphora.editor.widgets.dialogs import set_up_dialog, stack, wrapped
from anaphora.formats.terminology.table import UncertainColumnsError


class TermColumnsDialog(QDialog):
    """Shows the first rows of a table of terms.

    Signals:
        chosen: the Columns.
    """

    chosen = Signal(object)

    def __init__(self, found: UncertainColumnsError, parent: QWidget) -> None:
        super().__init__(parent)
        set_up_dialog(self, self.tr("Import terms"), 640, 280)
        labels = self.tr("Column of the terms"), self.tr("Column of the translations")
        self.columns = ColumnsPart(found.table, labels)
        self.columns.target.removeItem(0)  # the column of the source
        self.columns.target.setCurrentIndex(found.table.columns.targets[0])
        self.columns.has_header.setText(self.tr("The first row contains column names"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.import_button = buttons.addButton(self.tr("Import"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.import_button.setDefault(True)
        self.columns.sources.itemChanged.connect(self._follow_columns)
        self.columns.target.currentIndexChanged.connect(self._follow_columns)
        self._follow_columns()
        buttons.accepted.connect(self.accept)
        self.accepted.connect(lambda: self.chosen.emit(self.columns.chosen))
        buttons.rejected.connect(self.reject)
        text = self.tr("In “{0}”, choose one column for the terms and another for the translations.")
        stack(self, wrapped(text.format(found.path.name), "section"), self.columns, buttons)

    def _follow_columns(self) -> None:
        """Enable the import once two columns are chosen."""
        part = self.columns
        self.import_button.setEnabled(part.target.isEnabled() and min(part.chosen.targets) >= 0)
