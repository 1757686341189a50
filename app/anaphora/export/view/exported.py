"""What is done with an exported file: opened by its program, or shown where it lies."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QUrl
from PySide6.QtGui import QDesktopServices

from anaphora.export.view.exported_bar import ExportedBar
from anaphora.projects.controller import DocumentController
from anaphora.views.widgets.announcer import Announcer


class ExportedController(Announcer):
    """Shows the bar after an export, and does what its buttons say."""

    def __init__(self, bar: ExportedBar, controller: DocumentController, parent: QObject) -> None:
        super().__init__(parent)
        self._bar = bar
        controller.exported.connect(bar.show_file)
        controller.closed.connect(bar.hide)
        bar.open_requested.connect(self.open_file)
        bar.folder_requested.connect(self.show_folder)

    def open_file(self, path: Path) -> None:
        """Open a file by the program that the desktop has for it."""
        if not path.exists():
            self.announced.emit(self.tr("{0} is not there any more.").format(path.name))
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self.announced.emit(self.tr("This computer has no program that opens {0}.").format(path.name))

    def show_folder(self, path: Path) -> None:
        """Show a file where it lies, chosen where the desktop can do that."""
        if not path.parent.is_dir():
            self.announced.emit(self.tr("{0} is not there any more.").format(str(path.parent)))
        elif not _select(path) and not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent))):
            self.announced.emit(self.tr("This computer has no program that shows folders."))


def _select(path: Path) -> bool:
    """Have the desktop's file manager show a file in its folder, chosen."""
    if sys.platform == "win32":
        return QProcess.startDetached("explorer.exe", ["/select,", str(path)])[0]
    if sys.platform == "darwin":
        return QProcess.startDetached("open", ["-R", str(path)])[0]
    return False
