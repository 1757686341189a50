"""The steps of this session: the document and its memory as they stood after any of them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QUndoView, QVBoxLayout, QWidget

from anaphora.views.widgets.dialog_size import resize_within_screen
from anaphora.views.widgets.panel import note


class TimelineDialog(QDialog):
    """Lists what was typed, confirmed and said about the memory; a step that is chosen is gone back to.

    The memory follows the document: what is confirmed there, and said about it, is what is remembered.
    """

    def __init__(self, history: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Timeline"))
        resize_within_screen(self, 420, 460)
        about = note(self.tr("Choose a step: the document and its memory are as they stood after it."))
        self.steps = QUndoView(history)
        self.steps.setAccessibleName(self.windowTitle())
        self.steps.setEmptyLabel(self.tr("as it was opened"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.setContentsMargins(18, 16, 18, 14)
        box.addWidget(about)
        box.addWidget(self.steps, 1)
        box.addWidget(buttons)
