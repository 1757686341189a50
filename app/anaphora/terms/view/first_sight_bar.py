"""The quiet line under a document that offers its recurring names and terms."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from anaphora.views.appearance.icons import icon
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.plain_text import plain_label


class FirstSightBar(QFrame):
    """Hidden until something is proposed, and once it has been reviewed or closed.

    Signals:
        review_requested: somebody wants to see the proposals.
        closed: somebody does not.
    """

    review_requested = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("offerBar")
        self.said = plain_label()
        self.said.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.review = QPushButton(self.tr("Review…"))
        self.review.clicked.connect(self.review_requested)
        self.close_button = QToolButton()
        self.close_button.setAccessibleName(self.tr("Do not propose these again"))
        self.close_button.setToolTip(self.close_button.accessibleName())
        self.close_button.clicked.connect(self._close)
        box = QHBoxLayout(self)
        box.setContentsMargins(14, 5, 10, 5)
        box.setSpacing(8)
        box.addWidget(self.said, 1)
        for button in (self.review, self.close_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            box.addWidget(button)
        self.hide()
        theme.changed.connect(self._show_icon)
        self._show_icon()

    def offer(self, names: int, terms: int) -> None:
        """Say how many names and terms there are."""
        self.said.setText(
            self.tr(
                "Recurring names: {0}, terms: {1}. "
                "Settle them once, and drafts use the same words everywhere."
            ).format(names, terms)
        )
        self.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        else:
            super().keyPressEvent(event)

    def _close(self) -> None:
        self.hide()
        self.closed.emit()

    def _show_icon(self) -> None:
        colours = self._theme.colours
        self.close_button.setIcon(icon("close", colours.text, colours.not_started))
