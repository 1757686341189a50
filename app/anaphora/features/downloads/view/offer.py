"""The start page's offer of a model to download."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from anaphora.editor.widgets.dialogs import side_by_side, wrapped
from anaphora.editor.widgets.plain_text import plain_action


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
