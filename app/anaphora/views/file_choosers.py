"""Choosing files: to open, to export to, and the recent ones. No dialog blocks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from anaphora.formats.registry import dialog_filters, supported_extensions
from anaphora.services.export import default_destination, summarise
from anaphora.services.opening import PROJECT_SUFFIX
from anaphora.store.locations import RecentFiles
from anaphora.store.queries import DocumentInfo
from anaphora.views.document_controller import DocumentController


class FileChoosers(QObject):
    """Dialogs and the menu of recent files, for a window."""

    def __init__(
        self,
        window: QWidget,
        controller: DocumentController,
        recent: RecentFiles,
        current: Callable[[], str],
    ) -> None:
        """`current` gives the id of the segment that the user is at."""
        super().__init__(window)
        self._current = current
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
        session, document = self._controller.session, self._controller.document_of(self._current())
        if session is None or document is None:
            return
        default = default_destination(self._place_of(document))
        summary = summarise(segment for segment in session.document if segment.document == document.id)
        title = self.tr("Export translation ({0} of {1} segments translated)")
        title = title.format(summary.translated, summary.segments)
        dialog = QFileDialog(self._window, title, str(default.parent))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(default.suffix.lstrip("."))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setNameFilters([f"*{default.suffix}", self.tr("All files (*)")])
        dialog.selectFile(default.name)
        dialog.fileSelected.connect(lambda name: self._controller.export(Path(name), document))
        dialog.open()

    def _place_of(self, document: DocumentInfo) -> Path:
        """Where a document lies, or would lie if its folder is gone."""
        place = Path(document.path or Path(document.name).name)
        if place.is_absolute() and place.parent.is_dir():
            return place
        path = self._controller.path
        folder = path if path is not None and path.is_dir() else path.parent if path else Path.home()
        return (folder if folder.is_dir() else Path.home()) / place.name

    def _fill_menu(self) -> None:
        self.menu.clear()
        for path in self._recent.paths():
            action = self.menu.addAction(path.name)
            action.setToolTip(str(path))
            action.triggered.connect(lambda _=False, chosen=path: self._controller.open(chosen))
        if self.menu.isEmpty():
            self.menu.addAction(self.tr("No recent documents")).setEnabled(False)
