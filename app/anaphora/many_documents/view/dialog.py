"""Where the translations of all documents go, before they are made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from anaphora.core.file_names import with_home
from anaphora.views.widgets.files import choose_existing
from anaphora.views.widgets.plain_text import plain_label, short_path


class TranslateAllDialog(QDialog):
    """Says what will happen, and asks for the folder.

    Attributes:
        place: the field with the folder.
        projects: whether each translation gets a project beside it.
        begin: the button that agrees.
        remark: why it cannot.

    Signals:
        agreed: (folder, whether with projects).
    """

    agreed = Signal(Path, bool)

    def __init__(
        self, count: int, proposed: Path, is_free: Callable[[Path], bool], parent: QWidget | None = None
    ) -> None:
        """
        Args:
            count: how many documents there are.
            is_free: whether translations may go into a folder.
        """
        super().__init__(parent)
        self.setWindowTitle(self.tr("Translate all documents"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(520)
        self._proposed = proposed
        self._is_free = is_free
        about = plain_label(
            self.tr(
                "Documents: {0}. Each is translated by itself, by several processes at once, and written in "
                "its own format into a folder. This project stays as it is, and you can go on working in it. "
                "What you have confirmed here is taken over; drafts follow the project's memory, packs and "
                "terms."
            ).format(count)
        )
        about.setWordWrap(True)
        label = plain_label(self.tr("Where to"))
        label.setProperty("role", "heading")
        self.place = QLineEdit(short_path(proposed))
        self.place.setAccessibleName(self.tr("Where to"))
        self.place.textChanged.connect(self._follow_place)
        browse = QPushButton(self.tr("Choose…"))
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        row = QHBoxLayout()
        row.addWidget(self.place, 1)
        row.addWidget(browse)
        self.projects = QCheckBox(self.tr("A project beside each translation, to go on with later"))
        self.remark = plain_label()
        self.remark.setProperty("role", "muted")
        self.remark.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.begin = buttons.addButton(self.tr("Translate"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.begin.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 18, 20, 16)
        box.setSpacing(12)
        box.addWidget(about)
        box.addWidget(label)
        box.addLayout(row)
        box.addWidget(self.remark)
        box.addWidget(self.projects)
        box.addStretch(1)
        box.addWidget(buttons)
        self._follow_place()
        self.begin.setFocus()

    @property
    def destination(self) -> Path:
        """The folder; a name alone goes beside what was proposed."""
        return self._proposed.parent / with_home(Path(self.place.text().strip()))

    def accept(self) -> None:
        destination = self.destination
        if not self._is_free(destination):  # somebody may have put something there meanwhile
            self._follow_place()
            return
        super().accept()
        self.agreed.emit(destination, self.projects.isChecked())

    def _browse(self) -> None:
        mode = QFileDialog.FileMode.Directory
        place = self.destination if self.destination.is_dir() else self.destination.parent
        folders = choose_existing(self, self.tr("Where to"), place, mode)
        folders.fileSelected.connect(self.place.setText)

    def _follow_place(self) -> None:
        named = bool(self.place.text().strip())
        is_free = named and self._is_free(self.destination)
        self.begin.setEnabled(is_free)
        goes_on = is_free and self.destination.is_dir() and any(self.destination.iterdir())
        if goes_on:
            self.remark.setText(
                self.tr("An earlier run wrote into this folder: what it has done is not done again.")
            )
        else:
            self.remark.setText(self.tr("There are other files in this folder: choose an empty one."))
        self.remark.setVisible(goes_on or (named and not is_free))
