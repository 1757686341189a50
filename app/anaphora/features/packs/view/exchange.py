"""Memory packs in the window: exporting confirmed segments, importing and removing packs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QWidget

from anaphora.editor.feature import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.dialogs import side_button
from anaphora.editor.widgets.files import choose_existing, choose_new
from anaphora.engine.pack_files import SUFFIX
from anaphora.features.packs.packs import Packs, PackService
from anaphora.features.steering.steering import MemoryStep
from anaphora.features.steering.view.list_dialog import ListDialog
from anaphora_nmt.types import MemoryPack


class MemoryPacksDialog(ListDialog):
    """Lists packs; emits `import_requested` if the user wants to import another one."""

    import_requested = Signal()

    def __init__(self, packs: Callable[[], Packs], parent: QWidget | None = None) -> None:
        super().__init__(packs, parent)
        about = self.tr("Drafts also use these segments, which were confirmed in other documents.")
        self._set_texts(self.tr("Memory packs"), about, self.tr("Remove"))
        self.import_button = side_button(self.tr("Import…"), self.import_requested.emit)
        self.buttons.addButton(self.import_button, QDialogButtonBox.ButtonRole.ActionRole)

    def text_of(self, item: MemoryPack) -> str:
        return self.tr("{0} (segments: {1})").format(item.name, len(item.pairs))


class PackController(Announcer):
    """Exports and imports packs in dialogs; imports and removals are undo steps."""

    def __init__(self, desk: Desk, service: PackService) -> None:
        super().__init__(desk.window)
        self._window, self._project, self._service = desk.window, desk.project, service
        service.read.connect(self._import)
        service.written.connect(self._report_written)
        service.failed.connect(self.announced)

    def _report_written(self, path: Path, count: int) -> None:
        self.announced.emit(self.tr("Confirmed segments exported to {1}: {0}").format(count, path))

    def choose_export(self) -> None:
        session = self._project.session
        if session is None:
            return
        title, name = self.tr("Export as a memory pack"), f"{Path(session.document.name).stem}{SUFFIX}"
        dialog = choose_new(self._window, title, self._project.folder, name, self._filters())
        dialog.fileSelected.connect(lambda chosen: self.export_file(Path(chosen)))

    def export_file(self, path: Path) -> None:
        if not self._service.write_file(path, path.name.removesuffix(SUFFIX)):
            self.announced.emit(self.tr("There are no confirmed segments yet."))

    def choose_import(self) -> None:
        title, folder = self.tr("Import a memory pack"), self._project.folder
        file = QFileDialog.FileMode.ExistingFile
        dialog = choose_existing(self._window, title, folder, file, self._filters())
        dialog.fileSelected.connect(lambda chosen: self._service.read_file(Path(chosen)))

    def list_packs(self) -> None:
        dialog = MemoryPacksDialog(lambda: self._service.packs, self._window)
        dialog.import_requested.connect(self.choose_import)
        dialog.removal_requested.connect(self._remove)
        self._service.changed.connect(dialog.show_items)
        dialog.open()

    def _import(self, pack: MemoryPack) -> None:
        if self._project.editing is None:
            return
        self._push(self._service.with_pack(pack), self.tr("importing a memory pack"))
        text = self.tr("“{0}” imported. Confirmed segments: {1}")
        self.announced.emit(text.format(pack.name, len(pack.pairs)))

    def _remove(self, pack: MemoryPack) -> None:
        packs = tuple(each for each in self._service.packs if each != pack)
        self._push(packs, self.tr("removing a memory pack"))

    def _push(self, packs: Packs, label: str) -> None:
        apply, before = self._service.use_packs, self._service.packs
        if (editing := self._project.editing) is not None:
            editing.stack.push(MemoryStep(label, lambda: apply(packs), lambda: apply(before)))

    def _filters(self) -> list[str]:
        return [self.tr("Memory packs (*{0})").format(SUFFIX)]
