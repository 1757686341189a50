"""The segment table: sources left, targets right, and the current segment as a card with the editor."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHeaderView, QTableView

from anaphora.core.language_pair import LanguagePair
from anaphora.core.search import SearchQuery
from anaphora.core.segment import Segment, Status
from anaphora.editor.appearance.theme import Theme, state_icon
from anaphora.editor.table.active_card import ActiveCard, CardState
from anaphora.editor.table.segment_delegate import SegmentDelegate
from anaphora.editor.table.segment_model import Column, Index, Role, SegmentModel
from anaphora.editor.table.table_layout import CARD_TOP, CardTable, RowHeights, TableLayout
from anaphora.editor.widgets.rail import note

MIN_SIZE = QSize(400, 156)
NUMBER_WIDTH = 58
NUMBER_PADDING = 24
STATUS_WIDTH = 42


class SegmentTable(CardTable):
    """Shows a SegmentModel. Only rows in view are laid out; other rows have an estimated height.

    When another segment becomes current, the table scrolls so that the card stays at the same height in the
    view. Therefore, the table can scroll beyond its last row.

    Signals:
        segment_shown: the id of the new current segment; "" if no segment is current.
        segment_missing: the id of a requested segment that the filter hides.
        seen: ids of the segments in view, emitted when the view has come to rest.
    """

    segment_shown = Signal(str)
    segment_missing = Signal(str)
    seen = Signal(object)

    def __init__(self, model: SegmentModel, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self.heights = RowHeights(self, model)
        self._layout = TableLayout(self, self.heights)
        self._layout.rested.connect(lambda: self.seen.emit(self.segments_in_view()))
        self._forwarding = False
        self._lasting_query: SearchQuery | None = None
        self.card = ActiveCard(theme, self.viewport())
        self.editor = self.card.editor
        self.card.hide()
        self.delegate = SegmentDelegate(theme, self.font(), self)
        self.empty_note = note(self._empty_text())
        # As a child of the viewport, the note would scroll.
        self.empty_note.setParent(self)
        self.empty_note.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.empty_note.hide()
        self.setObjectName("segments")
        # A panel layout that was saved on a larger screen must leave space for the card.
        self.setMinimumSize(MIN_SIZE)
        self.setAccessibleName(self.tr("Segments"))
        self.setModel(model)
        self.setItemDelegate(self.delegate)
        self.verticalScrollBar().actionTriggered.connect(lambda _: self._layout.unanchor())
        _set_up_rows(self)
        _set_up_headers(self)
        self.horizontalHeader().sectionResized.connect(lambda *_: self._layout.forget_heights())
        self.editor.page_requested.connect(self._turn_page)
        self._layout.follow(self.editor)
        self.setFocusProxy(self.editor)
        model.dataChanged.connect(self._update_rows)
        model.modelReset.connect(self._start_over)
        model.resegmented.connect(self._follow_resegmentation)
        theme.changed.connect(self._follow_theme)

    def set_text_font(self, font: QFont) -> None:
        self.setFont(font)
        self.delegate.set_font(font)
        self.card.set_text_font(font, self.delegate.latin_shift)
        self._fit_numbers()
        self._layout.forget_heights()

    def _follow_theme(self) -> None:
        """Set the font again, because a new style sheet resets it."""
        self.setFont(self.delegate.font)
        self.viewport().update()

    def _fit_numbers(self) -> None:
        font = QFont(self.font())
        font.setBold(True)
        largest = "8" * len(str(self._model.number(self._model.rowCount() - 1) + 1))
        width = NUMBER_PADDING + QFontMetrics(font).horizontalAdvance(largest)
        self.horizontalHeader().resizeSection(Column.NUMBER, max(width, NUMBER_WIDTH))

    def set_languages(self, languages: LanguagePair) -> None:
        self.delegate.set_languages(languages)
        self.card.set_languages(languages)
        self.card.set_text_font(self.font(), self.delegate.latin_shift)
        self._layout.forget_heights()

    def mark_matches(self, query: SearchQuery | None, is_lasting: bool = False) -> None:
        """Mark search matches in all rows. With `is_lasting`, later calls with None use this query."""
        self._lasting_query = query if is_lasting else self._lasting_query
        self.delegate.query = query = query or self._lasting_query
        for field in (self.card.source, self.editor):
            field.mark_matches(query)
        self.viewport().update()

    @property
    def current_segment(self) -> Segment | None:
        return self._model.segment(self.currentIndex().row())

    def selected_segments(self) -> list[Segment]:
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [segment for row in rows if (segment := self._model.segment(row)) is not None]

    def _select_to(self, row: int) -> None:
        ends = (self._model.index(each, 0) for each in sorted((self.currentIndex().row(), row)))
        flag = QItemSelectionModel.SelectionFlag
        self.selectionModel().select(QItemSelection(*ends), flag.ClearAndSelect | flag.Rows)

    def go_to_row(self, row: int) -> None:
        """Make a row current and visible, and focus its target; ignore an invalid row."""
        if 0 <= row < self._model.rowCount():
            if row == self.currentIndex().row():
                self._layout.reveal(row)
            self.setCurrentIndex(self._model.index(row, Column.TARGET))
            self.editor.setFocus()

    def go_to_segment(self, segment_id: str) -> None:
        """Make a segment current, or emit `segment_missing` if the filter hides it; ignore an unknown id."""
        if self._model.row_of(segment_id) < 0 and self._model.number_of(segment_id):
            self.segment_missing.emit(segment_id)
        self.go_to_row(self._model.row_of(segment_id))

    def go_to_change(self, segment_id: str, place: int) -> None:
        """Make a segment current and, unless `place` is -1, put the caret at this offset in its target."""
        self.go_to_segment(segment_id)
        if place >= 0 and segment_id == self.editor.segment_id:
            self.editor.put_caret(place)

    def step(self, by: int) -> None:
        """Go down by this number of rows, or up if it is negative, but not beyond the ends."""
        row = self.currentIndex().row() + by
        self.go_to_row(min(max(row, 0), self._model.rowCount() - 1))

    def next_row(self, wanted: Callable[[Segment], bool]) -> int:
        """The next row whose segment is `wanted` and not locked; -1 if none. The current row comes last."""
        count, current = self._model.rowCount(), self.currentIndex().row()
        for distance in range(1, count + 1):
            row = (current + distance) % count
            segment = self._model.segment(row)
            if segment is not None and segment.status is not Status.LOCKED and wanted(segment):
                return row
        return -1

    def go_to_next(self, wanted: Callable[[Segment], bool]) -> bool:
        row = self.next_row(wanted)
        if row >= 0:
            self.go_to_row(row)
        return row >= 0

    def _empty_text(self) -> str:
        return self.tr("No segments match this filter. Press Esc in the filter field to show all segments.")

    def segments_in_view(self) -> tuple[str, ...]:
        """Ids of the segments in view; the current segment comes first."""
        first, last = max(self.rowAt(0), 0), self.rowAt(self.viewport().height() - 1)
        last = self._model.rowCount() - 1 if last < 0 else last
        segments = [self._model.segment(row) for row in range(first, last + 1)]
        current = self.editor.segment_id
        return tuple(sorted((each.id for each in segments if each), key=lambda each: each != current))

    def currentChanged(self, current: Index, previous: Index) -> None:  # noqa: N802
        super().currentChanged(current, previous)
        if current.row() == previous.row() and current.isValid():
            return
        segment = self._model.segment(current.row())
        if segment is None:
            self._show_card(False)
            self.segment_shown.emit("")
            return
        self._layout.unanchor()
        self._show_segment(segment, current.row())
        self.heights.measure(previous.row())
        self._layout.reveal(current.row())
        self.card.announce()
        self.segment_shown.emit(segment.id)

    def _show_segment(self, segment: Segment, row: int) -> None:
        self.heights.measured.discard(self._model.row_of(self.delegate.edited_id))
        self.delegate.edited_id = segment.id
        self.card.show_segment(segment, self._model.number(row) + 1, self._state_of(segment, row))
        self._show_card(True)
        self._mark_words(row)

    def _show_state(self, segment: Segment, row: int) -> bool:
        return self.card.show_state(self._state_of(segment, row))

    def _state_of(self, segment: Segment, row: int) -> CardState:
        remarks = tuple(self._model.index(row, Column.STATUS).data(Role.WARNINGS) or ())
        unsure = self._model.is_unsure(segment.id)
        name, icon = self._model.state_name(segment), state_icon(segment.state)
        return CardState(segment.status, name, icon, remarks, unsure)

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:  # noqa: N802
        """Repaint changed rows, but not the current row under the card, unless a screen reader is running."""
        row = self.currentIndex().row()
        if first.row() == last.row() == row and not self.card.isHidden() and not QAccessible.isActive():
            return
        super().dataChanged(first, last, list(roles))

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802
        super().scrollContentsBy(dx, dy)
        self._layout.measure_visible()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        height = self.viewport().height()
        self.empty_note.setGeometry(0, round(height * CARD_TOP), self.viewport().width(), height // 4)
        self._layout.settle_soon()

    def updateGeometries(self) -> None:  # noqa: N802
        """Extend the scroll range until the last row can reach the card's position."""
        bar = self.verticalScrollBar()
        value = bar.value()
        # Qt first sets a smaller range; the table must not scroll into that range and back.
        bar.blockSignals(True)
        super().updateGeometries()
        height = self.viewport().height()
        bar.setRange(0, max(self.verticalHeader().length() - round(height * CARD_TOP), 0))
        bar.setValue(value)
        bar.blockSignals(False)
        self.verticalHeader().setOffset(bar.value())
        bar.setSingleStep(24)
        bar.update()
        self._layout.settle_soon()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        if self.card.covers(event.rect().translated(-self.card.pos())):
            return
        super().paintEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        self._layout.unanchor()
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        wanted = event.text().isprintable() and event.text()
        # An event that the editor ignores returns to the table and must not be sent again.
        if not wanted or self._forwarding or self.editor.hasFocus():
            super().keyPressEvent(event)
            return
        self._forwarding = True
        self.editor.setFocus()
        QApplication.sendEvent(self.editor, event)
        self._forwarding = False

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        index = self.indexAt(event.position().toPoint())
        segment = self._model.segment(index.row()) if index.isValid() else None
        if segment is None or segment.id == self.delegate.edited_id:
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self.currentIndex().isValid():
            self._select_to(index.row())
            return
        if event.button() is Qt.MouseButton.RightButton and self.selectionModel().isSelected(index):
            return
        offset = self.delegate.offset_at(self.visualRect(index), event.position(), index)
        # Qt would choose the row that is under the mouse after the table has scrolled.
        self.setCurrentIndex(index)
        self.editor.setFocus()
        if index.column() == Column.TARGET and segment.target:
            self.editor.put_caret(offset)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Do nothing, so that a movement during a click does not change the selection."""

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        handled = super().viewportEvent(event)
        if event.type() is QEvent.Type.LayoutRequest:
            self._layout.place_card()
        return handled

    def _turn_page(self, direction: int) -> None:
        edge = QPoint(1, self.viewport().height() - 1 if direction > 0 else 0)
        row = self.rowAt(edge.y())
        current = self.currentIndex().row()
        pages = max(abs(row - current), 1) if row >= 0 else self._model.rowCount()
        self.step(direction * pages)

    def _update_rows(self, first: QModelIndex, last: QModelIndex) -> None:
        is_settled = True
        for row in range(first.row(), last.row() + 1):
            segment = self._model.segment(row)
            if segment is not None and segment.id == self.editor.segment_id:
                before = self.editor.toPlainText()
                self.editor.sync(segment)
                is_same = not self._show_state(segment, row) and before == segment.target
                if before != segment.target:
                    self.card.announce_target(segment, before)
                self._mark_words(row)
                if is_same:
                    # The text was typed in the editor, so the row already has the right height.
                    continue
            self.heights.measured.discard(row)
            is_settled = False
        if not is_settled:
            self._layout.settle_soon()

    def _show_card(self, shown: bool) -> None:
        if not shown:
            # Otherwise, Qt would focus another widget now, and again each time that widget reappears.
            self.editor.clearFocus()
        self.card.setVisible(shown)
        if not shown:
            self.delegate.edited_id = ""

    def _follow_resegmentation(self, first: int, last: int) -> None:
        self.heights.measured.clear()
        row = self.currentIndex().row()
        segment = self._model.segment(row)
        if first <= row <= last and segment is not None:
            caret = self.editor.caret
            self._show_segment(segment, row)
            self.editor.put_caret(caret)
            self._layout.reveal(row)
            self.segment_shown.emit(segment.id)
        self._layout.settle_soon()

    def _mark_words(self, row: int) -> None:
        index = self._model.index(row, 0)
        roles = (Role.INCONSISTENT, Role.INFLUENCE, Role.DOUBTFUL_WORDS)
        self.editor.mark_words(*(tuple(index.data(role) or ()) for role in roles))

    def _start_over(self) -> None:
        self.heights.measured.clear()
        self._show_card(False)
        is_empty = self._model.is_filtered and not self._model.rowCount()
        self.empty_note.setVisible(is_empty)
        if is_empty:
            self.segment_shown.emit("")
        if self._model.rowCount():
            self._fit_numbers()
        if not self._model.is_filtered:
            self.verticalHeader().setDefaultSectionSize(self.heights.typical_height())
        self._layout.settle_soon()


def _set_up_rows(table: QTableView) -> None:
    table.setShowGrid(False)
    table.setCornerButtonEnabled(False)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    table.setAutoScroll(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)


def _set_up_headers(table: QTableView) -> None:
    across, down = table.horizontalHeader(), table.verticalHeader()
    down.hide()
    down.setMinimumSectionSize(24)
    down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    across.setHighlightSections(False)
    across.setSectionsClickable(False)
    across.setMinimumSectionSize(36)
    across.setStretchLastSection(False)
    for column, width in ((Column.NUMBER, NUMBER_WIDTH), (Column.STATUS, STATUS_WIDTH)):
        across.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        across.resizeSection(column, width)
    for column in (Column.SOURCE, Column.TARGET):
        across.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
    # The window shows the languages above the columns; screen readers get the headings from the model.
    across.hide()
