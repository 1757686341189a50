"""Dictionary entries for words of the current segment."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QUrl, Signal

from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.sentence import Lines
from anaphora.features.dictionary.entries import DictionaryEntry
from anaphora.features.dictionary.hints import TakenHint

_MAX_GLOSSES = 4


class DictionaryLines(Lines):
    """Words with their glosses, which are inserted by a click; hints used in the draft come first.

    Signals:
        chosen: the gloss to insert.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.set_title(self.tr("Words in the dictionary"))
        self._hints: tuple[TakenHint, ...] = ()
        self._entries: tuple[DictionaryEntry, ...] = ()
        self.text.linkActivated.disconnect(self.segment_requested)
        self.text.linkActivated.connect(self._choose)
        theme.changed.connect(self._fill)

    def show_hints(self, words: Sequence[TakenHint]) -> None:
        """Show the hints that the draft has used."""
        if tuple(words) != self._hints:
            self._hints = tuple(words)
            self._fill()

    def show_entries(self, entries: Sequence[DictionaryEntry]) -> None:
        if tuple(entries) != self._entries:
            self._entries = tuple(entries)
            self._fill()

    def _fill(self) -> None:
        hints = [self._hint_line(word) for word in self._hints]
        self.show_lines([*hints, *(self._line(entry) for entry in self._entries)])

    def _hint_line(self, word: TakenHint) -> str:
        """The hint's word and its form in the draft, and below them the other glosses."""
        remark = self.muted(self.tr("in the draft"))
        others = [gloss for gloss in word.entry.glosses if gloss.lower() != word.form.lower()]
        line = f"{html.escape(word.word)} &nbsp;<b>{html.escape(word.form)}</b> &nbsp;{remark}"
        return f"{line}<br>{self._links(others)}" if others else line

    def _line(self, entry: DictionaryEntry) -> str:
        return f"{html.escape(entry.word)} &nbsp;{self._links(entry.glosses)}"

    def _links(self, glosses: Sequence[str]) -> str:
        separator = self.muted(" · ")
        return separator.join(self.link(_address(gloss), gloss) for gloss in glosses[:_MAX_GLOSSES])

    def _choose(self, address: str) -> None:
        gloss = QUrl.fromPercentEncoding(address.encode("ascii"))
        self.chosen.emit(gloss.removeprefix("to "))


def _address(gloss: str) -> str:
    """A gloss as a link's target."""
    return bytes(QUrl.toPercentEncoding(gloss).data()).decode("ascii")
