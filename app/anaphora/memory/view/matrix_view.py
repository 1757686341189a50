"""A matrix of shares: rows (remembered words) by output words, as a heat map."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QTableView, QWidget

from anaphora.views.appearance.theme import Theme, readable_on
from anaphora.views.widgets.plain_text import plain_tip

_Index = QModelIndex | QPersistentModelIndex
_ROLE = Qt.ItemDataRole
SAID = 0.1
"""A smaller share is only coloured."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Labels of rows and of columns, and for each row its values in [0, 1]."""

    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    shares: tuple[tuple[float, ...], ...] = ()


class _Model(QAbstractTableModel):
    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self.matrix = Matrix()

    def show(self, matrix: Matrix) -> None:
        self.beginResetModel()
        self.matrix = matrix
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(self.matrix.rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(self.matrix.columns)

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole
    ) -> object:
        if role not in (_ROLE.DisplayRole, _ROLE.ToolTipRole):
            return None
        labels = self.matrix.columns if orientation is Qt.Orientation.Horizontal else self.matrix.rows
        return plain_tip(labels[section]) if role == _ROLE.ToolTipRole else labels[section]

    def data(self, index: _Index, role: int = _ROLE.DisplayRole) -> object:
        row, column = index.row(), index.column()
        share = self.matrix.shares[row][column]
        if role == _ROLE.DisplayRole:
            return f"{share:.0%}" if share >= SAID else ""
        if role == _ROLE.BackgroundRole:
            return self._theme.colours.heat(share)
        if role == _ROLE.ForegroundRole:
            return readable_on(self._theme.colours.heat(share))
        if role == _ROLE.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignCenter
        if role in (_ROLE.ToolTipRole, _ROLE.AccessibleTextRole):
            said = f"{self.matrix.rows[row]}  →  {self.matrix.columns[column]}:  {share:.1%}"
            return plain_tip(said) if role == _ROLE.ToolTipRole else said
        return None


class MatrixView(QTableView):
    """Shows a Matrix; the output word that is chosen is the current column.

    Signals:
        column_chosen: index of the column that the user clicked or stepped to.
        row_chosen: index of the row that the user double-clicked.
    """

    column_chosen = Signal(int)
    row_chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = -1
        self._shares = _Model(theme, self)
        self.setModel(self._shares)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectColumns)
        self.setTabKeyNavigation(False)
        self.selectionModel().currentColumnChanged.connect(self._choose)
        self.doubleClicked.connect(self._choose_row)
        theme.changed.connect(self.viewport().update)

    def show_matrix(self, matrix: Matrix) -> None:
        self._column = -1
        self._shares.show(matrix)
        self.resizeColumnsToContents()

    def select_column(self, column: int) -> None:
        """Show a column as chosen; -1 for none."""
        self._column = column
        self.setCurrentIndex(self._shares.index(max(self.currentIndex().row(), 0), column))

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid() and index.column() != self._column:
            self._column = index.column()
            self.column_chosen.emit(self._column)

    def _choose_row(self, index: QModelIndex) -> None:
        self.row_chosen.emit(index.row())
