"""The preview before one rendering of a term takes the place of the others."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from anaphora.core.differences import Change, merged
from anaphora.document.previews import Preview
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.dialogs import begin, stack, wrapped
from anaphora.views.widgets.html_delegate import html_list, set_html
from anaphora.views.widgets.panel import NumberOf, top_items

PREVIEW_ROLE = Qt.ItemDataRole.UserRole + 2
NUMBER, BEFORE, AFTER = range(3)


def mark_changes(before: str, after: str, colour: str) -> tuple[str, str]:
    """Both texts as HTML, with the words that differ in `colour`."""
    looks = {
        Change.SAME: "{}",
        Change.GONE: f'<s style="color:{colour}">{{}}</s>',
        Change.NEW: f'<b style="color:{colour}">{{}}</b>',
    }
    parts = [(change, looks[change].format(html.escape(text))) for change, text in merged(before, after)]
    left = "".join(shown for change, shown in parts if change is not Change.NEW)
    return left, "".join(shown for change, shown in parts if change is not Change.GONE)


def mark_rows(rows: QTreeWidget, theme: Theme) -> None:
    """Show what differs in each row's Preview, in the colours of the theme in force."""
    with QSignalBlocker(rows):
        for item in top_items(rows):
            preview = item.data(NUMBER, PREVIEW_ROLE)
            before, after = mark_changes(preview.before, preview.after, theme.colours.warning)
            labels = dict(preview.tags)
            set_html(item, BEFORE, preview.before, before, labels)
            set_html(item, AFTER, preview.after, after, labels)


class RenderingPreview(QDialog):
    """Shows each change with a check box; nothing happens before the user agrees."""

    agreed = Signal(object)

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
        super().__init__(parent)
        title = self.tr("Replace all") if about_replacing else self.tr("Use one rendering")
        begin(self, title, 860, 460)
        text = self.tr(
            "“{0}” is to be called “{1}” in these segments. Confirmed ones change only where you tick them."
        )
        self.about = wrapped(about_replacing or text.format(term, rendering))
        self._theme = theme
        self.list = self._make_list(previews, number_of, theme)
        mark_rows(self.list, theme)
        theme.changed.connect(self._follow_theme)
        self.keep = QCheckBox(self.tr("Keep “{0}” in the project's term base").format(rendering))
        self.keep.setChecked(True)
        self.keep.setHidden(bool(about_replacing))
        self.apply_button = QPushButton()
        self.apply_button.setProperty("primary", True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.apply_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(lambda: self.agreed.emit(self.checked()))
        self.list.itemChanged.connect(self._count)
        stack(self, self.about, self.list, self.keep, buttons, grows=self.list)
        self._count()

    def checked(self) -> tuple[Preview, ...]:
        return tuple(
            item.data(NUMBER, PREVIEW_ROLE)
            for item in top_items(self.list)
            if item.checkState(NUMBER) is Qt.CheckState.Checked
        )

    def _make_list(self, previews: Sequence[Preview], number_of: NumberOf, theme: Theme) -> QTreeWidget:
        headings = (self.tr("No."), self.tr("Now"), self.tr("Then"))
        result = html_list(theme, self.tr("Changes"), headings, 80, QHeaderView.ResizeMode.Fixed)
        for preview in previews:
            item = QTreeWidgetItem([str(number_of(preview.segment)), "", ""])
            wanted = Qt.CheckState.Unchecked if preview.confirmed else Qt.CheckState.Checked
            item.setCheckState(NUMBER, wanted)
            if preview.confirmed:
                item.setToolTip(NUMBER, self.tr("confirmed"))
            item.setData(NUMBER, PREVIEW_ROLE, preview)
            result.addTopLevelItem(item)
        return result

    def _follow_theme(self) -> None:
        mark_rows(self.list, self._theme)

    def _count(self) -> None:
        count = len(self.checked())
        self.apply_button.setEnabled(count > 0)
        many = self.tr("Change {0} segments").format(count)
        self.apply_button.setText(self.tr("Change 1 segment") if count == 1 else many)
