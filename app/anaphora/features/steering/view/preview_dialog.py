"""The preview of drafts that would change with another memory."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QWidget

from anaphora.core.edits import Preview
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.changes import NUMBER, ChangesModel, preview_row
from anaphora.editor.widgets.dialogs import set_up_dialog, stack, wrapped
from anaphora.editor.widgets.html_table import HtmlTable
from anaphora.editor.widgets.rail import NumberOf
from anaphora.editor.widgets.sentence import plain_label


class MemoryPreviewDialog(QDialog):
    """Shows the previews for the request `ticket` when they arrive; emits `agreed` if the user accepts."""

    agreed = Signal()

    def __init__(
        self,
        about: str,
        number_of: NumberOf,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """`about` is a sentence that describes the change."""
        super().__init__(parent)
        self.ticket = 0
        self._number_of = number_of
        set_up_dialog(self, self.tr("Change the memory"), 860, 420)
        self.state = plain_label(self.tr("Calculating…"))
        self.state.setProperty("role", "muted")
        headings = (self.tr("No."), self.tr("Before"), self.tr("After"))
        self.model = ChangesModel(headings, theme, self)
        self.list = HtmlTable(self.model, theme, self.tr("Drafts that would change"))
        self.list.fix_width(NUMBER, 60)
        buttons = QDialogButtonBox()
        self.apply_button = QPushButton(self.tr("Apply"))
        self.apply_button.setProperty("primary", True)
        buttons.addButton(self.apply_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(self.agreed)
        stack(self, wrapped(about), self.state, self.list, buttons, grows=self.list)

    def show_previews(self, previews: Sequence[Preview], ticket: int) -> None:
        if ticket != self.ticket:
            return
        count = len(previews)
        if count == 0:
            self.state.setText(self.tr("No draft would change."))
        elif count == 1:
            self.state.setText(self.tr("1 draft would change:"))
        else:
            self.state.setText(self.tr("Drafts that would change: {0}").format(count))
        self.model.show_rows([preview_row(each, self._number_of) for each in previews])
