"""What was exported just now, and the ways to it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.closable_bar import ClosableBar
from anaphora.views.widgets.plain_text import plain_tip, short_path


class ExportedBar(ClosableBar):
    """Says where a file was written; hidden until then, and once it has been closed.

    Signals:
        open_requested: the path of the file.
        folder_requested: the same; it is to be shown where it lies.
    """

    open_requested = Signal(Path)
    folder_requested = Signal(Path)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "exportedBar", parent)
        self._path = Path()
        self.open_file = QPushButton(self.tr("Open"))
        self.open_file.clicked.connect(lambda: self.open_requested.emit(self._path))
        self.show_folder = QPushButton(self.tr("Show in folder"))
        self.show_folder.clicked.connect(lambda: self.folder_requested.emit(self._path))
        self.lay_out(self.open_file, self.show_folder, closing=self.tr("Close"))

    def show_file(self, path: Path) -> None:
        """A file was written."""
        self._path = path
        self.said.setText(self.tr("Exported to {0}").format(short_path(path)))
        self.said.setToolTip(plain_tip(str(path)))
        self.show()
