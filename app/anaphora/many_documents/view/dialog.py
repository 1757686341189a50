"""Where the translations of all documents go, before they are made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QVBoxLayout,
    QWidget,
)

from anaphora.views.widgets.place_field import PlaceField
from anaphora.views.widgets.plain_text import plain_label


class TranslateAllDialog(QDialog):
    """Says what will happen, and asks for the folder.

    Attributes:
        field: the folder.
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
        self.field = PlaceField(proposed, is_folder=True)
        self.field.changed.connect(self._follow_place)
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
        box.addWidget(self.field)
        box.addWidget(self.remark)
        box.addWidget(self.projects)
        box.addStretch(1)
        box.addWidget(buttons)
        self._follow_place()
        self.begin.setFocus()

    def accept(self) -> None:
        destination = self.field.place
        if not self._is_free(destination):  # somebody may have put something there meanwhile
            self._follow_place()
            return
        super().accept()
        self.agreed.emit(destination, self.projects.isChecked())

    def _follow_place(self) -> None:
        place, named = self.field.place, not self.field.is_empty
        is_free = named and self._is_free(place)
        self.begin.setEnabled(is_free)
        goes_on = is_free and place.is_dir() and any(place.iterdir())
        if goes_on:
            self.remark.setText(
                self.tr("An earlier run wrote into this folder: what it has done is not done again.")
            )
        else:
            self.remark.setText(self.tr("There are other files in this folder: choose an empty one."))
        self.remark.setVisible(goes_on or (named and not is_free))
