"""Lists of changes, whose rows are formatted when they are displayed."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QWidget

from anaphora.core.tags import readable_tags
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.compared import compared
from anaphora.editor.widgets.dialogs import set_up_dialog
from anaphora.editor.widgets.html_delegate import HTML_ROLE, LABELS_ROLE
from anaphora.editor.widgets.html_table import HtmlTable

NUMBER, CONTEXT, CHANGE = range(3)
Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole


@dataclass(slots=True)
class ChangeRow:
    """A change.

    Attributes:
        value: the object that changes, such as a `Preview`.
        texts: the columns after the number; the second one marks its differences from `before`.
        is_checked: None for a row without a check box.
    """

    value: Any
    number: int
    before: str
    texts: Sequence[str]
    tags: Sequence[tuple[str, str]] = ()
    is_checked: bool | None = None
    tip: str = ""


class ChangesModel(QAbstractTableModel):
    """Changes with check boxes."""

    def __init__(self, headings: Sequence[str], theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[ChangeRow] = []
        self._headings = headings
        self._theme = theme

    def show_rows(self, rows: Sequence[ChangeRow]) -> None:
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(self._headings)

    def flags(self, index: Index) -> Qt.ItemFlag:
        can_be_checked = index.column() == NUMBER and self.rows[index.row()].is_checked is not None
        return super().flags(index) | (Qt.ItemFlag.ItemIsUserCheckable if can_be_checked else Qt.ItemFlag(0))

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> str | None:
        is_heading = orientation is Qt.Orientation.Horizontal and role == _Role.DisplayRole
        return self._headings[section] if is_heading else None

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        row, column = self.rows[index.row()], index.column()
        if column == NUMBER:
            values: dict[int, Any] = {_Role.DisplayRole: str(row.number), _Role.ToolTipRole: row.tip or None}
            if row.is_checked is not None:
                states = Qt.CheckState.Unchecked, Qt.CheckState.Checked
                values[_Role.CheckStateRole] = states[row.is_checked]
            return values.get(role)
        if role == LABELS_ROLE:
            return dict(row.tags)
        text = row.texts[column - 1]
        if role == _Role.AccessibleTextRole:
            return readable_tags(text, dict(row.tags))
        if role != HTML_ROLE:
            return None
        if column == CHANGE:
            return compared(self._theme, row.before, text, dict(row.tags))
        return html.escape(text).replace("\n", "<br>")

    def setData(self, index: Index, value: Any, role: int = _Role.EditRole) -> bool:  # noqa: N802
        if role != _Role.CheckStateRole or not self.flags(index) & Qt.ItemFlag.ItemIsUserCheckable:
            return False
        self.rows[index.row()].is_checked = Qt.CheckState(value) is Qt.CheckState.Checked
        self.dataChanged.emit(index, index, [role])
        return True


class ChangesDialog(QDialog):
    """Lets the user choose among changes and agree to them.

    Signals:
        agreed: the values of the checked rows.
    """

    agreed = Signal(object)

    def __init__(
        self,
        theme: Theme,
        title: str,
        headings: Sequence[str],
        apply: tuple[str, str],
        parent: QWidget | None,
    ) -> None:
        """`apply`: the button's text for one row and for several."""
        super().__init__(parent)
        set_up_dialog(self, title, 980, 560)
        self._apply = apply
        self.model = ChangesModel(headings, theme, self)
        self.list = HtmlTable(self.model, theme, QCoreApplication.translate("ReviewDialog", "Changes"))
        self.list.fix_width(NUMBER, 80)
        self.apply_button = QPushButton()
        self.apply_button.setProperty("primary", True)
        self.apply_button.setDefault(True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.addButton(self.apply_button, QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.accepted.connect(lambda: self.agreed.emit(self.checked()))
        self.model.dataChanged.connect(lambda *_: self._count())
        self.model.modelReset.connect(self._count)

    def checked(self) -> tuple[Any, ...]:
        return tuple(row.value for row in self.model.rows if row.is_checked)

    def _count(self) -> None:
        count = len(self.checked())
        self.apply_button.setEnabled(count > 0)
        self.apply_button.setText(self._apply[count != 1].format(count))
