"""The document's topic and the words that the memories hold without a segment of their own."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QColor, QIcon, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from anaphora.application.messages import localise_message
from anaphora.core.remembered import acting_words, effect_of
from anaphora.memory.view.effects import effect_colour, effect_word
from anaphora.views.appearance.icons import pixmap
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.bars import BAR_ROLE, LABEL_ROLE
from anaphora.views.widgets.panel import Panel, heading, note, tree
from anaphora.views.widgets.plain_text import plain_label
from anaphora_nmt.types import Explanation, MemoryEntry, MemorySection, MemoryUse, MemoryView

WORD, WEIGHT, USE = range(3)
Section = tuple[str, str]
"""A memory and one of its sections."""


class TopicPanel(Panel):
    """A list for each section, by weight or by age, with the words that act on this sentence marked.

    Signals:
        word_wanted: the translator wants to add a topic word.
        word_unwanted: a topic word that is to be taken away.
        acting_chosen: whether the words are to act on drafts; None: where the document's topic is clear.
    """

    word_wanted = Signal()
    word_unwanted = Signal(str)
    acting_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: MemoryView | None = None
        self._explanation: Explanation | None = None
        self._word = -1
        self._has_engine = True
        self._is_outdated = False
        self._topic = plain_label()
        self._topic.setWordWrap(True)
        self._topic.setContentsMargins(12, 0, 12, 6)
        self._empty = note()
        self.acting = self._acting_choice()
        self.reading = plain_label()
        self.reading.setWordWrap(True)
        self._shown: dict[Section, QTreeWidget] = {}
        self.box.addWidget(heading(self.tr("Topic of the document")))
        self.box.addWidget(self._topic)
        self.box.addWidget(self._empty)
        self.add = QPushButton(self.tr("Add a topic word…"))
        self.add.setToolTip(self.tr("It counts for this document; undo takes it back."))
        self.add.clicked.connect(self.word_wanted)
        row = QHBoxLayout()
        row.setContentsMargins(12, 0, 12, 8)
        row.setSpacing(8)
        row.addWidget(self.acting)
        row.addWidget(self.reading, 1)
        row.addStretch()
        row.addWidget(self.add)
        self.box.addLayout(row)
        self._lists = QSplitter(Qt.Orientation.Vertical)
        self._lists.setChildrenCollapsible(False)
        self.box.addWidget(self._lists, 1)
        self.box.addStretch()  # keeps the labels together while the lists are hidden
        theme.changed.connect(self._fill)
        self._fill()

    def _acting_choice(self) -> QComboBox:
        """Where the words act on drafts; its data are what `acting_chosen` says."""
        found = QComboBox()
        found.addItem(self.tr("Act on drafts if the topic is clear"), None)
        found.addItem(self.tr("Always act on drafts"), True)
        found.addItem(self.tr("Never act on drafts"), False)
        found.setAccessibleName(self.tr("What topic and recent words do"))
        found.setToolTip(
            self.tr(
                "From the next draft on, which takes a little longer. The topic of documentation is clear to "
                "the model, and its drafts gain a little; those of other text do not: there they act once "
                "you add a word yourself."
            )
        )
        found.activated.connect(lambda row: self.acting_chosen.emit(found.itemData(row)))
        found.currentIndexChanged.connect(self._show_reading)
        return found

    def show_acting(self, wanted: bool | None) -> None:
        """Show what was chosen before."""
        rows = range(self.acting.count())
        self.acting.setCurrentIndex(next(row for row in rows if self.acting.itemData(row) is wanted))

    def _show_reading(self) -> None:
        """Say of a choice that depends on the topic what it comes to in this document."""
        sections = [one for one in self._filled() if one.takes_topic_rules]
        self.reading.setVisible(bool(sections) and self.acting.currentData() is None)
        self.reading.setText(
            self.tr("They act on drafts of this document.")
            if any(one.is_read for one in sections)
            else self.tr("They do not act on drafts of this document.")
        )

    def show_engine(self, there: bool) -> None:
        """Whether there is a model that remembers, or is one to come."""
        self._has_engine = there
        self._fill()

    def show_view(self, view: MemoryView | None) -> None:
        """Show the memory before a segment."""
        self._view = view
        self._explanation = None
        self._word = -1
        self._fill_if_seen()

    def show_explanation(self, explanation: Explanation | None) -> None:
        """Show what a segment's words took from the memory; None while that is not known."""
        self._explanation = explanation
        if explanation is not None:
            self._view = explanation.view
        self._word = -1
        self._fill_if_seen()

    def select_word(self, word: int) -> None:
        """Show what an output word took from the memory."""
        if word != self._word:
            self._word = word
            self._fill_if_seen()

    def _list(self, section: MemorySection) -> QTreeWidget:
        """The list of a section, made when it is first seen."""
        key = section.memory, section.name
        if key not in self._shown:
            weighted = any(entry.weight is not None for entry in section.entries)
            headers = ["", self.tr("Weight") if weighted else self.tr("Age"), self.tr("Share")]
            self._shown[key] = tree(self._theme, headers, WORD, {WEIGHT: 96, USE: 56}, "")
            self._lists.addWidget(self._shown[key])
            if section.takes_topic_rules:
                self._let_change(self._shown[key])
        return self._shown[key]

    def topic_words(self) -> tuple[str, ...]:
        """The words of the document's topic, heaviest first."""
        sections = self._view.sections if self._view is not None else ()
        return tuple(
            entry.label for section in sections if section.takes_topic_rules for entry in section.entries
        )

    def _let_change(self, words: QTreeWidget) -> None:
        """Let words be added and taken away, by the context menu of their list and by keys."""
        words.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        add = QAction(self.tr("Add a topic word…"), words)
        add.setShortcut(QKeySequence("Ins"))
        add.triggered.connect(lambda: self.word_wanted.emit())
        take = QAction(self.tr("Take it from the topic words"), words)
        take.setShortcut(QKeySequence("Del"))
        take.triggered.connect(lambda: self._take_current(words))
        for action in (add, take):
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            words.addAction(action)

    def _take_current(self, words: QTreeWidget) -> None:
        if (item := words.currentItem()) is not None:
            self.word_unwanted.emit(item.text(WORD))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Fill what nobody looked at until now."""
        super().showEvent(event)
        if self._is_outdated:
            self._fill()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Lay the lists beside one another where the panel is wide, as below the table."""
        super().resizeEvent(event)
        is_wide = event.size().width() > 1.5 * event.size().height()
        self._lists.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)

    def _fill_if_seen(self) -> None:
        """Fill the lists now, or once somebody looks: with each key there is another explanation."""
        self._is_outdated = True
        if self.isVisible():
            self._fill()

    def _sections(self) -> list[MemorySection]:
        """What is held without a segment of its own."""
        return [one for one in self._view.sections if not one.of_segments] if self._view else []

    def _filled(self) -> list[MemorySection]:
        """Those of them that hold anything."""
        return [section for section in self._sections() if section.entries]

    def _fill(self) -> None:
        self._is_outdated = False
        sections, filled = self._sections(), self._filled()
        unknown = self.tr("Not known yet") if self._has_engine else "–"
        self.add.setVisible(any(one.takes_topic_rules for one in sections))
        self._topic.setText(next((one.summary for one in sections if one.summary), unknown))
        self._empty.setVisible(not filled)
        self._empty.setText(
            self.tr("No words are cached before this segment yet.")
            if self._has_engine
            else self.tr("Without a translation model no words are cached.")
        )
        self.acting.setVisible(bool(filled))
        self._show_reading()
        self._lists.setVisible(bool(filled))
        for shown in self._shown.values():
            shown.hide()
        for section in filled:
            self._fill_list(self._list(section), section)

    def _acts(self, section: MemorySection) -> bool | None:
        """Whether the model reads a section's memory; None as long as no explanation tells."""
        tokens = self._explanation.tokens if self._explanation is not None else ()
        return any(each.share_of(section.memory) for each in tokens) if tokens else None

    def _uses(self, section: MemorySection) -> dict[str, MemoryUse]:
        """By word what of a section acts on the selected output word, or on any."""
        if self._explanation is None:
            return {}
        tokens = self._explanation.tokens
        chosen = tokens[self._word : self._word + 1] if self._word >= 0 else tokens
        return acting_words(chosen, section.memory, section.name)

    def _fill_list(self, target: QTreeWidget, section: MemorySection) -> None:
        title = localise_message(section.title)
        target.headerItem().setText(WORD, title)
        target.setAccessibleName(title)
        target.clear()
        target.show()
        target.setColumnHidden(USE, not self._acts(section))
        uses = self._uses(section)
        heaviest = max((entry.weight or 0.0 for entry in section.entries), default=0.0) or 1.0
        items = []
        for entry in section.entries:
            item = QTreeWidgetItem([entry.label, "", ""])
            self._weigh(item, entry, heaviest, section.takes_topic_rules)
            self._mark(item, uses.get(entry.label))
            items.append(item)
        target.addTopLevelItems(items)

    def _weigh(self, item: QTreeWidgetItem, entry: MemoryEntry, heaviest: float, topical: bool) -> None:
        if entry.weight is not None:
            item.setData(WEIGHT, BAR_ROLE, entry.weight / heaviest)
            item.setData(WEIGHT, LABEL_ROLE, f"{entry.weight:.1%}")
        elif entry.last_use is not None:
            age = entry.last_use
            item.setText(WEIGHT, self.tr("now") if age == 0 else self.tr("{0} ago").format(age))
            item.setForeground(WEIGHT, QColor(self._theme.colours.muted))
        elif topical:
            item.setText(WEIGHT, self.tr("added"))
            item.setForeground(WEIGHT, QColor(self._theme.colours.muted))

    def _mark(self, item: QTreeWidgetItem, use: MemoryUse | None) -> None:
        """Mark a word that acts; that a sentence merely says it is no sign of that."""
        if use is None:
            item.setIcon(WORD, QIcon(pixmap("blank", self._theme.colours.accent, 14)))
            return
        colour = effect_colour(effect_of(use), self._theme)
        item.setIcon(WORD, QIcon(pixmap("confirm", colour.name(), 14)))
        font = item.font(WORD)
        font.setBold(True)
        item.setFont(WORD, font)
        item.setText(USE, f"{use.strength:.0%}")
        tip = self.tr("It acts on this segment: {0}.").format(effect_word(effect_of(use)))
        for column in (WORD, USE):
            item.setToolTip(column, tip)
