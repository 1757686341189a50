"""What is remembered of the segments before the current one and acts on it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from anaphora.core.remembered import Acting, acting_on
from anaphora.core.segment import Status
from anaphora.core.tags import readable_tags
from anaphora.services.packs import FROM_MEMORY
from anaphora.views.appearance.icons import pixmap
from anaphora.views.appearance.theme import Theme
from anaphora.views.panels.effects import effect_colour, effect_sentence, effect_word
from anaphora.views.panels.memory_view import MemoryViewPanel
from anaphora.views.widgets.panel import USE_ROLE, NumberOf, note, place_text, tree
from anaphora.views.widgets.plain_text import plain_tip
from anaphora_nmt.types import MemoryEntry

WORD, SEGMENT, WORDS, EFFECT = range(4)
SEGMENT_ROLE = Qt.ItemDataRole.UserRole + 1


class MemoryPanel(MemoryViewPanel):
    """Remembered words that act on the segment, or on its selected word: from where, on what, and how.

    Attributes:
        words: the list.

    Signals:
        segment_requested: id of the segment whose word was activated.
    """

    segment_requested = Signal(str)

    def __init__(self, theme: Theme, number_of: NumberOf, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._number_of = number_of
        self._about = note()
        self.words = tree(
            theme,
            [self.tr("Word"), self.tr("From"), self.tr("Acts on"), self.tr("Effect")],
            WORD,
            {SEGMENT: 44, WORDS: 80, EFFECT: 82},
            self.tr("Remembered words that act here"),
        )
        self.setMinimumWidth(300)
        self.words.itemClicked.connect(self._request)
        self.words.itemActivated.connect(self._request)
        self.box.addWidget(self._about)
        self.box.addWidget(self.words, 1)
        self.box.addStretch()  # keeps the sentence above while the list is hidden
        self._fill()

    @property
    def slots(self) -> tuple[MemoryEntry, ...]:
        """What is remembered before the segment, whether it acts or not."""
        sections = self._view.sections if self._view else ()
        return tuple(entry for section in sections if section.of_segments for entry in section.entries)

    def _found(self) -> tuple[Acting, ...]:
        """What acts on the selected word, or on any."""
        if self._explanation is None:
            return ()
        tokens = self._explanation.tokens
        return acting_on(tokens[self._word : self._word + 1] if self._word >= 0 else tokens)

    def _fill(self) -> None:
        self.words.clear()
        found = self._found()
        self._about.setText(self._say(bool(found)))
        self.words.addTopLevelItems([self._item(each) for each in found])
        self.words.setVisible(bool(found))

    def _say(self, acts: bool) -> str:
        if not self._has_engine:
            return self.tr("Without a translation model nothing is remembered.")
        if self._view is None:
            return self.tr("Working it out…")
        explanation = self._explanation
        chosen = explanation is not None and self._word >= 0
        word = readable_tags(explanation.tokens[self._word].word) if explanation and chosen else ""
        if acts and chosen:
            return self.tr("What is remembered and acts on “{0}”").format(word)
        if acts:
            return self.tr("What is remembered and acts on this segment")
        if explanation is None or not self.slots:
            return self._say_how_much()
        if chosen:
            return self.tr("Nothing that is remembered acts on “{0}”.").format(word)
        return self.tr("Nothing that is remembered acts on this segment.")

    def _say_how_much(self) -> str:
        count = len(self.slots)
        if not count:
            return self.tr("Nothing is remembered before this segment yet.")
        return self.tr("Remembered words before this segment: {0}.").format(count)

    def _item(self, each: Acting) -> QTreeWidgetItem:
        use, number = each.use, self._number_of(each.use.segment)
        words = ", ".join(readable_tags(word) for word in each.words)
        where = place_text(use.segment, self._number_of)
        item = QTreeWidgetItem([use.label, where, words, effect_word(each.effect)])
        item.setData(WORD, SEGMENT_ROLE, use.segment)
        item.setData(WORD, USE_ROLE, use)
        for column in (SEGMENT, WORDS):
            item.setForeground(column, QColor(self._theme.colours.muted))
        item.setForeground(EFFECT, effect_colour(each.effect, self._theme))
        tip = effect_sentence(use, each.words[0])
        if where == FROM_MEMORY:
            item.setIcon(WORD, QIcon(pixmap("blank", self._theme.colours.text, 14)))
            tip += " " + self.tr("It comes from the translation memory.")
        elif use.confirmed:
            colour = self._theme.colours.status(Status.CONFIRMED).name()
            item.setIcon(WORD, QIcon(pixmap("status-confirmed", colour, 14)))
            tip += " " + self.tr("You confirmed it.")
        else:
            item.setIcon(WORD, QIcon(pixmap("blank", self._theme.colours.text, 14)))
        if number:
            tip += " " + self.tr("Click to go to segment {0}.").format(number)
        for column in range(self.words.columnCount()):
            item.setToolTip(column, plain_tip(tip))
        return item

    def _request(self, item: QTreeWidgetItem) -> None:
        self.segment_requested.emit(item.data(WORD, SEGMENT_ROLE))
