"""What a reviewer changed: each change is taken over, or left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QWidget

from anaphora.review.changes import Finding, ReviewChange
from anaphora.review.view.model import NUMBER, REMARK, ReviewModel
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.dialogs import begin, stack, wrapped
from anaphora.views.widgets.html_table import HtmlTable


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
        begin(self, self.tr("Take a review over"), 980, 560)
        self.model = ReviewModel(changes, theme, self)
        self.list = HtmlTable(self.model, theme, self.tr("Changes"))
        self.list.fix_width(NUMBER, 80)
        self.list.fix_width(REMARK, 200)
        self.apply_button = QPushButton()
        self.apply_button.setDefault(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.apply_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(lambda: self.agreed.emit(self.model.checked()))
        self.model.counted.connect(self._count)
        stack(self, wrapped(self._about(name, changes)), self.list, buttons, grows=self.list)
        self._count()
        self.list.setFocus()

    def _about(self, name: str, changes: Sequence[ReviewChange]) -> str:
        counts = Counter(change.finding for change in changes)
        parts = [self.tr("{0} – rows that differ: {1}.").format(name, len(changes))]
        if counts[Finding.CONFLICT]:
            text = self.tr("Changed here, too: {0}; tick those that you want.")
            parts.append(text.format(counts[Finding.CONFLICT]))
        if counts[Finding.MISSING]:
            text = self.tr("Rows for sentences that are not in this project: {0}.")
            parts.append(text.format(counts[Finding.MISSING]))
        if counts[Finding.LOCKED]:
            parts.append(self.tr("Locked here: {0}.").format(counts[Finding.LOCKED]))
        return " ".join(parts)

    def _count(self) -> None:
        count = self.model.count
        self.apply_button.setEnabled(count > 0)
        many = self.tr("Take {0} over").format(count)
        self.apply_button.setText(self.tr("Take 1 over") if count == 1 else many)
