"""How far something is that goes on behind the window, with a way to stop it."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QProgressBar, QVBoxLayout, QWidget

from anaphora.views.widgets.plain_text import plain_label

PATIENCE_MS = 300
"""What is done sooner shows no dialog."""
WIDTH = 420


class ProgressDialog(QDialog):
    """Shows itself once it takes longer than a moment; the caller ends it.

    Attributes:
        cancelled: whether somebody has stopped it.

    Signals:
        canceled: it is to stop.
    """

    canceled = Signal()

    def __init__(self, title: str, text: str, steps: int, parent: QWidget) -> None:
        """`steps` are those until the end; 0 where nobody knows how many."""
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(WIDTH)
        self.cancelled = False
        self._text = plain_label(text)
        self._text.setWordWrap(True)
        self._bar = QProgressBar()
        self._bar.setRange(0, steps)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(text)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        # Nothing here is to be confirmed: the button is no answer that is proposed.
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.setContentsMargins(18, 16, 18, 14)
        box.setSpacing(12)
        for widget in (self._text, self._bar, buttons):
            box.addWidget(widget)
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self.show)
        self._patience.start()

    @property
    def text(self) -> str:
        """What goes on."""
        return self._text.text()

    def show_text(self, text: str) -> None:
        """Say what goes on now."""
        self._text.setText(text)
        self._bar.setAccessibleName(text)

    def show_step(self, step: int) -> None:
        """Show how many steps are done."""
        self._bar.setValue(step)

    def reject(self) -> None:
        """Stop what goes on."""
        self.cancelled = True
        self.canceled.emit()
        super().reject()

    def end(self) -> None:
        """It is over: the dialog goes without a word."""
        self._patience.stop()
        self.hide()
        self.deleteLater()
