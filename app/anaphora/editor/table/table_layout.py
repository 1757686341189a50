"""Measures the rows in view, and keeps the card of the current segment in position."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, QTimer, Signal
from PySide6.QtWidgets import QTableView

from anaphora.editor.table.active_card import GAP, SIDE, ActiveCard, CardColumns
from anaphora.editor.table.segment_delegate import BAND, SegmentDelegate
from anaphora.editor.table.segment_editor import SegmentEditor
from anaphora.editor.table.segment_model import Column, SegmentModel

CARD_TOP = 0.28
"""Distance of the card's row from the top of the view, as a share of the view's height."""
CARET_ROOM = 40
"""Pixels above and below the caret that stay in view if the card is higher than the view."""
REVEAL_ATTEMPTS = 6
"""Maximum number of attempts to scroll a row to its position."""
REST_MS = 150
"""Milliseconds without movement after which `TableLayout.rested` is emitted."""
SAMPLE_ROWS = 60
"""Approximate number of rows that are measured for the typical height."""
DEFAULT_HEIGHT = 44
"""Height of a row in pixels if there are no rows to measure."""


class CardTable(QTableView):
    card: ActiveCard
    delegate: SegmentDelegate


class RowHeights:
    """Sets the heights of a table's rows; the card determines the height of the current row."""

    def __init__(self, table: CardTable, model: SegmentModel) -> None:
        self.measured: set[int] = set()  # rows whose heights are up to date
        self._table = table
        self._model = model

    def measure(self, row: int) -> int:
        """Set the height of a row that is current or not yet measured; returns its change in pixels."""
        table, segment = self._table, self._model.segment(row)
        current = segment is not None and segment.id == table.delegate.edited_id
        if segment is None or (row in self.measured and not current):
            return 0
        if current:
            height = table.card.arrange(self._card_columns()) + 2 * GAP
        else:
            height = table.delegate.row_height(segment, *self._widths())
        height += self.band_height(row)
        old = table.rowHeight(row)
        self.measured.add(row)
        if height != old:
            table.verticalHeader().resizeSection(row, height)
        return height - old

    def band_height(self, row: int) -> int:
        return BAND if self._model.document_at(row) else 0

    def typical_height(self) -> int:
        """The mean height of a sample of rows, as an estimate for rows that are out of view."""
        rows = range(0, self._model.rowCount(), max(self._model.rowCount() // SAMPLE_ROWS, 1))
        segments = (self._model.segment(row) for row in rows)
        heights = [self._table.delegate.row_height(each, *self._widths()) for each in segments if each]
        return sum(heights) // len(heights) if heights else DEFAULT_HEIGHT

    def _widths(self) -> tuple[int, int]:
        return self._table.columnWidth(Column.SOURCE), self._table.columnWidth(Column.TARGET)

    def _card_columns(self) -> CardColumns:
        table = self._table
        starts = map(table.columnViewportPosition, (Column.SOURCE, Column.TARGET))
        source, target = zip(starts, self._widths(), strict=True)
        return CardColumns(table.viewport().width(), table.columnWidth(Column.NUMBER), source, target)


class TableLayout(QObject):
    """Measures rows when they come into view, and keeps the card in position while rows around it change."""

    rested = Signal()

    def __init__(self, table: CardTable, heights: RowHeights) -> None:
        super().__init__(table)
        self._table = table
        self._heights = heights
        self._measuring = False
        self._anchored = False
        self._settle = QTimer(self, singleShot=True, interval=0)
        self._settle.timeout.connect(self._settle_down)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self.rested)

    def follow(self, editor: SegmentEditor) -> None:
        """From now on, adjust the current row to the editor's text, and keep the caret in view."""
        editor.typed.connect(self._follow_typing)
        editor.caret_moved.connect(self._follow_caret)
        editor.key_struck.connect(self._follow_key)
        editor.ghost_changed.connect(self._follow_ghost)

    def unanchor(self) -> None:
        """Stop keeping the card in position, because the user scrolls."""
        self._anchored = False

    def forget_heights(self) -> None:
        self._heights.measured.clear()
        self._settle.start()

    def settle_soon(self) -> None:
        self._settle.start()

    def measure_visible(self) -> None:
        table = self._table
        count = table.model().rowCount()
        if self._measuring or not count:
            return
        self._measuring = True
        top = max(table.rowAt(0), 0)
        row, bottom = top, table.viewport().height()
        y = table.rowViewportPosition(top)
        shift = 0
        while row < count and y < bottom:
            grown = self._heights.measure(row)
            if row == top and y < 0 and row < table.currentIndex().row():
                # This row begins above the view, so its growth would move the rows below it.
                shift = grown
            y += table.rowHeight(row)
            row += 1
        self._measuring = False
        if shift:
            table.verticalScrollBar().setValue(table.verticalScrollBar().value() + shift)
        self.place_card()
        self._rest.start()

    def reveal(self, row: int) -> None:
        """Scroll a row to the card's position, repeatedly, because it moves when other rows are measured."""
        table = self._table
        self._anchored = True
        self._heights.measure(row)
        for _ in range(REVEAL_ATTEMPTS):
            table.updateGeometries()
            top = self._top_of(row)
            table.verticalScrollBar().setValue(table.verticalHeader().sectionPosition(row) - top)
            self.measure_visible()
            if table.rowViewportPosition(row) == top:
                return

    def _top_of(self, row: int) -> int:
        """The position at which the view shows the whole current row, or at least the caret."""
        table = self._table
        room, height = table.viewport().height(), table.rowHeight(row)
        if height <= room:
            return min(round(room * CARD_TOP), room - height, table.verticalHeader().sectionPosition(row))
        above, below = self._caret_in_row(row)
        margin = min(CARET_ROOM, room // 4)
        top = min(max(table.rowViewportPosition(row), margin - above), room - margin - below)
        return min(max(top, room - height), 0)

    def _caret_in_row(self, row: int) -> tuple[int, int]:
        card = self._heights.band_height(row) + GAP
        above, below = self._table.card.caret_edges()
        return card + above, card + below

    def place_card(self) -> None:
        table, index = self._table, self._table.currentIndex()
        if not index.isValid():
            return
        rect = table.visualRect(table.model().index(index.row(), Column.TARGET))
        top = rect.top() + self._heights.band_height(index.row()) + GAP
        wanted = QRect(SIDE, top, table.viewport().width() - 2 * SIDE, rect.bottom() + 1 - GAP - top)
        if table.card.geometry() != wanted:
            table.card.setGeometry(wanted)

    def _settle_down(self) -> None:
        self.measure_visible()
        if self._anchored and self._table.currentIndex().isValid():
            self.reveal(self._table.currentIndex().row())
            self._settle.stop()

    def _follow_typing(self) -> None:
        """Resize the current row before the typed text is painted."""
        row = self._table.currentIndex().row()
        if self._heights.measure(row) and self._anchored:
            self.reveal(row)
        else:
            self.place_card()
        self._follow_key()

    def _follow_ghost(self) -> None:
        if self._heights.measure(self._table.currentIndex().row()):
            self._settle.start()

    def _follow_key(self) -> None:
        row = self._table.currentIndex().row()
        above, below = self._caret_in_row(row)
        top = self._table.rowViewportPosition(row)
        if top + above < 0 or top + below > self._table.viewport().height():
            self.reveal(row)

    def _follow_caret(self) -> None:
        if self._anchored:
            self._follow_key()
