"""Choosing files: to open, to export to, and the recent ones. No dialog blocks."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from anaphora.formats.registry import dialog_filters, supported_extensions
from anaphora.services.export import default_destination, summarise
from anaphora.services.opening import PROJECT_SUFFIX
from anaphora.store.locations import RecentFiles
from anaphora.views.document_controller import DocumentController


class FileChoosers(QObject):
    """Dialogs and the menu of recent files, for a window."""

    def __init__(self, window: QWidget, controller: DocumentController, recent: RecentFiles) -> None:
        super().__init__(window)
        self._window = window
        self._controller = controller
        self._recent = recent
        self.menu = QMenu(self.tr("Open &recent"), window)
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self._fill_menu)

    def choose_document(self) -> None:
        """Let the user choose a document and open it."""
        every = " ".join(f"*{ending}" for ending in (*supported_extensions(), PROJECT_SUFFIX))
        parts = [self.tr("Documents ({0})").format(every)]
        for label, endings in dialog_filters():
            parts.append(f"{label} ({' '.join(f'*{ending}' for ending in endings)})")
        parts.append(self.tr("All files (*)"))
        recent = self._recent.paths()
        folder = recent[0].parent if recent else Path.home()
        dialog = QFileDialog(self._window, self.tr("Open a document"), str(folder), ";;".join(parts))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self._controller.open(Path(name)))
        dialog.open()

    def choose_destination(self) -> None:
        """Let the user choose where to export to; a file beside the original is proposed."""
        session = self._controller.session
        if session is None:
            return
        default = default_destination(self._controller.original)
        summary = summarise(session.document)
        title = self.tr("Export translation ({0} of {1} segments translated)")
        title = title.format(summary.translated, summary.segments)
        dialog = QFileDialog(self._window, title, str(default.parent))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(default.suffix.lstrip("."))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setNameFilters([f"*{default.suffix}", self.tr("All files (*)")])
        dialog.selectFile(default.name)
        dialog.fileSelected.connect(lambda name: self._controller.export(Path(name)))
        dialog.open()

    def _fill_menu(self) -> None:
        self.menu.clear()
        for path in self._recent.paths():
            action = self.menu.addAction(path.name)
            action.setToolTip(str(path))
            action.triggered.connect(lambda _=False, chosen=path: self._controller.open(chosen))
        if self.menu.isEmpty():
            self.menu.addAction(self.tr("No recent documents")).setEnabled(False)
