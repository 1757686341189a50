"""The panel with the memory's topic words and recent words."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QTreeWidget, QTreeWidgetItem

from anaphora.editor.appearance.theme import Theme, pixmap
from anaphora.editor.widgets.rail import NumberOf, Panel, heading, note, tree
from anaphora.editor.widgets.sentence import plain_label
from anaphora.features.explain.marking import effect_of, words_with_effect
from anaphora.features.explain.view.effects import effect_colour, effect_word, place_text
from anaphora.system.messages import localise_message
from anaphora_nmt.types import Explanation, MemorySection, MemoryUse, MemoryView, TokenTrace

WORD, FROM, USE = range(3)
Section = tuple[str, str]
"""The names of a memory and of one of its sections."""


class TopicPanel(Panel):
    """A list for each section of the memory. Words with an effect are marked; topic lists show no others."""

    def __init__(self, theme: Theme, number_of: NumberOf) -> None:
        super().__init__()
        self._theme = theme
        self._number_of = number_of
        self._view: MemoryView | None = None
        self._explanation: Explanation | None = None
        self._word = -1
        self._has_engine = True
        self._is_outdated = False
        self._heading = heading(self.tr("Topic of the document"))
        self.summary = plain_label()
        self.summary.setWordWrap(True)
        self.summary.setContentsMargins(12, 0, 12, 6)
        self._empty = note()
        self._trees: dict[Section, QTreeWidget] = {}
        self._lists = QSplitter(Qt.Orientation.Vertical)
        self._lists.setChildrenCollapsible(False)
        for widget in (self._heading, self.summary, self._empty):
            self.box.addWidget(widget)
        self.box.addWidget(self._lists, 1)
        self.box.addStretch()  # keeps the labels together while the lists are hidden
        theme.changed.connect(self._fill)
        self._fill()

    def show_engine(self, is_available: bool) -> None:
        self._has_engine = is_available
        self._fill()

    def show_view(self, view: MemoryView | None) -> None:
        self._view, self._explanation, self._word = view, None, -1
        self._fill_if_visible()

    def show_explanation(self, explanation: Explanation | None) -> None:
        view = explanation.view if explanation is not None else self._view
        self._view, self._explanation, self._word = view, explanation, -1
        self._fill_if_visible()

    def select_word(self, word: int) -> None:
        if word != self._word:
            self._word = word
            self._fill_if_visible()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        if self._is_outdated:
            self._fill()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        is_wide = event.size().width() > 1.5 * event.size().height()
        self._lists.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)

    def _fill_if_visible(self) -> None:
        """Fill visible lists now, hidden lists only when shown, because each keystroke may change them."""
        self._is_outdated = True
        if self.isVisible():
            self._fill()

    def _fill(self) -> None:
        self._is_outdated = False
        sections = [each for each in self._view.sections if not each.of_segments] if self._view else []
        filled = [section for each in sections if (section := self._filtered(each)).entries]
        summary = next((each.summary for each in filled if each.summary), "")
        self.summary.setText(summary)
        for label in (self._heading, self.summary):
            label.setVisible(bool(summary))
        self._empty.setVisible(not summary)
        if not self._has_engine:
            self._empty.setText(self.tr("Without a translation model, there are no topic words."))
        elif self._view is not None and not sections:
            self._empty.setText(
                self.tr(
                    "This model does not use topic words or words from recent sentences. Only the model "
                    "that comes with Anaphora uses them."
                )
            )
        else:
            self._empty.setText(self.tr("No topic words affect this segment."))
        self._lists.setVisible(bool(filled))
        for shown in self._trees.values():
            shown.hide()
        for section in filled:
            self._fill_list(self._list_of(section), section)

    def _filtered(self, section: MemorySection) -> MemorySection:
        if not section.takes_topic_rules:
            return section
        labels = words_with_effect(self._tokens(), section.memory, section.name)
        return replace(section, entries=tuple(each for each in section.entries if each.label in labels))

    def _tokens(self) -> tuple[TokenTrace, ...]:
        return self._explanation.tokens if self._explanation is not None else ()

    def _list_of(self, section: MemorySection) -> QTreeWidget:
        key = section.memory, section.name
        if key not in self._trees:
            headers = ["", self.tr("From"), self.tr("Effect")]
            self._trees[key] = tree(headers, WORD, {FROM: 56, USE: 56}, "")
            self._trees[key].headerItem().setToolTip(USE, self.tr("The word's contribution to the draft"))
            self._lists.addWidget(self._trees[key])
        return self._trees[key]

    def _fill_list(self, words: QTreeWidget, section: MemorySection) -> None:
        title = localise_message(section.title)
        words.headerItem().setText(WORD, title)
        words.setAccessibleName(title)
        words.clear()
        words.show()
        tokens = self._tokens()
        shown_tokens = tokens[self._word : self._word + 1] if self._word >= 0 else tokens
        uses = words_with_effect(shown_tokens, section.memory, section.name)
        words.setColumnHidden(USE, not any(each.share_of(section.memory) for each in tokens))
        words.setColumnHidden(FROM, not any(entry.segment for entry in section.entries))
        for entry in section.entries:
            item = QTreeWidgetItem(words, [entry.label, "", ""])
            if entry.segment:
                item.setText(FROM, place_text(entry.segment, self._number_of))
                item.setForeground(FROM, QColor(self._theme.colours.muted))
            self._mark(item, uses.get(entry.label))

    def _mark(self, item: QTreeWidgetItem, use: MemoryUse | None) -> None:
        if use is None:
            item.setIcon(WORD, QIcon(pixmap("blank", self._theme.colours.accent, 14)))
            return
        colour = effect_colour(effect_of(use), self._theme)
        item.setIcon(WORD, QIcon(pixmap("confirm", colour.name(), 14)))
        font = item.font(WORD)
        font.setBold(True)
        item.setFont(WORD, font)
        item.setText(USE, f"{use.strength:.1%}")
        tip = self.tr("Effect on this segment: {0}.").format(effect_word(effect_of(use)))
        for column in (WORD, USE):
            item.setToolTip(column, tip)
