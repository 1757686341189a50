"""The quiet line under a document that offers its recurring names and terms."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.closable_bar import ClosableBar


class FirstSightBar(ClosableBar):
    """Hidden until something is proposed, and once it has been reviewed or closed.

    Signals:
        review_requested: somebody wants to see the candidates.
    """

    review_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "offerBar", parent)
        self.review = QPushButton(self.tr("Review…"))
        self.review.clicked.connect(self.review_requested)
        self.lay_out(self.review, closing=self.tr("Do not propose these again"))
        self.close_button.setToolTip(self.close_button.accessibleName())

    def offer(self, names: int, terms: int) -> None:
        """Say how many names and terms there are; a kind of which there is none is not named."""
        if not terms:
            said = self.tr(
                "Recurring names: {0}. Settle them once, and drafts use the same words everywhere."
            ).format(names)
        elif not names:
            said = self.tr(
                "Recurring terms: {0}. Settle them once, and drafts use the same words everywhere."
            ).format(terms)
        else:
            said = self.tr(
                "Recurring names: {0}, terms: {1}. "
                "Settle them once, and drafts use the same words everywhere."
            ).format(names, terms)
        self.said.setText(said)
        self.show()
