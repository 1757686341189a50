"""What was exported just now, and the ways to it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from anaphora.views.appearance.icons import icon
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.plain_text import plain_label, plain_tip, short_path


class ExportedBar(QFrame):
    """Says where a file was written; hidden until then, and once it has been closed.

    Signals:
        open_requested: the path of the file.
        folder_requested: the same; it is to be shown where it lies.
        closed: somebody has closed the bar.
    """

    open_requested = Signal(Path)
    folder_requested = Signal(Path)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._path = Path()
        self.setObjectName("exportedBar")
        self.said = plain_label()
        self.said.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.open_file = QPushButton(self.tr("Open"))
        self.open_file.clicked.connect(lambda: self.open_requested.emit(self._path))
        self.show_folder = QPushButton(self.tr("Show in folder"))
        self.show_folder.clicked.connect(lambda: self.folder_requested.emit(self._path))
        self.close_button = QToolButton()
        self.close_button.setAccessibleName(self.tr("Close"))
        self.close_button.clicked.connect(self._close)
        box = QHBoxLayout(self)
        box.setContentsMargins(14, 5, 10, 5)
        box.setSpacing(8)
        box.addWidget(self.said, 1)
        for button in (self.open_file, self.show_folder, self.close_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            box.addWidget(button)
        self.hide()
        theme.changed.connect(self._show_icon)
        self._show_icon()

    def show_file(self, path: Path) -> None:
        """A file was written."""
        self._path = path
        self.said.setText(self.tr("Exported to {0}").format(short_path(path)))
        self.said.setToolTip(plain_tip(str(path)))
        self.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        else:
            super().keyPressEvent(event)

    def _close(self) -> None:
        self.hide()
        self.closed.emit()

    def _show_icon(self) -> None:
        colours = self._theme.colours
        self.close_button.setIcon(icon("close", colours.text, colours.not_started))
