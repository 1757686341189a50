"""The page that the window shows while no document is open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from anaphora.editor.appearance.theme import Theme, pixmap
from anaphora.editor.widgets.dialogs import side_by_side, wrapped
from anaphora.editor.widgets.sentence import plain_action, plain_label, plain_tip, short_path

MAX_RECENT = 6
RECENT_WIDTH = 500
"""Maximum width in pixels of a recent document's name and folder."""


class StartPage(QWidget):
    """Lets the user open a document, the sample or a recent file."""

    open_requested = Signal()
    sample_requested = Signal()
    file_requested = Signal(Path)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.open_button = QPushButton(self.tr("Open a document…"))
        self.open_button.setProperty("primary", True)
        self.open_button.clicked.connect(self.open_requested)
        self.setFocusProxy(self.open_button)
        self.sample_button = QPushButton(self.tr("Open the sample"))
        self.sample_button.clicked.connect(self.sample_requested)
        self.offers = QVBoxLayout()  # for widgets of features
        self._recent = QVBoxLayout()
        self._recent.setSpacing(0)
        self._recent_heading = QLabel(self.tr("Recent documents"))
        self._recent_heading.setProperty("role", "heading")
        self._lay_out()
        theme.changed.connect(self.update)
        self.show_recent(())

    def show_recent(self, paths: Sequence[Path]) -> None:
        while (item := self._recent.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._recent_heading.setVisible(bool(paths))
        for path in paths[:MAX_RECENT]:
            row = QPushButton()
            label = f"{path.name}  –  {short_path(path.parent)}"
            elided = row.fontMetrics().elidedText(label, Qt.TextElideMode.ElideMiddle, RECENT_WIDTH)
            row.setText(plain_action(elided))
            row.setProperty("link", True)
            row.setToolTip(plain_tip(str(path)))
            row.setAccessibleName(path.name)
            row.clicked.connect(lambda _=False, chosen=path: self.file_requested.emit(chosen))
            self._recent.addWidget(row, 0, Qt.AlignmentFlag.AlignLeft)

    def show_dragging(self, over: bool) -> None:
        self._drop.setProperty("over", over)
        self._drop.style().unpolish(self._drop)
        self._drop.style().polish(self._drop)

    def show_opening(self, name: str) -> None:
        """Show the name of the document that is being opened; an empty name means none."""
        self._hint.setText(self.tr("Opening {0}…").format(name) if name else self._invitation())
        for button in (self.open_button, self.sample_button):
            button.setEnabled(not name)

    def _invitation(self) -> str:
        return self.tr("Drop documents or a folder here")

    def _lay_out(self) -> None:
        logo = QLabel()
        logo.setPixmap(pixmap("anaphora", "#000000", 64))
        logo.setFixedSize(64, 64)
        title = QLabel("Anaphora")
        title.setProperty("role", "title")
        about = wrapped(
            "\n".join(
                (
                    self.tr("Anaphora drafts a translation of your document, sentence by sentence."),
                    self.tr("You edit and confirm. Later drafts use your confirmed wording."),
                    self.tr("Everything stays on this computer. Translations keep the document's format."),
                )
            ),
            "muted",
        )
        self._hint = plain_label(self._invitation(), "muted")
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._drop = QFrame()
        self._drop.setObjectName("dropArea")
        drop = QVBoxLayout(self._drop)
        drop.setContentsMargins(12, 16, 12, 16)
        drop.addWidget(self._hint)
        buttons = side_by_side(self.open_button, self.sample_button)
        card = QFrame()
        card.setObjectName("card")
        card.setMinimumWidth(480)
        card.setMaximumWidth(620)
        inner = QVBoxLayout(card)
        inner.setContentsMargins(36, 32, 36, 28)
        inner.setSpacing(10)
        inner.addWidget(logo)
        inner.addSpacing(6)
        inner.addWidget(title)
        inner.addWidget(about)
        inner.addSpacing(14)
        inner.addLayout(buttons)
        inner.addSpacing(4)
        inner.addWidget(self._drop)
        inner.addLayout(self.offers)
        inner.addSpacing(10)
        inner.addWidget(self._recent_heading)
        inner.addLayout(self._recent)
        content = QWidget()
        content.setObjectName("page")
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(content)
        page_box = QVBoxLayout(self)
        page_box.setContentsMargins(0, 0, 0, 0)
        page_box.addWidget(area)
        outer = QVBoxLayout(content)
        outer.addStretch(2)
        # If the card had an alignment, Qt would compute the height of its texts from the page's width.
        centred = QHBoxLayout()
        centred.addStretch(1)
        centred.addWidget(card, 20)
        centred.addStretch(1)
        outer.addLayout(centred)
        outer.addStretch(3)
