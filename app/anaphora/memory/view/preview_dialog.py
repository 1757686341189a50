"""Which drafts would change with another memory, before anything is done."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHeaderView, QPushButton, QTreeWidgetItem, QWidget

from anaphora.document.previews import Preview
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.dialogs import begin, stack, wrapped
from anaphora.views.widgets.html_delegate import html_list
from anaphora.views.widgets.panel import NumberOf
from anaphora.views.widgets.plain_text import plain_label
from anaphora.views.widgets.rendering_preview import NUMBER, PREVIEW_ROLE, mark_rows


class MemoryPreviewDialog(QDialog):
    """Shows what the engine answers to a question about the memory; it appears at once and is filled later.

    Attributes:
        ticket: of the question that it waits for.

    Signals:
        agreed: the change is to be made.
    """

    agreed = Signal()

    def __init__(
        self,
        about: str,
        number_of: NumberOf,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """`about`: what is asked, in a sentence."""
        super().__init__(parent)
        self.ticket = 0
        self._number_of = number_of
        self._theme = theme
        begin(self, self.tr("Change the memory"), 860, 420)
        self.state = plain_label(self.tr("Working it out…"))
        self.state.setProperty("role", "muted")
        headings = (self.tr("No."), self.tr("Now"), self.tr("Then"))
        self.list = html_list(
            theme, self.tr("Drafts that would change"), headings, 60, QHeaderView.ResizeMode.Fixed
        )
        theme.changed.connect(self._mark)
        buttons = QDialogButtonBox()
        self.apply_button = QPushButton(self.tr("Do it"))
        self.apply_button.setProperty("primary", True)
        buttons.addButton(self.apply_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(self.agreed)
        stack(self, wrapped(about), self.state, self.list, buttons, grows=self.list)

    def show_previews(self, previews: Sequence[Preview], ticket: int) -> None:
        """Show the drafts that would change, if these answer the question that was asked here."""
        if ticket != self.ticket:
            return
        count = len(previews)
        if count == 0:
            self.state.setText(self.tr("No draft would change."))
        elif count == 1:
            self.state.setText(self.tr("1 draft would change:"))
        else:
            self.state.setText(self.tr("Drafts that would change: {0}").format(count))
        self.list.clear()
        for preview in previews:
            item = QTreeWidgetItem([str(self._number_of(preview.segment)), "", ""])
            item.setData(NUMBER, PREVIEW_ROLE, preview)
            self.list.addTopLevelItem(item)
        self._mark()

    def _mark(self) -> None:
        mark_rows(self.list, self._theme)
