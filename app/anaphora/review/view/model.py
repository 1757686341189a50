"""What a reviewer changed, row by row: a row is worked out when it is shown."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from anaphora.core.tags import readable_tags
from anaphora.review.changes import Finding, ReviewChange
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.compared import compared
from anaphora.views.widgets.html_delegate import HTML_ROLE, LABELS_ROLE

NUMBER, SOURCE, CHANGE, REMARK = range(4)
PROPOSED = (Finding.CHANGED, Finding.COMMENT)
Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole


class ReviewModel(QAbstractTableModel):
    """The changes, and how many of them are checked; `counted` when that has changed."""

    counted = Signal()

    def __init__(self, changes: Sequence[ReviewChange], theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._changes = tuple(changes)
        self._theme = theme
        self._checked = bytearray(each.finding in PROPOSED for each in changes)
        self.count = sum(self._checked)
        theme.changed.connect(self._recolour)

    def checked(self) -> tuple[ReviewChange, ...]:
        return tuple(
            each for each, is_checked in zip(self._changes, self._checked, strict=True) if is_checked
        )

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(self._changes)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802
        return 0 if parent.isValid() else REMARK + 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        found = super().flags(index)
        if index.column() == NUMBER and self._changes[index.row()].can_be_taken:
            found |= Qt.ItemFlag.ItemIsUserCheckable
        return found

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> str | None:
        if orientation is not Qt.Orientation.Horizontal or role != _Role.DisplayRole:
            return None
        return (self.tr("No."), self.tr("Source"), self.tr("Change"), self.tr("Remark"))[section]

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        change = self._changes[index.row()]
        if index.column() == NUMBER:
            return self._of_number(index.row(), change, role)
        if role == LABELS_ROLE:
            return dict(change.tags)
        if role == _Role.AccessibleTextRole:
            return readable_tags(self._text(index.column(), change), dict(change.tags))
        if role != HTML_ROLE:
            return None
        if index.column() == CHANGE:
            return compared(self._theme, change.before, change.after, dict(change.tags))
        return html.escape(self._text(index.column(), change)).replace("\n", "<br>")

    def setData(self, index: Index, value: Any, role: int = _Role.EditRole) -> bool:  # noqa: N802
        if role != _Role.CheckStateRole or not self.flags(index) & Qt.ItemFlag.ItemIsUserCheckable:
            return False
        row, is_checked = index.row(), Qt.CheckState(value) is Qt.CheckState.Checked
        self.count += is_checked - self._checked[row]
        self._checked[row] = is_checked
        self.dataChanged.emit(index, index, [role])
        self.counted.emit()
        return True

    def _of_number(self, row: int, change: ReviewChange, role: int) -> Any:
        if role == _Role.DisplayRole:
            return str(change.number)
        if role == _Role.CheckStateRole and change.can_be_taken:
            return Qt.CheckState.Checked if self._checked[row] else Qt.CheckState.Unchecked
        return None

    def _text(self, column: int, change: ReviewChange) -> str:
        if column == SOURCE:
            return change.source
        if column == CHANGE:
            return change.after
        return "\n".join(part for part in (self._finding(change.finding), change.comments) if part)

    def _finding(self, finding: Finding) -> str:
        return {
            Finding.CHANGED: "",
            Finding.COMMENT: self.tr("A comment only"),
            Finding.CONFLICT: self.tr("Changed here, too"),
            Finding.LOCKED: self.tr("Locked here"),
            Finding.MISSING: self.tr("Not in this project"),
        }[finding]

    def _recolour(self) -> None:
        if self._changes:
            self.dataChanged.emit(
                self.index(0, CHANGE), self.index(len(self._changes) - 1, CHANGE), [HTML_ROLE]
            )
