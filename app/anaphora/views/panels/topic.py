"""The document's topic and the words that the word caches hold."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QSplitter, QTreeWidget, QTreeWidgetItem, QWidget

from anaphora.views.appearance.icons import pixmap
from anaphora.views.appearance.theme import Theme
from anaphora.views.panels.memory_view import MemoryViewPanel
from anaphora.views.widgets.bars import BAR_ROLE, LABEL_ROLE
from anaphora.views.widgets.panel import effect_tip, heading, note, tree
from anaphora.views.widgets.plain_text import plain_label
from anaphora_nmt.types import CachedWordUse, WeightedWord

WORD, WEIGHT, USE = range(3)
_WORDS = re.compile(r"\w+")


class TopicPanel(MemoryViewPanel):
    """Topic words by weight and dynamic words by age, with those that this sentence used marked."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._topic = plain_label()
        self._topic.setWordWrap(True)
        self._topic.setContentsMargins(12, 0, 12, 6)
        self._empty = note()
        self._topic_words = self._list(self.tr("Topic words"), self.tr("Weight"))
        self._dynamic_words = self._list(self.tr("Recent words"), self.tr("Age"))
        self.box.addWidget(heading(self.tr("Topic of the document")))
        self.box.addWidget(self._topic)
        self.box.addWidget(self._empty)
        self._lists = QSplitter(Qt.Orientation.Vertical)
        self._lists.setChildrenCollapsible(False)
        self._lists.addWidget(self._topic_words)
        self._lists.addWidget(self._dynamic_words)
        self.box.addWidget(self._lists, 1)
        self.box.addStretch()  # keeps the labels together while the lists are hidden
        self._fill()

    def used_words(self) -> frozenset[str]:
        """The cached words that the sentence holds, in lower case."""
        if self._explanation is None:
            return frozenset()
        words = {word.lower() for word in _WORDS.findall(self._explanation.text)}
        return frozenset(words | {token.word.lower() for token in self._explanation.tokens})

    def _list(self, name: str, weight: str) -> QTreeWidget:
        return tree(self._theme, [name, weight, self.tr("Share")], WORD, {WEIGHT: 96, USE: 56}, name)

    def _fill(self) -> None:
        view = self._view
        topic_words = view.topic_words if view else ()
        dynamic_words = view.dynamic_words if view else ()
        unknown = self.tr("Not known yet") if self._has_engine else "–"
        self._topic.setText(view.topic if view and view.topic else unknown)
        self._empty.setVisible(not topic_words and not dynamic_words)
        self._empty.setText(
            self.tr("No words are cached before this segment yet.")
            if self._has_engine
            else self.tr("Without a translation model no words are cached.")
        )
        self._topic_words.setVisible(bool(topic_words))
        self._dynamic_words.setVisible(bool(dynamic_words))
        self._lists.setVisible(bool(topic_words or dynamic_words))
        uses: dict[tuple[str, str], CachedWordUse] = {}
        if self._explanation is not None and self._word >= 0:
            token = self._explanation.tokens[self._word]
            uses = {(use.cache, use.word): use for use in token.cached_words}
        used = self.used_words()
        self._fill_list(self._topic_words, topic_words, "topic", used, uses)
        self._fill_list(self._dynamic_words, dynamic_words, "dynamic", used, uses)

    def _fill_list(
        self,
        target: QTreeWidget,
        words: tuple[WeightedWord, ...],
        cache: str,
        used: frozenset[str],
        uses: dict[tuple[str, str], CachedWordUse],
    ) -> None:
        target.clear()
        heaviest = max((word.weight for word in words), default=0.0) or 1.0
        items = []
        for word in words:
            item = QTreeWidgetItem([word.word, "", ""])
            if cache == "topic":
                item.setData(WEIGHT, BAR_ROLE, word.weight / heaviest)
                item.setData(WEIGHT, LABEL_ROLE, f"{word.weight:.1%}")
            else:
                age = round(word.weight)
                item.setText(WEIGHT, self.tr("now") if age == 0 else self.tr("{0} ago").format(age))
                item.setForeground(WEIGHT, QColor(self._theme.colours.muted))
            self._mark(item, word.word, used, uses.get((cache, word.word)))
            items.append(item)
        target.addTopLevelItems(items)

    def _mark(
        self, item: QTreeWidgetItem, word: str, used: frozenset[str], use: CachedWordUse | None
    ) -> None:
        colours = self._theme.colours
        if word.lower() in used:
            item.setIcon(WORD, QIcon(pixmap("confirm", colours.accent, 14)))
            font = item.font(WORD)
            font.setBold(True)
            item.setFont(WORD, font)
            item.setToolTip(WORD, self.tr("This sentence uses it."))
        else:
            item.setIcon(WORD, QIcon(pixmap("blank", colours.accent, 14)))
            item.setToolTip(WORD, self.tr("This sentence does not use it."))
        if use is not None:
            item.setText(USE, f"{use.probability:.0%}")
            item.setToolTip(USE, effect_tip(use.influence))
