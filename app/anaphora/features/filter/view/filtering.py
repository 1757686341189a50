"""The header strip with search and filters, and their effect on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from PySide6.QtCore import QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QSizePolicy, QWidget

from anaphora.core.search import SearchQuery, searched_texts
from anaphora.core.segment import Segment, Status
from anaphora.editor.feature import Desk
from anaphora.editor.table.segment_model import Role
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.filter_chips import STATES, FilterChips, SearchLine, Shown
from anaphora.editor.widgets.sentence import plain_label
from anaphora.features.checks.checking import CheckingService
from anaphora.features.drafting.changed_drafts import ChangedDrafts
from anaphora.features.quality.confidence import ConfidenceService
from anaphora.project.document.progress import DONE, DocumentProgress

TYPING_PAUSE_MS = 200
"""Pause in milliseconds between typing in the text field and the filtering."""
LEFT, RIGHT, SPACING = 14, 10, 4
FIELD_GAP = 6
"""Space between the chips and the text field, in pixels."""
MIN_FIELD_WIDTH, MAX_FIELD_WIDTH = 70, 220
"""Minimum and maximum width of the text field, in pixels."""


class _Filters(QComboBox):
    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        event.ignore()


class HeaderStrip(QFrame):
    """Progress, filter chips and a field to filter by text, from left to right.

    Signals:
        filter_changed: (Shown, text that the segments must contain).
        left: the user leaves the text field for the table.
    """

    filter_changed = Signal(object, str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("headerStrip")
        self.progress = plain_label()
        self.chips = FilterChips()
        self.chips.picked.connect(self._announce)
        self.chips.counted.connect(self._fit)
        self.list = _Filters(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.list.setAccessibleName(self.tr("Filter"))
        self.list.activated.connect(lambda index: self.chips.setCurrentIndex(self.list.itemData(index)))
        self.needle = SearchLine(self.tr("Filter by text"))
        self.needle.setPlaceholderText(self.tr("Filter"))
        self.needle.setMinimumWidth(MIN_FIELD_WIDTH)
        self.needle.setMaximumWidth(MAX_FIELD_WIDTH)
        # The field takes the width that the chips leave.
        self.needle.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._announce)
        self.needle.textChanged.connect(lambda _: self._typing.start())
        self._lay_out()

    def choose(self, shown: Shown, text: str = "") -> None:
        self.chips.choose(shown)
        self.needle.setText(text)
        self._typing.stop()

    def show_progress(self, confirmed: int, segments: int) -> None:
        numbers = map(QLocale().toString, (confirmed, segments))
        self.progress.setText(self.tr("{0} of {1} confirmed").format(*numbers) if segments else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        leaving_keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down, Qt.Key.Key_Escape)
        if not self.needle.hasFocus() or event.key() not in leaving_keys:
            super().keyPressEvent(event)
            return
        if event.key() == Qt.Key.Key_Escape:
            self.choose(Shown.ALL)
        self._announce()
        self.left.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        edges = LEFT + RIGHT + FIELD_GAP + 4 * SPACING + MIN_FIELD_WIDTH
        wanted = self.progress.sizeHint().width() + self.chips.sizeHint().width() + edges
        has_room = wanted <= self.width()
        self.chips.setVisible(has_room)
        self.list.setVisible(not has_room)
        if not has_room and not self.list.view().isVisible():
            self.list.clear()
            for index in filter(self.chips.isTabVisible, range(self.chips.count())):
                self.list.addItem(self.chips.tabText(index), index)
            self.list.setCurrentIndex(self.list.findData(self.chips.currentIndex()))

    def _announce(self) -> None:
        self._typing.stop()
        self.filter_changed.emit(self.chips.chosen, self.needle.text().strip())

    def _lay_out(self) -> None:
        box = QHBoxLayout(self)
        box.setContentsMargins(LEFT, 6, RIGHT, 8)
        box.setSpacing(SPACING)
        box.addWidget(self.progress)
        box.addStretch(1)
        box.addWidget(self.chips)
        box.addWidget(self.list)
        box.addSpacing(FIELD_GAP)
        box.addWidget(self.needle, 1)


REFRESH_MS = 120
"""Pause in milliseconds between a change and the update of the counts on the chips."""


class FilterController(Announcer):
    """Filters the table, and counts each filter's segments. Rows stay until the filter is applied again, so
    that a segment does not vanish at once if it is confirmed while only unconfirmed ones are shown."""

    def __init__(
        self,
        desk: Desk,
        strip: HeaderStrip,
        changed: ChangedDrafts,
        confidence: ConfidenceService,
        checking: CheckingService,
    ) -> None:
        super().__init__(desk.window)
        self._project, self._table, self._model = desk.project, desk.table, desk.model
        table, model = desk.table, desk.model
        self._strip, self._changed, self._confidence, self._checking = strip, changed, confidence, checking
        self._counts: dict[Shown, int] = {}
        self._by_status: Counter[Status] = Counter()
        self._approved = 0
        self._progress, self._text = (0, 0), ""  # numbers of confirmed and of all segments; filter text
        self._refresh = QTimer(self, singleShot=True, interval=REFRESH_MS)
        self._refresh.timeout.connect(self._show_counts)
        checking.counted.connect(self._refresh.start)
        desk.project.comments.changed.connect(self._follow_marks)
        model.provide(Role.CHANGED, lambda key: changed.get(key) is not None)
        model.provide(Role.UNSURE, confidence.is_unsure)
        model.provide(Role.DOUBTFUL_WORDS, confidence.doubtful_words)
        for service in (changed, confidence):
            service.changed.connect(self._follow_marks)
        model.dataChanged.connect(lambda *_: self._refresh.start())
        model.unfiltered.connect(lambda: strip.choose(Shown.ALL))
        desk.project.progress.progressed.connect(self._follow_progress)
        strip.filter_changed.connect(self.show)
        strip.left.connect(table.setFocus)
        table.segment_missing.connect(lambda _: self.choose(Shown.ALL))

    def open(self) -> None:
        self._progress = 0, 0
        self._strip.choose(Shown.ALL)
        self._mark("")
        self._strip.show_progress(*self._progress)
        self._show_counts()

    def show(self, shown: Shown, text: str = "") -> None:
        """Show the filtered segments. If the current one is hidden, go to the next one shown or the first."""
        session = self._project.session
        if session is None:
            return
        current = self._table.current_segment
        start = session.document.row(current.id) if current is not None else 0
        has_state = self._condition(shown)
        if has_state is None and not text:
            numbers = None
        else:
            needle = text.casefold()
            numbers = [
                number
                for number, segment in enumerate(session.document)
                if (has_state is None or has_state(segment))
                and (not needle or any(needle in text.casefold() for text in searched_texts(segment)))
            ]
        self._mark(text)
        strip = self._strip
        focused = next(filter(QWidget.hasFocus, (strip.needle, strip.chips, strip.list)), None)
        self._model.set_filter(numbers)
        row = start if numbers is None else next((r for r, n in enumerate(numbers) if n >= start), 0)
        self._table.go_to_row(row)
        if focused is not None:
            focused.setFocus()
        self._show_counts()
        # The counts on the chips ignore the text, so the message counts the segments with the text.
        message = self.tr("Segments shown: {0}").format(QLocale().toString(len(numbers or ())))
        self.announced.emit(message if text and numbers else "")

    def _mark(self, text: str) -> None:
        """Highlight a new filter text in the table. If the text is the same, keep the find bar's marks."""
        if text != self._text:
            self._text = text
            self._table.mark_matches(SearchQuery(text) if text else None, is_lasting=True)

    def choose(self, shown: Shown) -> None:
        self._strip.choose(shown)
        self.show(shown)

    def go_to_changed(self) -> None:
        """Go to the next draft that has changed since it was seen; after the last one, go to the first."""
        session, current = self._project.session, self._table.current_segment
        if session is None:
            return
        rows = sorted(session.document.row(each) for each in self._changed.segment_ids)
        if not rows:
            self.announced.emit(self.tr("No drafts have changed since you saw them."))
            return
        current_row = session.document.row(current.id) if current is not None else -1
        row = next((each for each in rows if each > current_row), rows[0])
        if row == current_row:
            # The current draft has changed: show its changes.
            self._table.segment_shown.emit(session.document.at(row).id)
        self._table.go_to_segment(session.document.at(row).id)

    def _condition(self, shown: Shown) -> Callable[[Segment], bool] | None:
        """The condition of a filter; None if it shows all segments."""
        tests: dict[Shown, Callable[[Segment], bool]] = {
            Shown.UNCONFIRMED: lambda segment: segment.status not in DONE,
            Shown.CHANGED: lambda segment: self._changed.get(segment.id) is not None,
            Shown.ISSUES: lambda segment: self._checking.has_issue(segment.id),
            Shown.UNSURE: lambda segment: self._confidence.is_unsure(segment.id),
            Shown.PROPOSED: lambda segment: self._confidence.is_proposed(segment.id),
            Shown.UNAPPROVED: lambda each: each.status is Status.CONFIRMED and not each.state.approved,
            Shown.APPROVED: lambda segment: segment.state.approved,
            Shown.COMMENTED: lambda segment: self._project.comments.has(segment.id),
        }
        if (status := STATES.get(shown)) is not None:
            return lambda segment: segment.status is status
        return tests.get(shown)

    def _follow_marks(self, segment_ids: tuple[str, ...]) -> None:
        self._model.refresh(segment_ids)
        self._refresh.start()

    def _follow_progress(self, documents: dict[str, DocumentProgress]) -> None:
        counts = documents.values()
        confirmed = sum(each.confirmed for each in counts)
        self._approved = sum(each.approved for each in counts)
        self._by_status = sum((each.by_status for each in counts), Counter[Status]())
        self._progress = confirmed, sum(each.segments for each in counts)
        self._strip.show_progress(*self._progress)
        self._show_counts()

    def _show_counts(self) -> None:
        session = self._project.session
        total = len(session.document) if session is not None else 0
        counts = {
            Shown.ALL: total,
            Shown.UNCONFIRMED: self._progress[1] - self._progress[0],
            Shown.CHANGED: len(self._changed),
            Shown.ISSUES: self._checking.issue_count,
            Shown.UNSURE: len(self._confidence),
            Shown.PROPOSED: self._confidence.proposals,
            **{shown: self._by_status[status] for shown, status in STATES.items()},
            Shown.UNAPPROVED: self._by_status[Status.CONFIRMED] - self._approved,
            Shown.APPROVED: self._approved,
            Shown.COMMENTED: self._project.comments.count,
        }
        if counts != self._counts:  # called for each keystroke
            self._counts = counts
            self._strip.chips.show_counts(counts)
