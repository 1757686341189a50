"""A field for the path of a file or folder to write, with a button to browse."""

from __future__ import annotations

import os.path
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QLineEdit, QVBoxLayout, QWidget

from anaphora.editor.widgets.buttons import side_button
from anaphora.editor.widgets.dialogs import side_by_side
from anaphora.editor.widgets.files import choose_existing, choose_new
from anaphora.editor.widgets.plain_text import plain_label, short_path
from anaphora.system.disk_queries import DiskQueries
from anaphora.system.file_names import with_home

REST_MS = 150
"""Milliseconds without typing after which the path is checked."""


class PlaceField(QWidget):
    """Asks for the path of a folder or file, and checks it off the window's thread.

    Signals:
        changed: the path has changed and is not checked yet.
        checked: the result of `look` for the path.
    """

    changed = Signal()
    checked = Signal(object)

    def __init__(self, proposed: Path, is_folder: bool, look: Callable[[Path], Any]) -> None:
        super().__init__()
        self._proposed, self._is_folder, self._look = proposed, is_folder, look
        self._looks = DiskQueries(self)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(partial(self.check_again, self.checked.emit))
        label = plain_label(self.tr("Location"), "heading")
        self.line = QLineEdit(short_path(proposed))
        self.line.setAccessibleName(self.tr("Location"))
        self.line.setMinimumWidth(380)
        self.line.textChanged.connect(self._follow)
        browse = side_button(self.tr("Choose…"), self._browse)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        box.addWidget(label)
        box.addLayout(side_by_side(self.line, browse, grows=self.line))
        self._rest.start(0)

    @property
    def is_empty(self) -> bool:
        return not self.line.text().strip()

    @property
    def place(self) -> Path:
        """The chosen path; a plain name goes into the proposed folder."""
        return self._proposed.parent / with_home(Path(self.line.text().strip()))

    def check_again(self, take: Callable[[Any], None]) -> None:
        """Check the path, and call `take` with the result unless the path has changed."""
        self._rest.stop()
        if not self.is_empty:
            self._looks.ask(partial(self._look, self.place), take)

    def _follow(self) -> None:
        self._looks.forget()
        self._rest.start(REST_MS)
        self.changed.emit()

    def _browse(self) -> None:
        title, place = self.tr("Location"), self.place
        if self._is_folder:
            dialog = choose_existing(
                self,
                title,
                lambda: next(filter(os.path.isdir, (place, place.parent)), place),
                QFileDialog.FileMode.Directory,
            )
        else:
            filters = [f"*{self._proposed.suffix}", self.tr("All files (*)")]
            dialog = choose_new(self, title, lambda: place.parent, place.name, filters)
        dialog.fileSelected.connect(self.line.setText)
