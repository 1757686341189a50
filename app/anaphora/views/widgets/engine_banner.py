"""The line over a document that says why there is no translation model."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

_ENDS = (".", "!", "?", "。", "！", "？")


class EngineBanner(QLabel):
    """Hidden until something is wrong with the model."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # What a file or a library says is no markup.
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "banner")
        self.setWordWrap(True)
        self.hide()

    def show_problem(self, reason: str) -> None:
        """Say why there is no model, and what goes on without one."""
        ended = reason if reason.endswith(_ENDS) else reason + "."
        self.setText(
            self.tr("There is no translation model: {0} You can still edit and export.").format(ended)
        )
        self.show()
