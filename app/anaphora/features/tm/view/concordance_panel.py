"""The concordance: earlier uses of words, source and target side by side."""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QIcon, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from anaphora.core.edits import ChangeSet
from anaphora.core.search import Concordance, FoundSegment, Spans, find_occurrences
from anaphora.core.structure import ELLIPSIS, MAX_LISTED, shortened
from anaphora.editor.appearance.theme import Theme, language_name, pixmap, state_icon
from anaphora.editor.widgets.filter_chips import InputGuard, SearchLine
from anaphora.editor.widgets.html_table import html_list, set_html
from anaphora.editor.widgets.rail import NumberOf, Panel, top_items
from anaphora.editor.widgets.sentence import plain_label
from anaphora.features.tm.memories import SHARED
from anaphora.features.tm.memory_concordance import MemoryConcordance, MemoryHit
from anaphora.project.document.session import DocumentSession

NUMBER, SOURCE, TARGET = range(3)
NOTHING = MemoryConcordance(0, ())
SEGMENT_ROLE = Qt.ItemDataRole.UserRole + 1


def mark_spans(text: str, spans: Spans, colour: str) -> str:
    """A text as HTML with highlighted spans; a long text is cut to the part around the first span."""
    if len(text) > MAX_LISTED:
        offset = max(spans[0][0] - MAX_LISTED // 10, 0) if spans else 0
        text = ELLIPSIS * (offset > 0) + shortened(text[offset:])
        offset -= offset > 0
        spans = tuple((start - offset, stop - offset) for start, stop in spans if stop - offset <= MAX_LISTED)
    parts, end = [], 0
    for start, stop in spans:
        parts.append(html.escape(text[end:start]))
        parts.append(f'<span style="background-color:{colour}">{html.escape(text[start:stop])}</span>')
        end = stop
    return "".join((*parts, html.escape(text[end:])))


class ConcordancePanel(Panel):
    """Searches translated segments and the memories as the user types.

    Signals:
        segment_requested: id of the segment to go to.
        search_requested: words to look up in the translation memories.
    """

    segment_requested = Signal(str)
    left = Signal()
    search_requested = Signal(str)

    def __init__(self, theme: Theme, number_of: NumberOf) -> None:
        super().__init__()
        self._theme = theme
        self._number_of = number_of
        self._session: DocumentSession | None = None
        self._found = Concordance(0, ())
        self._memory = NOTHING
        self.needle = SearchLine(self.tr("Words in source or translation"))
        self.needle.installEventFilter(self)
        # The filter installed last runs first. This one gives Esc to the input method.
        InputGuard(self.needle)
        self._count = plain_label()
        self._count.setProperty("role", "muted")
        self.list = self._make_list()
        self.list.installEventFilter(self)
        self._pause = QTimer(self, singleShot=True, interval=120)
        self._pause.timeout.connect(self.search)
        self.needle.textChanged.connect(lambda _: self._pause.start())
        theme.changed.connect(self._fill)
        top = QHBoxLayout()
        top.setContentsMargins(12, 8, 12, 8)
        top.setSpacing(12)
        top.addWidget(self.needle, 1)
        top.addWidget(self._count)
        self.box.addLayout(top)
        self.box.addWidget(self.list, 1)
        self._placeholder = QWidget()
        self.box.addWidget(self._placeholder, 1)

    def open(self, session: DocumentSession | None) -> None:
        self._session = session
        if session is not None:
            session.applied.connect(self._follow)
        self._name_columns()
        self.needle.clear()
        self.search()

    def _name_columns(self) -> None:
        if self._session is not None:
            languages = self._session.pair
            sides = language_name(languages.source), language_name(languages.target)
            self.list.setHeaderLabels([self.tr("No."), *sides])

    def look_up(self, text: str) -> None:
        """Search for a text, or for the text already in the search line if `text` is empty."""
        if text:
            self.needle.setText(text)
        self.needle.setFocus()
        self.needle.selectAll()
        self.search()

    def search(self) -> None:
        self._pause.stop()
        segments = self._session.document if self._session is not None else ()
        self._found = find_occurrences(segments, self.needle.text())
        self._memory = NOTHING
        self._fill()
        if self._session is not None and self.needle.text().strip():
            self.search_requested.emit(self.needle.text())

    def show_memory(self, text: str, found: MemoryConcordance) -> None:
        if text == self.needle.text():
            self._memory = found
            self._fill()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.left.emit()
                return True
            is_entering = event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if watched is self.needle and is_entering:
                self._enter_list()
                return True
        return super().eventFilter(watched, event)

    def _enter_list(self) -> None:
        if self._pause.isActive():
            self.search()
        if items := top_items(self.list):
            self.list.setCurrentItem(items[0])
            self.list.setFocus()

    def _make_list(self) -> QTreeWidget:
        columns = ("", "", "")  # see `_name_columns`
        result = html_list(self._theme, self.tr("Matches"), columns, 80, QHeaderView.ResizeMode.Fixed)
        result.setVerticalScrollMode(QTreeWidget.ScrollMode.ScrollPerPixel)
        result.itemClicked.connect(self._request)
        result.itemActivated.connect(self._request)
        return result

    def _fill(self) -> None:
        self.list.clear()
        self.list.addTopLevelItems([self._item(occurrence) for occurrence in self._found.occurrences])
        self.list.addTopLevelItems([self._memory_item(hit) for hit in self._memory.hits])
        has_needle = bool(self.needle.text().strip())
        self._count.setText(self._count_text() if has_needle else "")
        # An empty label would still take up space, and an empty list would show blank rows.
        self._count.setVisible(has_needle)
        self.list.setVisible(bool(self.list.topLevelItemCount()))
        self._placeholder.setVisible(self.list.isHidden())

    def _count_text(self) -> str:
        shown, total = len(self._found.occurrences), self._found.total
        parts = []
        if shown < total:
            parts.append(self.tr("the first {0} of {1} segments").format(shown, total))
        elif total or not self._memory.total:
            many, nothing = self.tr("{0} segments"), self.tr("No translated segment contains these words")
            single = self.tr("1 segment")
            parts.append((single if total == 1 else many.format(total)) if total else nothing)
        memory = self._memory
        if memory.total:
            text = self.tr("{0} in translation memories")
            if memory.total > len(memory.hits):
                text = self.tr("the first {0} in translation memories")
            parts.append(text.format(len(memory.hits)))
        return " · ".join(parts)

    def _memory_item(self, hit: MemoryHit) -> QTreeWidgetItem:
        unit, colours = hit.unit, self._theme.colours
        item = QTreeWidgetItem(["TM", "", ""])
        item.setForeground(NUMBER, QColor(colours.accent))
        shared, own = self.tr("shared translation memory"), self.tr("project's translation memory")
        place = shared if hit.memory == SHARED else own
        about = " · ".join(part for part in (unit.origin, place, unit.author) if part)
        muted = f'<br><span style="color:{colours.muted}">{html.escape(about)}</span>'
        set_html(item, SOURCE, unit.source, mark_spans(unit.source, hit.source_spans, colours.match) + muted)
        set_html(item, TARGET, unit.target, mark_spans(unit.target, hit.target_spans, colours.match))
        return item

    def _follow(self, changes: ChangeSet) -> None:
        changed = set(changes.segments)
        for item in top_items(self.list):
            if self._session is None or item.data(NUMBER, SEGMENT_ROLE) not in changed:
                continue
            segment = self._session.document.get(item.data(NUMBER, SEGMENT_ROLE))
            found = find_occurrences((segment,), self.needle.text()).occurrences
            self._show(item, found[0] if found else FoundSegment(segment, (), ()))

    def _item(self, occurrence: FoundSegment) -> QTreeWidgetItem:
        segment = occurrence.segment
        item = QTreeWidgetItem([str(self._number_of(segment.id)), "", ""])
        item.setData(NUMBER, SEGMENT_ROLE, segment.id)
        item.setForeground(NUMBER, QColor(self._theme.colours.muted))
        self._show(item, occurrence)
        return item

    def _show(self, item: QTreeWidgetItem, occurrence: FoundSegment) -> None:
        segment, colours = occurrence.segment, self._theme.colours
        colour = colours.status(segment.status).name()
        item.setIcon(NUMBER, QIcon(pixmap(state_icon(segment.state), colour, 14)))
        for column, text, spans in (
            (SOURCE, segment.source, occurrence.source_spans),
            (TARGET, segment.target, occurrence.target_spans),
        ):
            set_html(item, column, text, mark_spans(text, spans, colours.match), dict(segment.tags))

    def _request(self, item: QTreeWidgetItem) -> None:
        if segment_id := item.data(NUMBER, SEGMENT_ROLE):
            self.segment_requested.emit(segment_id)
