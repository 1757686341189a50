"""The memory packs that were brought in, as a list."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from anaphora.editor.widgets.buttons import side_button
from anaphora.features.packs.packs import Packs
from anaphora.features.steering.view.list_dialog import ListDialog
from anaphora_nmt.types import MemoryPack


class MemoryPacksDialog(ListDialog):
    """Segments confirmed in other documents. `wanted`: another pack is to be brought in."""

    wanted = Signal()

    def __init__(self, packs: Callable[[], Packs], parent: QWidget | None = None) -> None:
        super().__init__(packs, parent)
        about = self.tr("Segments confirmed in other documents. Drafts in this project follow them too.")
        self._name(self.tr("Memory packs"), about, self.tr("Remove"))
        self.bring_in = side_button(self.tr("Import…"), self.wanted.emit)
        self.buttons.addButton(self.bring_in, QDialogButtonBox.ButtonRole.ActionRole)

    def describe(self, held: MemoryPack) -> str:
        """A pack's name, and its size."""
        return self.tr("{0} (segments: {1})").format(held.name, len(held.pairs))
