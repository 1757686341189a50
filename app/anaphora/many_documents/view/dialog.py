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

from anaphora.many_documents.destination import Content
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
        self, count: int, proposed: Path, look: Callable[[Path], Content], parent: QWidget | None = None
    ) -> None:
        """
        Args:
            count: how many documents there are.
            look: says what is in a folder.
        """
        super().__init__(parent)
        self.setWindowTitle(self.tr("Translate all documents"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        about = plain_label(
            self.tr(
                "Documents: {0}. Each is translated by itself, by several processes at once, and written in "
                "its own format into a folder. This project stays as it is, and you can go on working in it. "
                "What you have confirmed here is taken over; drafts follow the project's memory, packs and "
                "terms."
            ).format(count)
        )
        about.setWordWrap(True)
        self.field = PlaceField(proposed, True, look)
        self.field.changed.connect(self._follow_place)
        self.field.looked.connect(self._say_what_is_there)
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
        box.addStrut(480)
        box.addWidget(about)
        box.addWidget(self.field)
        box.addWidget(self.remark)
        box.addWidget(self.projects)
        box.addStretch(1)
        box.addWidget(buttons)
        self._follow_place()
        self.begin.setFocus()

    def accept(self) -> None:
        """Begin, unless somebody has put something there meanwhile."""
        self.field.look_again(self._go_on)

    def _go_on(self, content: Content) -> None:
        self._say_what_is_there(content)
        if content is not Content.OTHER:
            super().accept()
            self.agreed.emit(self.field.place, self.projects.isChecked())

    def _follow_place(self) -> None:
        self.begin.setEnabled(not self.field.is_empty)
        self.remark.hide()

    def _say_what_is_there(self, content: Content) -> None:
        self.begin.setEnabled(content is not Content.OTHER)
        if content is Content.EARLIER_RUN:
            self.remark.setText(
                self.tr("An earlier run wrote to this folder: what it finished is not done again.")
            )
        else:
            self.remark.setText(self.tr("There are other files in this folder: choose an empty one."))
        self.remark.setVisible(content is not Content.NOTHING)
