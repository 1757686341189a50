"""The dialog with the list of imported memory packs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from anaphora.editor.widgets.buttons import side_button
from anaphora.features.packs.packs import Packs
from anaphora.features.steering.view.list_dialog import ListDialog
from anaphora_nmt.types import MemoryPack


class MemoryPacksDialog(ListDialog):
    """Lists packs. `import_requested`: the user wants to import another pack."""

    import_requested = Signal()

    def __init__(self, packs: Callable[[], Packs], parent: QWidget | None = None) -> None:
        super().__init__(packs, parent)
        about = self.tr("Segments confirmed in other documents. Drafts in this project follow them too.")
        self._set_texts(self.tr("Memory packs"), about, self.tr("Remove"))
        self.import_button = side_button(self.tr("Import…"), self.import_requested.emit)
        self.buttons.addButton(self.import_button, QDialogButtonBox.ButtonRole.ActionRole)

    def describe(self, item: MemoryPack) -> str:
        """A pack's name and number of segments."""
        return self.tr("{0} (segments: {1})").format(item.name, len(item.pairs))
