"""Offered models in words, and the one that the start page proposes to download."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from anaphora.editor.widgets.dialogs import side_by_side, wrapped
from anaphora.editor.widgets.plain_text import plain_action
from anaphora.features.downloads import mozilla
from anaphora.features.downloads.catalogue import OfferedModel
from anaphora.features.downloads.getting import Stage, Step

translate = QCoreApplication.translate


def megabytes(size: int) -> str:
    number = QLocale().toString(max(round(size / 1_000_000), 1))
    return translate("GetModels", "{0} MB").format(number)


def getting_text(offer: OfferedModel) -> str:
    """The source, size (if known) and licence of a download."""
    source = mozilla.host_of(offer), mozilla.LICENCE
    if not offer.size:
        return translate("GetModels", "from {0}, licence {1}").format(*source)
    return translate("GetModels", "{0} from {1}, licence {2}").format(megabytes(offer.size), *source)


def step_text(step: Step) -> str:
    if step.stage is Stage.ASKING:
        return translate("GetModels", "Connecting…")
    if step.stage is Stage.INSTALLING:
        return translate("GetModels", "Testing the model…")
    return translate("GetModels", "{0} of {1}").format(megabytes(step.done), megabytes(step.total))


class ModelOffer(QWidget):
    """Hidden without a proposed model."""

    def __init__(self) -> None:
        super().__init__()
        self.get_button = QPushButton()
        self.others_button = QPushButton(self.tr("Other models…"))
        self.others_button.setProperty("link", True)
        self.about = wrapped(role="muted")
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 6, 0, 0)
        box.setSpacing(4)
        box.addLayout(side_by_side(self.get_button, self.others_button))
        box.addWidget(self.about)
        self.hide()

    def show_model(self, title: str, about: str) -> None:
        """Show the offer with its name, source, size and licence; hide it if `title` is ""."""
        self.get_button.setText(plain_action(title))
        self.about.setText(about)
        self.setVisible(bool(title))
