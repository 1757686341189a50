"""What the panels of the memory have in common: a view of it, and an output word chosen in a draft."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.panel import Panel
from anaphora_nmt.types import Explanation, MemoryView


class MemoryViewPanel(Panel):
    """A panel that shows the memory before a segment, and what an output word took from it.

    Subclasses fill themselves from `_view` (None: not known yet, or never where `_has_engine` is False),
    `_explanation` and `_word` (-1: none is chosen), in `_fill`.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: MemoryView | None = None
        self._explanation: Explanation | None = None
        self._word = -1
        self._has_engine = True
        theme.changed.connect(self._fill)

    def show_engine(self, there: bool) -> None:
        """Whether there is a model that remembers, or is one to come."""
        self._has_engine = there
        self._fill()

    def show_view(self, view: MemoryView | None) -> None:
        """Show the memory before a segment."""
        self._view = view
        self._explanation = None
        self._word = -1
        self._fill()

    def show_explanation(self, explanation: Explanation | None) -> None:
        """Show what a segment's words took from the memory; None while that is not known."""
        self._explanation = explanation
        if explanation is not None:
            self._view = explanation.view
        self._word = -1
        self._fill()

    def select_word(self, word: int) -> None:
        """Show what an output word took from the memory."""
        if word != self._word:
            self._word = word
            self._fill()

    def _fill(self) -> None:
        raise NotImplementedError
