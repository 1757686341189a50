"""Where the card of the current segment stands in the view of its table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anaphora.views.editor.active_card import AIR
from anaphora.views.editor.row_heights import RowHeights

if TYPE_CHECKING:
    from anaphora.views.editor.segment_table import SegmentTable

CARD_TOP = 0.28
"""Where the card begins, as a share of the height: its middle then stands at about 40 %."""
CARET_ROOM = 40
"""Pixels above and below the caret that are in view once a card higher than the view was moved to it."""


class CardPlace:
    """Tells where the current row should begin in the view, in pixels from its upper edge."""

    def __init__(self, table: SegmentTable, heights: RowHeights) -> None:
        self._table = table
        self._heights = heights

    def top_of(self, row: int) -> int:
        """Where the row begins so that all of it is seen, or at least its caret."""
        table = self._table
        room, height = table.viewport().height(), table.rowHeight(row)
        if height <= room:
            return min(round(room * CARD_TOP), room - height)
        top = min(max(table.rowViewportPosition(row), room - height), 0)
        if self._shows_caret(top, row):
            return top
        above, below = self._caret_in_row(row)
        air = min(CARET_ROOM, room // 4)
        under = min(air + table.card.foot_height, room // 2)
        top = air - above if top + above < air else room - under - below
        return min(max(top, room - height), 0)

    def caret_is_seen(self) -> bool:
        """Whether the caret of the current row is in view as it stands."""
        row = self._table.currentIndex().row()
        return self._shows_caret(self._table.rowViewportPosition(row), row)

    def _shows_caret(self, begin: int, row: int) -> bool:
        """Whether the caret is in view if the current row begins there."""
        room, (above, below) = self._table.viewport().height(), self._caret_in_row(row)
        # A card that goes on below the view has its foot over its text, with some air.
        is_cut = begin + self._table.rowHeight(row) > room
        lower = self._table.card.foot_height + CARET_ROOM // 4 if is_cut else 0
        return begin + above >= 0 and begin + below <= room - lower

    def _caret_in_row(self, row: int) -> tuple[int, int]:
        """Upper and lower edge of the caret, counted from where its row begins."""
        card = self._heights.band(row) + AIR
        above, below = self._table.card.caret_line()
        return card + above, card + below
