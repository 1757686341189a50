"""Other ways to translate the current segment, numbered for the keys that take them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QListWidget, QListWidgetItem, QWidget

from anaphora.views.widgets.panel import Panel, note
from anaphora.views.widgets.plain_text import readable_tags

NUMBER_ROLE = Qt.ItemDataRole.UserRole + 1


class SuggestionsPanel(Panel):
    """A list of target texts, the best first.

    Signals:
        chosen: number of a suggestion, counted from 1.
        shown: the panel has come into view.
    """

    chosen = Signal(int)
    shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._about = note()
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Suggestions for the current segment"))
        self.list.setWordWrap(True)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setSpacing(2)
        self.list.itemActivated.connect(self._choose)
        self.list.itemDoubleClicked.connect(self._choose)
        self.box.addWidget(self._about)
        self.box.addWidget(self.list, 1)
        self.show_texts((), (), False)

    @property
    def about(self) -> str:
        """The text above the list."""
        return self._about.text()

    def show_texts(self, texts: Sequence[str], keys: Sequence[str], waiting: bool) -> None:
        """Show suggestions.

        Args:
            keys: what to press for each of them; may be shorter than `texts`.
            waiting: they are being worked out.
        """
        if waiting:
            self._about.setText(self.tr("Suggestions are being worked out…"))
        elif texts:
            self._about.setText(self.tr("Press a key, or double-click, to take a suggestion."))
        else:
            self._about.setText(self.tr("There are no suggestions for this segment."))
        self.list.clear()
        for number, text in enumerate(map(readable_tags, texts), 1):
            key = keys[number - 1] if number <= len(keys) else ""
            item = QListWidgetItem(f"{key}\n{text}" if key else text)
            item.setData(NUMBER_ROLE, number)
            accessible = self.tr("Suggestion {0}: {1}").format(number, text)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, accessible)
            self.list.addItem(item)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.shown.emit()

    def _choose(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.data(NUMBER_ROLE))
