"""What a reviewer changed: each change is taken over, or left."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anaphora.review.changes import Finding, ReviewChange
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.compared import compared
from anaphora.views.widgets.dialog_size import resize_within_screen
from anaphora.views.widgets.html_delegate import html_list, set_html
from anaphora.views.widgets.panel import top_items
from anaphora.views.widgets.plain_text import plain_label

CHANGE_ROLE = Qt.ItemDataRole.UserRole + 2
NUMBER, SOURCE, CHANGE, REMARK = range(4)
PROPOSED = (Finding.CHANGED, Finding.COMMENT)


class ReviewDialog(QDialog):
    """A list of changes with check boxes; those that need a decision are not checked.

    Signals:
        agreed: the ReviewChanges that are checked.
    """

    agreed = Signal(object)

    def __init__(
        self, name: str, changes: Sequence[ReviewChange], theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setWindowTitle(self.tr("Take a review over"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_within_screen(self, 980, 560)
        about = plain_label(self._about(name, changes))
        about.setWordWrap(True)
        self.list = self._make_list(changes)
        self._compare()
        theme.changed.connect(self._compare)
        self.apply_button = QPushButton()
        self.apply_button.setDefault(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.apply_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(lambda: self.agreed.emit(self.checked()))
        self.list.itemChanged.connect(lambda *_: self._count())
        box = QVBoxLayout(self)
        box.setContentsMargins(18, 16, 18, 14)
        box.setSpacing(12)
        box.addWidget(about)
        box.addWidget(self.list, 1)
        box.addWidget(buttons)
        self._count()
        self.list.setFocus()

    def checked(self) -> tuple[ReviewChange, ...]:
        """The changes whose box is checked."""
        return tuple(
            item.data(NUMBER, CHANGE_ROLE)
            for item in top_items(self.list)
            if item.checkState(NUMBER) is Qt.CheckState.Checked
        )

    def _about(self, name: str, changes: Sequence[ReviewChange]) -> str:
        counts = Counter(change.finding for change in changes)
        parts = [self.tr("{0} – rows that differ: {1}.").format(name, len(changes))]
        if counts[Finding.CONFLICT]:
            text = self.tr("Changed here, too: {0}; tick those that you want.")
            parts.append(text.format(counts[Finding.CONFLICT]))
        if counts[Finding.MISSING]:
            text = self.tr("Of sentences that are not in this project: {0}.")
            parts.append(text.format(counts[Finding.MISSING]))
        if counts[Finding.LOCKED]:
            parts.append(self.tr("Locked here: {0}.").format(counts[Finding.LOCKED]))
        return " ".join(parts)

    def _make_list(self, changes: Sequence[ReviewChange]) -> QTreeWidget:
        headings = (self.tr("No."), self.tr("Source"), self.tr("Change"), self.tr("Remark"))
        result = html_list(self._theme, self.tr("Changes"), headings, 80, QHeaderView.ResizeMode.Fixed)
        result.header().setSectionResizeMode(REMARK, QHeaderView.ResizeMode.Fixed)
        result.header().resizeSection(REMARK, 200)
        for change in changes:
            item = QTreeWidgetItem([str(change.number), "", "", ""])
            item.setData(NUMBER, CHANGE_ROLE, change)
            if change.can_be_taken:
                proposed = change.finding in PROPOSED
                item.setCheckState(NUMBER, Qt.CheckState.Checked if proposed else Qt.CheckState.Unchecked)
            else:
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsUserCheckable)
            labels = dict(change.tags)
            set_html(item, SOURCE, change.source, html.escape(change.source), labels)
            remark = "\n".join(part for part in (self._finding(change.finding), change.comments) if part)
            set_html(item, REMARK, remark, html.escape(remark).replace("\n", "<br>"))
            result.addTopLevelItem(item)
        return result

    def _compare(self) -> None:
        """Mark what differs in each row, in the colours of the theme in force."""
        with QSignalBlocker(self.list):
            for item in top_items(self.list):
                change = item.data(NUMBER, CHANGE_ROLE)
                labels = dict(change.tags)
                said = compared(self._theme, change.before, change.after, labels)
                set_html(item, CHANGE, change.after, said, labels)

    def _finding(self, finding: Finding) -> str:
        return {
            Finding.CHANGED: "",
            Finding.COMMENT: self.tr("A comment only"),
            Finding.CONFLICT: self.tr("Changed here, too"),
            Finding.LOCKED: self.tr("Locked here"),
            Finding.MISSING: self.tr("Not in this project"),
        }[finding]

    def _count(self) -> None:
        count = len(self.checked())
        self.apply_button.setEnabled(count > 0)
        many = self.tr("Take {0} over").format(count)
        self.apply_button.setText(self.tr("Take 1 over") if count == 1 else many)
