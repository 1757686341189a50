"""Shows the progress of background work, with a Cancel button."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QProgressBar, QWidget

from anaphora.editor.widgets.dialogs import stack, wrapped

DELAY_MS = 300
"""Shorter work shows no dialog."""
WIDTH = 420


class ProgressDialog(QDialog):
    """A progress dialog that appears after a delay; the caller ends it."""

    canceled = Signal()

    def __init__(self, title: str, text: str, steps: int, parent: QWidget, delay: int = DELAY_MS) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(WIDTH)
        self.cancelled = False
        self._text = wrapped(text)
        self._bar = QProgressBar()
        self._bar.setRange(0, steps)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(text)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        # Enter must not cancel the work.
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        buttons.rejected.connect(self.reject)
        stack(self, self._text, self._bar, buttons)
        self._delay = QTimer(self, singleShot=True, interval=delay)
        self._delay.timeout.connect(self._appear)
        self._delay.start()

    def block(self) -> None:
        """Block keys and mouse in the window at once, even before the dialog appears."""
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self.show()

    @property
    def text(self) -> str:
        return self._text.text()

    def show_text(self, text: str) -> None:
        self._text.setText(text)
        self._bar.setAccessibleName(text)

    def show_step(self, step: int) -> None:
        self._bar.setValue(step)

    def reject(self) -> None:
        self.cancelled = True
        self.canceled.emit()
        super().reject()

    def _appear(self) -> None:
        if self.testAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen):
            self.hide()
            self.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen, False)
        self.show()

    def end(self) -> None:
        self._delay.stop()
        self.hide()
        self.deleteLater()


class ProgressView(QObject):
    """The progress dialog of one kind of long work."""

    def __init__(
        self, window: QWidget, progressed: SignalInstance, cancel: Callable[[], None], delay: int = DELAY_MS
    ) -> None:
        super().__init__(window)
        self.dialog: ProgressDialog | None = None
        self._window = window
        self._progressed = progressed
        self._cancel = cancel
        self._delay = delay

    def begin(self, title: str, text: str) -> None:
        self.end()
        self.dialog = ProgressDialog(title, text, 1000, self._window, self._delay)
        self.dialog.canceled.connect(self._cancel)
        self._progressed.connect(self.dialog.show_step)

    def end(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            self._progressed.disconnect(dialog.show_step)
            dialog.end()
