"""Differences between two texts as rich text, and tables and dialogs of changes."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QPushButton, QWidget

from anaphora.core.differences import Change, merged
from anaphora.core.edits import Preview
from anaphora.core.structure import shortened_pair
from anaphora.core.tags import readable_tags
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.dialogs import set_up_dialog, stack, wrapped
from anaphora.editor.widgets.html_table import HTML_ROLE, LABELS_ROLE, HtmlTable
from anaphora.editor.widgets.rail import NumberOf
from anaphora.editor.widgets.tag_chips import with_chips

THIN_SPACE = "\u2009"
MIN_SHARED = 0.5
"""Minimum share of common characters in two texts. If they share fewer, only the new text is shown."""


def compared(
    theme: Theme,
    before: str,
    after: str,
    labels: Mapping[str, str] = MappingProxyType({}),
    is_brief: bool = False,
) -> str:
    """Two texts as one rich text with marked differences, or the new text if they have little in common.

    Args:
        is_brief: True to leave out deleted text that was replaced.
    """
    colours = theme.colours
    styles = {
        Change.GONE: f"text-decoration:line-through;color:{colours.warning}",
        Change.NEW: f"background-color:{colours.match};color:{colours.text}",
    }
    before, after = shortened_pair(before, after)
    changes = merged(before, after)
    changes = [(Change.SAME, after)] if is_rewritten(before, after, changes) else changes
    parts: list[str] = []
    for (change, text), (following, _) in pairwise((*changes, (Change.SAME, ""))):
        shown = with_chips(html.escape(text), labels, colours)
        is_replaced = (change, following) == (Change.GONE, Change.NEW)
        if not (is_brief and is_replaced):
            parts.append(f'<span style="{styles[change]}">{shown}</span>' if change in styles else shown)
            parts.append(THIN_SPACE if is_replaced else "")
    return "".join(parts)


def is_rewritten(before: str, after: str, parts: Iterable[tuple[Change, str]]) -> bool:
    """True if two texts have too little in common to mark differences; `parts` is the result of `merged`."""
    shared = sum(len(text) for change, text in parts if change is Change.SAME)
    return bool(after) and 2 * shared < MIN_SHARED * (len(before) + len(after))


NUMBER, CONTEXT, CHANGE = range(3)
Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole


@dataclass(slots=True)
class ChangeRow:
    """A row of a `ChangesModel`.

    Attributes:
        value: the change, such as a `Preview`.
        texts: the cells after the number; the second one is shown with its differences from `before`.
        tags: (tag, label) of the tags in all texts.
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
    """A table model of changes, with check boxes in the column of numbers."""

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
    """Lets the user check changes; `agreed` carries the values of the checked rows."""

    agreed = Signal(object)

    def __init__(
        self,
        theme: Theme,
        title: str,
        headings: Sequence[str],
        apply: tuple[str, str],
        parent: QWidget | None,
    ) -> None:
        """`apply` contains the button's texts: for 1 checked row, and for any other number of rows ({0})."""
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
        self.model.dataChanged.connect(lambda *_: self._update_button())
        self.model.modelReset.connect(self._update_button)

    def checked(self) -> tuple[Any, ...]:
        return tuple(row.value for row in self.model.rows if row.is_checked)

    def _update_button(self) -> None:
        count = len(self.checked())
        self.apply_button.setEnabled(count > 0)
        self.apply_button.setText(self._apply[count != 1].format(count))


def preview_row(preview: Preview, number_of: NumberOf) -> ChangeRow:
    texts = preview.before, preview.after
    return ChangeRow(preview, number_of(preview.segment), preview.before, texts, preview.tags)


class RenderingPreview(ChangesDialog):
    """Shows the changes for a new rendering of a term or, with `about_replacing`, for a replacement."""

    def __init__(
        self,
        term: str,
        rendering: str,
        previews: Sequence[Preview],
        number_of: NumberOf,
        theme: Theme,
        parent: QWidget | None = None,
        about_replacing: str = "",
    ) -> None:
        title = self.tr("Replace all") if about_replacing else self.tr("Use one translation everywhere")
        headings = self.tr("No."), self.tr("Before"), self.tr("After")
        apply = self.tr("Change 1 segment"), self.tr("Change {0} segments")
        super().__init__(theme, title, headings, apply, parent)
        text = self.tr(
            "“{0}” will be translated as “{1}” in these segments. Human translations change only "
            "where you select them."
        )
        self.about = wrapped(about_replacing or text.format(term, rendering))
        self.keep = QCheckBox(self.tr("Add “{0}” to the project's term base").format(rendering))
        self.keep.setChecked(True)
        self.keep.setHidden(bool(about_replacing))
        stack(self, self.about, self.list, self.keep, self.buttons, grows=self.list)
        rows = [preview_row(preview, number_of) for preview in previews]
        for row in rows:
            row.is_checked = not row.value.is_written
            row.tip = self.tr("human translation") if row.value.is_written else ""
        self.model.show_rows(rows)
