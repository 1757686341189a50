"""How high the rows of the segment table are: what comes into view is measured, the rest is guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anaphora.views.editor.active_card import AIR, CardColumns
from anaphora.views.editor.segment_delegate import BAND
from anaphora.views.editor.segment_model import Column, SegmentModel

if TYPE_CHECKING:
    from anaphora.views.editor.segment_table import SegmentTable

SAMPLE_ROWS = 60
GUESS = 44
"""Pixels of a row while there is none to guess by."""


class RowHeights:
    """Sets the heights of a table's rows; the current one has the height of its card."""

    def __init__(self, table: SegmentTable, model: SegmentModel) -> None:
        self.measured: set[int] = set()
        self._table = table
        self._model = model

    def measure(self, row: int) -> int:
        """Set a row's height; returns by how much it grew."""
        table, segment = self._table, self._model.segment(row)
        current = segment is not None and segment.id == table.delegate.edited
        if segment is None or (row in self.measured and not current):
            return 0
        if current:
            height = table.card.arrange(self._card_columns()) + 2 * AIR
        else:
            height = table.delegate.row_height(segment, *self._widths())
        height += self.band(row)
        old = table.rowHeight(row)
        self.measured.add(row)
        if height != old:
            table.verticalHeader().resizeSection(row, height)
        return height - old

    def band(self, row: int) -> int:
        """The height of what a row shows above its segment: the name of a document that begins there."""
        return BAND if self._model.document_at(row) else 0

    def typical(self) -> int:
        """The mean height of some rows, spread over the document: a guess for those not yet seen."""
        rows = range(0, self._model.rowCount(), max(self._model.rowCount() // SAMPLE_ROWS, 1))
        segments = (self._model.segment(row) for row in rows)
        heights = [self._table.delegate.row_height(each, *self._widths()) for each in segments if each]
        return sum(heights) // len(heights) if heights else GUESS

    def _widths(self) -> tuple[int, int]:
        return self._table.columnWidth(Column.SOURCE), self._table.columnWidth(Column.TARGET)

    def _card_columns(self) -> CardColumns:
        table = self._table
        starts = map(table.columnViewportPosition, (Column.SOURCE, Column.TARGET))
        source, target = zip(starts, self._widths(), strict=True)
        return CardColumns(table.viewport().width(), table.columnWidth(Column.NUMBER), source, target)
