"""Labels with links, banners, and bars that the user can close."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from anaphora.editor.appearance.theme import Theme, icon
from anaphora.editor.widgets.sentence import plain_label


class LinkLabel(QLabel):
    """A label of rich text. It sets its text again for a new palette, to update the colour of links."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setOpenExternalLinks(True)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            # Qt ignores the same text unless the label has been cleared.
            text = self.text()
            self.clear()
            self.setText(text)


def banner(text: str = "") -> QLabel:
    label = plain_label(text, "banner")
    label.setWordWrap(True)
    label.hide()
    return label


def link_banner(text: str) -> LinkLabel:
    """A hidden banner with rich text, whose links the caller handles."""
    label = LinkLabel(text)
    label.setOpenExternalLinks(False)
    flags = Qt.TextInteractionFlag
    label.setTextInteractionFlags(flags.LinksAccessibleByMouse | flags.LinksAccessibleByKeyboard)
    label.setProperty("role", "banner")
    label.hide()
    return label


class ClosableBar(QFrame):
    """A bar with a text, hidden at first; the user closes it with a button or Esc."""

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
        """Put buttons beside the text; `closing` is the accessible name of the close button."""
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
