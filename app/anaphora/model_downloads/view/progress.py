"""How far a download is, with a way to stop it."""

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
        cancelled: it is to stop.
    """

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
        self.cancel_button = side_button(self.tr("Cancel"), self.reject)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.cancel_button)
        box = QVBoxLayout(self)
        box.setContentsMargins(18, 16, 18, 14)
        box.setSpacing(10)
        for widget in (name, about, self.bar, self.text):
            box.addWidget(widget)
        box.addLayout(row)

    def show_step(self, step: Step) -> None:
        """Show how far it is."""
        is_measured = step.stage is Stage.DOWNLOADING and step.total > 0
        self.bar.setRange(0, _STEPS if is_measured else 0)
        if is_measured:
            self.bar.setValue(round(_STEPS * step.done / step.total))
        self.text.setText(step_text(step))

    def reject(self) -> None:
        """Stop the download."""
        self.cancelled.emit()
        super().reject()

    def end(self) -> None:
        """It is over."""
        self.hide()
        self.deleteLater()
