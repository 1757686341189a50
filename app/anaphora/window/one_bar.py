"""The area below the document, with one bar at a time."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QVBoxLayout, QWidget


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
