"""What the dictionary has for words of the current segment."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QUrl, Signal
from PySide6.QtWidgets import QWidget

from anaphora.dictionary.entries import DictionaryEntry
from anaphora.views.appearance.theme import Theme
from anaphora.views.panels.sentence import Lines

_MOST = 4
"""More glosses of a word than this are not read."""


class DictionaryLines(Lines):
    """A line for each word, whose glosses are links that insert them.

    Signals:
        chosen: a gloss, as it is to stand in the translation.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.set_title(self.tr("Words in the dictionary"))
        self._entries: tuple[DictionaryEntry, ...] = ()
        self.text.linkActivated.disconnect(self.segment_requested)
        self.text.linkActivated.connect(self._choose)
        theme.changed.connect(self._fill)

    def show_entries(self, entries: Sequence[DictionaryEntry]) -> None:
        """Show what was found for a segment."""
        if tuple(entries) != self._entries:
            self._entries = tuple(entries)
            self._fill()

    def _fill(self) -> None:
        self.show_lines([self._line(entry) for entry in self._entries])

    def _line(self, entry: DictionaryEntry) -> str:
        joint = self.muted(" · ")
        glosses = joint.join(self.link(_address(gloss), gloss) for gloss in entry.glosses[:_MOST])
        return f"{html.escape(entry.word)} &nbsp;{glosses}"

    def _choose(self, address: str) -> None:
        gloss = QUrl.fromPercentEncoding(address.encode("ascii"))
        self.chosen.emit(gloss.removeprefix("to "))


def _address(gloss: str) -> str:
    """A gloss as a link's target."""
    return bytes(QUrl.toPercentEncoding(gloss).data()).decode("ascii")
