"""The bars below the document: the status bar, and one bar at a time above it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtWidgets import QStatusBar, QVBoxLayout, QWidget

from anaphora.editor.feature import StatusPart
from anaphora.editor.widgets.plain_text import plain_label, plain_tip


class StatusLine(QStatusBar):
    def __init__(self) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self.saved = plain_label()
        self.saved.hide()
        self._keep_width()

    def fill(self, parts: Iterable[StatusPart]) -> None:
        for part in sorted((StatusPart(self.saved, 50), *parts), key=lambda each: each.rank):
            self.addPermanentWidget(part.widget)

    def _keep_width(self) -> None:
        """Fix the size of the saved state, which changes with each key, so that the layout stays."""
        label, shown = self.saved, self.saved.text()
        wanted = QSize()
        for text in (self.tr("Saved"), self.tr("Saving…"), self.tr("Not saved")):
            label.setText(text)
            wanted = wanted.expandedTo(label.sizeHint())
        label.setText(shown)
        label.setFixedSize(wanted)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "saved"):
            self._keep_width()

    def show_saved(self, saved: bool) -> None:
        self.saved.setText(self.tr("Saved") if saved else self.tr("Saving…"))
        self.saved.show()

    def show_not_saved(self, reason: str) -> None:
        self.saved.setText(self.tr("Not saved"))
        self.saved.show()
        self.saved.setToolTip(plain_tip(reason))

    def clear_saved(self) -> None:
        self.saved.clear()
        self.saved.hide()


class OneBar(QWidget):
    """Shows the last of its visible bars; an earlier one returns when it is closed."""

    def __init__(self, bars: Sequence[QWidget]) -> None:
        super().__init__()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        self._bars = [(bar, QWidget()) for bar in bars]
        for bar, holder in self._bars:
            inner = QVBoxLayout(holder)
            inner.setContentsMargins(0, 0, 0, 0)
            inner.addWidget(bar)
            box.addWidget(holder)
            bar.installEventFilter(self)
        self._choose()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._choose()
        return False

    def _choose(self) -> None:
        wanted = [holder for bar, holder in self._bars if not bar.isHidden()]
        for _, holder in self._bars:
            holder.setVisible(holder in wanted[-1:])
