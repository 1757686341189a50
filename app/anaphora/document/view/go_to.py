"""Go to a segment by its number."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from anaphora.views.widgets.number_field import NumberField


class GoToDialog(QDialog):
    """Asks for a segment's number.

    Signals:
        chosen: the row, counted from 0.
    """

    chosen = Signal(int)

    def __init__(self, count: int, current: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Go to segment"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.number = NumberField(1, max(count, 1))
        self.number.setValue(current + 1)
        self.number.setAccessibleName(self.tr("Segment number"))
        self.number.selectAll()
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(lambda: self.chosen.emit(self.number.value() - 1))
        box = QVBoxLayout(self)
        box.setContentsMargins(18, 16, 18, 14)
        box.setSpacing(12)
        box.addWidget(QLabel(self.tr("Segment number (1 to {0}):").format(count)))
        box.addWidget(self.number)
        box.addWidget(buttons)
