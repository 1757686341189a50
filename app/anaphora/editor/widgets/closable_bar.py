"""A line below the document with a message and its actions."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QToolButton

from anaphora.editor.appearance.icons import icon
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.plain_text import plain_label


class ClosableBar(QFrame):
    """Hidden while empty, and after the user has closed it by its button or Esc."""

    closed = Signal()

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName(name)
        self.label = plain_label()
        self.label.setWordWrap(True)
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.close_button = QToolButton()
        self.close_button.clicked.connect(self._close)
        self.hide()
        theme.changed.connect(self._show_icon)
        self._show_icon()

    def lay_out(self, *buttons: QPushButton, closing: str) -> None:
        """Put buttons beside the text; `closing` is the title of the button that closes the bar."""
        self.close_button.setAccessibleName(closing)
        box = QHBoxLayout(self)
        box.setContentsMargins(14, 5, 10, 5)
        box.setSpacing(8)
        box.addWidget(self.label, 1)
        for button in (*buttons, self.close_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            box.addWidget(button)

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
