"""The document's topic and the words that the memories hold without a segment of their own."""

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
from anaphora_nmt.types import MemoryEntry, MemorySection, MemoryUse

WORD, WEIGHT, USE = range(3)
Section = tuple[str, str]
"""A memory and one of its sections."""
_WORDS = re.compile(r"\w+")


class TopicPanel(MemoryViewPanel):
    """A list for each section, by weight or by age, with the words that this sentence used marked."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._topic = plain_label()
        self._topic.setWordWrap(True)
        self._topic.setContentsMargins(12, 0, 12, 6)
        self._empty = note()
        self._shown: dict[Section, QTreeWidget] = {}
        self.box.addWidget(heading(self.tr("Topic of the document")))
        self.box.addWidget(self._topic)
        self.box.addWidget(self._empty)
        self._lists = QSplitter(Qt.Orientation.Vertical)
        self._lists.setChildrenCollapsible(False)
        self.box.addWidget(self._lists, 1)
        self.box.addStretch()  # keeps the labels together while the lists are hidden
        self._fill()

    def used_words(self) -> frozenset[str]:
        """The cached words that the sentence holds, in lower case."""
        if self._explanation is None:
            return frozenset()
        words = {word.lower() for word in _WORDS.findall(self._explanation.text)}
        return frozenset(words | {token.word.lower() for token in self._explanation.tokens})

    def _list(self, section: MemorySection) -> QTreeWidget:
        """The list of a section, made when it is first seen."""
        key = section.memory, section.name
        if key not in self._shown:
            known = {"topic": self.tr("Topic words"), "dynamic": self.tr("Recent words")}
            name = known.get(section.name, section.title)
            weighted = any(entry.weight is not None for entry in section.entries)
            headers = [name, self.tr("Weight") if weighted else self.tr("Age"), self.tr("Share")]
            self._shown[key] = tree(self._theme, headers, WORD, {WEIGHT: 96, USE: 56}, name)
            self._lists.addWidget(self._shown[key])
        return self._shown[key]

    def _fill(self) -> None:
        sections = [one for one in self._view.sections if not one.of_segments] if self._view else []
        filled = [section for section in sections if section.entries]
        unknown = self.tr("Not known yet") if self._has_engine else "–"
        self._topic.setText(next((one.summary for one in sections if one.summary), unknown))
        self._empty.setVisible(not filled)
        self._empty.setText(
            self.tr("No words are cached before this segment yet.")
            if self._has_engine
            else self.tr("Without a translation model no words are cached.")
        )
        self._lists.setVisible(bool(filled))
        for shown in self._shown.values():
            shown.hide()
        used = self.used_words()
        for section in filled:
            self._fill_list(self._list(section), section, used)

    def _uses(self, section: MemorySection) -> dict[str, MemoryUse]:
        """By word what the selected output word took of a section."""
        if self._explanation is None or self._word < 0:
            return {}
        found = self._explanation.tokens[self._word].uses_of(section.memory, section.name)
        return {use.label: use for use in found}

    def _fill_list(self, target: QTreeWidget, section: MemorySection, used: frozenset[str]) -> None:
        target.clear()
        target.show()
        uses = self._uses(section)
        heaviest = max((entry.weight or 0.0 for entry in section.entries), default=0.0) or 1.0
        items = []
        for entry in section.entries:
            item = QTreeWidgetItem([entry.label, "", ""])
            self._weigh(item, entry, heaviest)
            self._mark(item, entry.label, used, uses.get(entry.label))
            items.append(item)
        target.addTopLevelItems(items)

    def _weigh(self, item: QTreeWidgetItem, entry: MemoryEntry, heaviest: float) -> None:
        if entry.weight is not None:
            item.setData(WEIGHT, BAR_ROLE, entry.weight / heaviest)
            item.setData(WEIGHT, LABEL_ROLE, f"{entry.weight:.1%}")
        elif entry.last_use is not None:
            age = entry.last_use
            item.setText(WEIGHT, self.tr("now") if age == 0 else self.tr("{0} ago").format(age))
            item.setForeground(WEIGHT, QColor(self._theme.colours.muted))

    def _mark(self, item: QTreeWidgetItem, word: str, used: frozenset[str], use: MemoryUse | None) -> None:
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
            item.setText(USE, f"{use.strength:.0%}")
            item.setToolTip(USE, effect_tip(use.influence))
