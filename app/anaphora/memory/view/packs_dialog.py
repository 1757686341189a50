"""The memory packs of a project: confirmed segments of other documents that are followed here, too."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anaphora.memory.packs import Packs
from anaphora.views.widgets.buttons import side_button
from anaphora.views.widgets.dialog_size import resize_within_screen
from anaphora.views.widgets.panel import note


class MemoryPacksDialog(QDialog):
    """The packs, a line each.

    Signals:
        removed: the MemoryPack that is to be taken out.
    """

    wanted = Signal()
    removed = Signal(object)

    def __init__(self, packs: Callable[[], Packs], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._packs = packs
        self.setWindowTitle(self.tr("Memory packs"))
        resize_within_screen(self, 600, 320)
        about = note(
            self.tr("Segments confirmed in other documents. Drafts of this project follow them, too.")
        )
        self.list = QListWidget()
        self.list.setAccessibleName(self.windowTitle())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.bring_in = side_button(self.tr("Bring in…"), self.wanted.emit)
        self.remove = side_button(self.tr("Take out"), self._remove)
        for button in (self.bring_in, self.remove):
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.setContentsMargins(18, 16, 18, 14)
        box.addWidget(about)
        box.addWidget(self.list, 1)
        box.addWidget(buttons)
        self.follow()

    def follow(self) -> None:
        self.list.clear()
        packs = self._packs()
        for pack in packs:
            item = QListWidgetItem(self.tr("{0} (segments: {1})").format(pack.name, len(pack.pairs)))
            item.setData(Qt.ItemDataRole.UserRole, pack)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.remove.setEnabled(bool(packs))

    def _remove(self) -> None:
        if (item := self.list.currentItem()) is not None:
            self.removed.emit(item.data(Qt.ItemDataRole.UserRole))
