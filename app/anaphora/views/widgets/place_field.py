"""A field for where something is to be written, with a button that browses."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from anaphora.core.file_names import with_home
from anaphora.views.widgets.files import choose_existing, choose_new
from anaphora.views.widgets.plain_text import plain_label, short_path


class PlaceField(QWidget):
    """Asks for a folder, or for a file's path.

    Attributes:
        line: what is typed.

    Signals:
        changed: another place is named, or none.
    """

    changed = Signal()

    def __init__(self, proposed: Path, is_folder: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._proposed, self._is_folder = proposed, is_folder
        label = plain_label(self.tr("Where to"))
        label.setProperty("role", "heading")
        self.line = QLineEdit(short_path(proposed))
        self.line.setAccessibleName(self.tr("Where to"))
        self.line.setMinimumWidth(380)
        self.line.textChanged.connect(lambda _: self.changed.emit())
        browse = QPushButton(self.tr("Choose…"))
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        row = QHBoxLayout()
        row.addWidget(self.line, 1)
        row.addWidget(browse)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        box.addWidget(label)
        box.addLayout(row)

    @property
    def is_empty(self) -> bool:
        """Whether no place is named."""
        return not self.line.text().strip()

    @property
    def place(self) -> Path:
        """What is named; a name alone goes beside what was proposed."""
        return self._proposed.parent / with_home(Path(self.line.text().strip()))

    def _browse(self) -> None:
        title = self.tr("Where to")
        if self._is_folder:
            folder = self.place if self.place.is_dir() else self.place.parent
            dialog = choose_existing(self, title, folder, QFileDialog.FileMode.Directory)
        else:
            filters = [f"*{self._proposed.suffix}", self.tr("All files (*)")]
            dialog = choose_new(self, title, self.place, filters)
        dialog.fileSelected.connect(self.line.setText)
