"""Why this word: what stood behind the selected output word."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from anaphora.core.remembered import Place, place, remembered_words
from anaphora.core.segment import Status
from anaphora.views.appearance.icons import pixmap
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.bars import BAR_ROLE, LABEL_ROLE, HeatText, ShareBar
from anaphora.views.widgets.matrix_view import Matrix, MatrixView
from anaphora.views.widgets.panel import NumberOf, Panel, effect_colour, effect_text, effect_tip, note, tree
from anaphora.views.widgets.plain_text import plain_tip, readable_tags
from anaphora_nmt.types import Explanation, MemoryUse, TokenTrace

SHOWN_SLOTS = 8
SHOWN_WORDS = 8
MATRIX_ROWS = 40
MATRIX_FLOOR = 0.02
"""A slot that no word matches better than this is left out of the matrix."""


class WhyPanel(Panel):
    """Source words attended to, slots, cached words and gates; and both matrices as tabs.

    Signals:
        word_chosen: index of a token that the user chose in a matrix.
        segment_requested: id of the segment whose slot was activated.
    """

    word_chosen = Signal(int)
    segment_requested = Signal(str)

    def __init__(self, theme: Theme, number_of: NumberOf, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._number_of = number_of
        self._explanation: Explanation | None = None
        self._source = ""
        self._word = -1
        self._matrix_rows: tuple[Place, ...] = ()
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.slot_matrix = MatrixView(theme)
        self.slot_matrix.setAccessibleName(self.tr("Memory slots by output words"))
        self.source_matrix = MatrixView(theme)
        self.source_matrix.setAccessibleName(self.tr("Source words by output words"))
        self.tabs.addTab(self._make_word_page(), self.tr("Word"))
        self.tabs.addTab(self.slot_matrix, self.tr("Memory × words"))
        self.tabs.addTab(self.source_matrix, self.tr("Source × words"))
        self.box.addWidget(self.tabs)
        for matrix in (self.slot_matrix, self.source_matrix):
            matrix.column_chosen.connect(self.word_chosen)
        theme.changed.connect(lambda: self.select_word(self._word))
        self.slot_matrix.row_chosen.connect(self._request_row)
        self.show_explanation(None)

    def show_source(self, text: str) -> None:
        """Show a segment's source before anything is known about its target."""
        self._source = text
        self._show_word(None)

    def show_explanation(self, explanation: Explanation | None) -> None:
        """Show what stood behind a segment's target."""
        self._explanation = explanation
        self._show_bars_in_use()
        self._show_word(None)
        self.slot_matrix.show_matrix(self._slots_by_words())
        self.source_matrix.show_matrix(self._source_by_words())

    def select_word(self, word: int) -> None:
        """Show an output word; -1 for none."""
        self._word = word
        known = self._explanation is not None and 0 <= word < len(self._explanation.tokens)
        self._show_word(self._explanation.tokens[word] if known and self._explanation else None)
        self.slot_matrix.select_column(word)
        self.source_matrix.select_column(word)

    def show_waiting(self, waiting: bool) -> None:
        """Say that the engine is at work on the explanation."""
        if self._explanation is None:
            self._title.setText(self.tr("Working it out…") if waiting else self._invitation())

    def _make_word_page(self) -> QWidget:
        self._title = QLabel()
        self._title.setTextFormat(Qt.TextFormat.RichText)
        self._title.setWordWrap(True)
        self._heat = HeatText(self._theme)
        self._certainty = ShareBar(
            self._theme, self.tr("Certainty"), self.tr("Probability of this word, as decoded")
        )
        self._shares = {
            "confirmed": ShareBar(
                self._theme,
                self.tr("Confirmed"),
                self.tr("Share of what you confirmed in the probability"),
            ),
            "continuous_cache": ShareBar(
                self._theme, self.tr("Memory"), self.tr("Share of the continuous cache in the state (λ)")
            ),
            "word_caches": ShareBar(
                self._theme,
                self.tr("Cached"),
                self.tr("Share of the topic and recent words in the probability (1 − α)"),
            ),
        }
        self._bars = QGridLayout()
        for bar in (self._certainty, *self._shares.values()):
            self._add_bar(bar)
        self._slots = self._list(self.tr("Memory"), self.tr("From"), self.tr("Match"))
        self._slots.itemActivated.connect(self._request)
        self._slots.itemClicked.connect(self._request)
        self._words = self._list(self.tr("Cached"), self.tr("Kind"), self.tr("Share"))
        page = QWidget()
        row = QHBoxLayout(page)
        row.setContentsMargins(14, 10, 14, 10)
        row.setSpacing(18)
        row.addLayout(self._make_left(), 4)
        row.addWidget(self._slots, 4)
        row.addWidget(self._words, 4)
        self._nothing = note()
        self._nothing.setText(self.tr("Nothing that is remembered stood behind this word."))
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._nothing, 8)
        return page

    def _make_left(self) -> QVBoxLayout:
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addWidget(self._title)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(self._heat)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        left.addWidget(scroll, 1)
        self._bars.setHorizontalSpacing(18)
        self._bars.setVerticalSpacing(8)
        left.addLayout(self._bars)
        return left

    def _add_bar(self, bar: ShareBar) -> None:
        self._bars.addWidget(bar, *divmod(self._bars.count(), 2))

    def _list(self, name: str, origin: str, value: str) -> QTreeWidget:
        result = tree(self._theme, [name, origin, value, self.tr("Effect")], 0, {1: 50, 2: 70, 3: 54}, name)
        result.setMinimumWidth(210)
        return result

    def _invitation(self) -> str:
        return self.tr("Click a word of the translation, or press Alt+→, to see where it comes from.")

    def _show_word(self, token: TokenTrace | None) -> None:
        explanation = self._explanation
        self._slots.clear()
        self._words.clear()
        self._heat.show_words(self._weighted_source(token))
        if token is None or explanation is None:
            self._title.setText(self._invitation())
            for bar in (self._certainty, *self._shares.values()):
                bar.show_share(None)
            for rows in (self._slots, self._words):
                rows.hide()
            self._nothing.hide()
            return
        word = readable_tags(token.word).replace("&", "&amp;").replace("<", "&lt;")
        self._title.setText(self.tr("<b>{0}</b> looked at these source words").format(word))
        self._certainty.show_share(math.exp(min(token.log_probability, 0.0)))
        for memory, bar in self._shares.items():
            bar.show_share(token.share_of(memory))
        words = remembered_words(token)
        for part in (True, False):
            for found in [one for one in words if one.confirmed is part][:SHOWN_SLOTS]:
                self._add_remembered(found)
        kinds = {"topic": self.tr("topic"), "dynamic": self.tr("new")}
        for cached in [use for use in token.uses if not use.segment][:SHOWN_WORDS]:
            self._add(self._words, cached, kinds.get(cached.section, cached.section or cached.memory))
        self._give_room()

    def _add_remembered(self, found: MemoryUse) -> None:
        origin = str(self._number_of(found.segment) or "")
        item = self._add(self._slots, found, origin)
        if found.confirmed:
            colour = self._theme.colours.status(Status.CONFIRMED).name()
            item.setIcon(0, QIcon(pixmap("status-confirmed", colour, 14)))
            tip = self.tr("You confirmed “{0}” in segment {1}: this word follows it.")
            item.setToolTip(0, plain_tip(tip.format(found.label, origin)))

    def _show_bars_in_use(self) -> None:
        """A memory that the model does not read has no bar; that of confirmed text is always there."""
        tokens = self._explanation.tokens if self._explanation is not None else ()
        used = {each.memory: each.title for token in tokens for each in token.shares if each.share}
        for memory in used.keys() - self._shares.keys():
            self._shares[memory] = ShareBar(self._theme, used[memory])
            self._add_bar(self._shares[memory])
        for memory, bar in self._shares.items():
            bar.setVisible(memory in used or memory == "confirmed")

    def _give_room(self) -> None:
        """A list without rows leaves its place to the other; where both are empty, a sentence says so."""
        for rows in (self._slots, self._words):
            rows.setVisible(rows.topLevelItemCount() > 0)
        self._nothing.setVisible(self._slots.isHidden() and self._words.isHidden())

    def _add(self, target: QTreeWidget, use: MemoryUse, origin: str) -> QTreeWidgetItem:
        influence = use.influence
        item = QTreeWidgetItem([use.label, origin, "", effect_text(influence)])
        item.setForeground(1, QColor(self._theme.colours.muted))
        item.setData(2, BAR_ROLE, use.strength)
        item.setData(2, LABEL_ROLE, f"{use.strength:.0%}")
        item.setForeground(3, effect_colour(influence, self._theme))
        item.setTextAlignment(3, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setData(0, Qt.ItemDataRole.UserRole, use.segment)
        for column in range(4):
            item.setToolTip(column, effect_tip(influence))
        target.addTopLevelItem(item)
        return item

    def _weighted_source(self, token: TokenTrace | None) -> tuple[tuple[str, float], ...]:
        """The source in pieces: its words with their attention, what stands between them without."""
        explanation = self._explanation
        if explanation is None or not explanation.source_words:
            return tuple((word, -1.0) for word in self._source)
        pieces: list[tuple[str, float]] = []
        end = 0
        for index, word in enumerate(explanation.source_words):
            between = readable_tags(self._source[end : word.start])
            pieces.extend((part, -1.0) for part in between.split())
            share = token.attention[index] if token and index < len(token.attention) else 0.0
            pieces.append((readable_tags(word.word), share))
            end = word.end
        pieces.extend((part, -1.0) for part in readable_tags(self._source[end:]).split())
        return tuple(pieces)

    def _slots_by_words(self) -> Matrix:
        explanation = self._explanation
        empty = self.tr("The memory holds nothing that this sentence matched.")
        if explanation is None:
            return Matrix(empty=self._invitation())
        found = [
            {place(use): use.strength for use in remembered_words(token)} for token in explanation.tokens
        ]
        best: dict[Place, float] = {}
        for shares in found:
            for where, share in shares.items():
                best[where] = max(best.get(where, 0.0), share)
        strong = sorted((where for where in best if best[where] > MATRIX_FLOOR), key=lambda w: -best[w])
        kept = set(strong[:MATRIX_ROWS])
        self._matrix_rows = tuple(where for where in best if where in kept)
        rows = tuple(word for word, _ in self._matrix_rows)
        cells = tuple(tuple(shares.get(where, 0.0) for shares in found) for where in self._matrix_rows)
        columns = tuple(readable_tags(token.word) for token in explanation.tokens)
        return Matrix(rows, columns, cells, self.tr("match"), empty)

    def _source_by_words(self) -> Matrix:
        explanation = self._explanation
        if explanation is None:
            return Matrix(empty=self._invitation())
        count = len(explanation.source_words)
        shares = tuple(
            tuple(token.attention[row] if row < len(token.attention) else 0.0 for token in explanation.tokens)
            for row in range(count)
        )
        rows = tuple(readable_tags(word.word) for word in explanation.source_words)
        columns = tuple(readable_tags(token.word) for token in explanation.tokens)
        return Matrix(rows, columns, shares, self.tr("attention"), self.tr("There is nothing to show."))

    def _request(self, item: QTreeWidgetItem) -> None:
        segment = item.data(0, Qt.ItemDataRole.UserRole)
        if segment:
            self.segment_requested.emit(segment)

    def _request_row(self, row: int) -> None:
        if row < len(self._matrix_rows):
            self.segment_requested.emit(self._matrix_rows[row][1])
