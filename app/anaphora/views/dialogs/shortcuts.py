"""The list of keyboard shortcuts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)


class ShortcutsDialog(QDialog):
    """Actions and their keys."""

    def __init__(self, shortcuts: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(460, 560)
        keys = QTreeWidget()
        keys.setHeaderLabels([self.tr("Action"), self.tr("Keys")])
        keys.setRootIsDecorated(False)
        keys.setAlternatingRowColors(True)
        keys.header().setStretchLastSection(False)
        keys.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        keys.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        keys.addTopLevelItems([QTreeWidgetItem([text.rstrip("…"), shown]) for text, shown in shortcuts])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 16, 16, 14)
        box.setSpacing(12)
        box.addWidget(keys)
        box.addWidget(buttons)
