"""The details panel: remembered words with an effect on the selected output word."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QTabWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from anaphora.core.segment import Status
from anaphora.core.tags import readable_tags
from anaphora.editor.appearance.icons import pixmap
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.dialogs import wrapped
from anaphora.editor.widgets.panel import USE_ROLE, NumberOf, Panel, tree
from anaphora.editor.widgets.plain_text import plain_tip
from anaphora.features.explain.remembered import effect_of, effective_uses, is_drafted
from anaphora.features.explain.view.effects import effect_colour, effect_sentence, effect_word, place_text
from anaphora.system.messages import localise_message
from anaphora_nmt.types import Explanation, MemoryUse, TokenTrace

WORD, FROM, EFFECT = range(3)


class WhyPanel(Panel):
    """Shows the effects on an output word; other features add tabs.

    Signals:
        segment_requested: id of the segment of a remembered word.
    """

    segment_requested = Signal(str)

    def __init__(self, theme: Theme, number_of: NumberOf) -> None:
        super().__init__()
        self._theme = theme
        self._number_of = number_of
        self._explanation: Explanation | None = None
        self._word = -1
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self._make_word_page(), self.tr("Word"))
        self.box.addWidget(self.tabs)
        theme.changed.connect(self._show_chosen)
        self.show_explanation(None)

    def show_explanation(self, explanation: Explanation | None) -> None:
        self._explanation = explanation
        self._word = -1
        self._show_word(None)

    def select_word(self, word: int) -> None:
        if word != self._word:
            self._word = word
            self._show_chosen()

    def _show_chosen(self) -> None:
        tokens = self._explanation.tokens if self._explanation is not None else ()
        self._show_word(tokens[self._word] if 0 <= self._word < len(tokens) else None)

    def show_waiting(self, waiting: bool) -> None:
        if self._explanation is None:
            self._title.setText(self.tr("Calculating…") if waiting else self._invitation())

    def _make_word_page(self) -> QWidget:
        self._title = wrapped()
        headers = [self.tr("Memory"), self.tr("From"), self.tr("Effect")]
        self.words = tree(headers, WORD, {FROM: 96, EFFECT: 96}, headers[0])
        self.words.setRootIsDecorated(True)
        self.words.itemActivated.connect(self._request)
        self.words.itemClicked.connect(self._request)
        self._nothing = wrapped(self.tr("The memory did not change this word."), "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        page = QWidget()
        self._word_column = column = QVBoxLayout(page)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(6)
        column.addWidget(self._title)
        column.addWidget(self.words, 1)
        column.addWidget(self._nothing, 1)
        column.addStretch()
        return page

    def _invitation(self) -> str:
        return self.tr("Click a word of the translation, or press Alt+→, to see where it comes from.")

    def _show_word(self, token: TokenTrace | None) -> None:
        self.words.clear()
        if token is None:
            self._title.setText(self._invitation())
            self.words.hide()
            self._nothing.hide()
            # A hidden page would keep the height of all its parts, so that the window would grow.
            self._word_column.invalidate()
            self._word_column.activate()
            return
        self._title.setText(readable_tags(token.word))
        uses = effective_uses(token)
        self.words.addTopLevelItems([self._item(use, token.word) for use in uses])
        self.words.setVisible(bool(uses))
        self._nothing.setVisible(not uses)

    def _section(self, use: MemoryUse) -> str:
        view = self._explanation.view if self._explanation is not None else None
        return localise_message(view.section(use.memory, use.section).title) if view is not None else ""

    def _item(self, use: MemoryUse, word: str) -> QTreeWidgetItem:
        """A row for a remembered word, with its occurrences below it."""
        origin = place_text(use.segment, self._number_of) if use.segment else self._section(use)
        effect, where = effect_of(use), self.tr("{0}, draft") if is_drafted(use) else "{0}"
        item = QTreeWidgetItem([use.label, where.format(origin), effect_word(effect)])
        item.setForeground(FROM, QColor(self._theme.colours.muted))
        item.setForeground(EFFECT, effect_colour(effect, self._theme, use.confirmed))
        item.setData(WORD, Qt.ItemDataRole.UserRole, use.segment)
        item.setData(WORD, USE_ROLE, use)
        tip = effect_sentence(use, word)
        if use.confirmed:
            colour = self._theme.colours.status(Status.CONFIRMED).name()
            item.setIcon(WORD, QIcon(pixmap("status-confirmed", colour, 14)))
            tip += " " + self.tr("You confirmed it in segment {0}.").format(origin)
        elif is_drafted(use):
            tip += " " + self.tr("It comes from the draft of segment {0} (not confirmed).").format(origin)
        for column in range(self.words.columnCount()):
            item.setToolTip(column, plain_tip(tip))
        shown = (each for each in use.occurrences if use.decisive or not is_drafted(each))
        item.addChildren([self._item(each, word) for each in shown])
        return item

    def _request(self, item: QTreeWidgetItem) -> None:
        segment = item.data(WORD, Qt.ItemDataRole.UserRole)
        if segment:
            self.segment_requested.emit(segment)
