"""The bar after an export, with buttons to open the file or its folder."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton

from anaphora.editor.appearance.theme import Theme
from anaphora.editor.feature import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.banner import ClosableBar
from anaphora.editor.widgets.sentence import plain_tip, short_path
from anaphora.features.export.exporting import Exporting


class ExportedBar(ClosableBar):
    """Shows the path of the last exported file or folder until the user closes the bar."""

    open_requested = Signal(Path)
    folder_requested = Signal(Path)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "exportedBar")
        self._path = Path()
        self.open_file = QPushButton(self.tr("Open"))
        self.open_file.clicked.connect(lambda: self.open_requested.emit(self._path))
        self.show_folder = QPushButton(self.tr("Show in folder"))
        self.show_folder.clicked.connect(lambda: self.folder_requested.emit(self._path))
        self.lay_out(self.open_file, self.show_folder, closing=self.tr("Close"))

    def show_file(self, path: Path) -> None:
        self._path = path
        self.label.setText(self.tr("Exported to {0}").format(short_path(path)))
        self.label.setToolTip(plain_tip(str(path)))
        self.show()


class ExportedController(Announcer):
    def __init__(self, desk: Desk, bar: ExportedBar, exporting: Exporting) -> None:
        super().__init__(desk.window)
        self._bar = bar
        exporting.exported.connect(self._show)
        exporting.exported_all.connect(lambda report: self._show(report.folder))
        desk.project.closed.connect(bar.hide)
        bar.closed.connect(desk.table.setFocus)
        bar.open_requested.connect(self.open_file)
        bar.folder_requested.connect(self.show_folder)

    def _show(self, path: Path) -> None:
        self._bar.show_file(path)
        if not self._bar.isVisible():  # an open find bar hides the bar
            self.announced.emit(self._bar.label.text())

    def open_file(self, path: Path) -> None:
        message = self.tr("No program on this computer can open {0}.").format(path.name)
        self._open(path, path.name, message)

    def show_folder(self, path: Path) -> None:
        self._open(path.parent, str(path.parent), self.tr("No program on this computer can show folders."))

    def _open(self, path: Path, name: str, no_program: str) -> None:
        if not path.exists():
            self.announced.emit(self.tr("{0} no longer exists.").format(name))
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self.announced.emit(no_program)
