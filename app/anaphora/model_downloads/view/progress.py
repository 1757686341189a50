"""How far a download is, with ways to pause and to stop it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from anaphora.model_downloads.control import Stage, Step
from anaphora.model_downloads.view.words import step_text
from anaphora.views.widgets.buttons import side_button
from anaphora.views.widgets.plain_text import plain_label

WIDTH = 460
_STEPS = 1000


class DownloadProgress(QDialog):
    """Shown while a model comes; work goes on beside it.

    Signals:
        paused: whether the download is to pause.
        cancelled: it is to stop.
    """

    paused = Signal(bool)
    cancelled = Signal()

    def __init__(self, title: str, details: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Getting a model"))
        self.setMinimumWidth(WIDTH)
        name = plain_label(title)
        name.setProperty("role", "heading")
        about = plain_label(details)
        about.setProperty("role", "muted")
        self.text = plain_label(step_text(Step(Stage.ASKING)))
        for label in (name, about, self.text):
            label.setWordWrap(True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 0)
        self.bar.setAccessibleName(title)
        self.pause_button = side_button(self.tr("Pause"), self._toggle)
        self.cancel_button = side_button(self.tr("Cancel"), self.reject)
        self._is_paused = False
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.pause_button)
        row.addWidget(self.cancel_button)
        box = QVBoxLayout(self)
        box.setContentsMargins(18, 16, 18, 14)
        box.setSpacing(10)
        for widget in (name, about, self.bar, self.text):
            box.addWidget(widget)
        box.addLayout(row)

    def show_step(self, step: Step) -> None:
        """Show how far it is."""
        is_measured = step.stage in (Stage.DOWNLOADING, Stage.WAITING) and step.total > 0
        self.bar.setRange(0, _STEPS if is_measured else 0)
        if is_measured:
            self.bar.setValue(round(_STEPS * step.done / step.total))
        self.pause_button.setEnabled(step.stage in (Stage.ASKING, Stage.DOWNLOADING, Stage.WAITING))
        if not self._is_paused:
            self.text.setText(step_text(step))

    def _toggle(self) -> None:
        self._is_paused = not self._is_paused
        self.pause_button.setText(self.tr("Go on") if self._is_paused else self.tr("Pause"))
        if self._is_paused:
            self.text.setText(self.tr("Paused: what is here already is kept."))
        self.paused.emit(self._is_paused)

    def reject(self) -> None:
        """Stop the download."""
        self.cancelled.emit()
        super().reject()

    def end(self) -> None:
        """It is over."""
        self.hide()
        self.deleteLater()
