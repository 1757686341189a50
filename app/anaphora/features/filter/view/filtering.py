"""Between the header strip and the table: which segments are shown, and how many each filter has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from PySide6.QtCore import QLocale, QTimer
from PySide6.QtWidgets import QWidget

from anaphora.core.search import SearchQuery, searched_texts
from anaphora.core.segment import Segment, Status
from anaphora.editor.desk import Desk
from anaphora.editor.table.segment_model import Role
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.filter_chips import STATES, Shown
from anaphora.features.checks.checking import CheckingService
from anaphora.features.drafting.changed_drafts import ChangedDrafts
from anaphora.features.filter.view.header_strip import HeaderStrip
from anaphora.features.quality.confidence import ConfidenceService
from anaphora.project.document.progress import DONE, DocumentProgress

REFRESH_MS = 120


class FilterController(Announcer):
    """Filters the table by the strip. Rows stay until another filter is chosen: a segment that
    is confirmed under "Unconfirmed" does not vanish under the translator's hands."""

    def __init__(
        self,
        desk: Desk,
        strip: HeaderStrip,
        changed: ChangedDrafts,
        confidence: ConfidenceService,
        checking: CheckingService,
    ) -> None:
        super().__init__(desk.window)
        self._controller, self._table, self._model = desk.project, desk.table, desk.model
        table, model = desk.table, desk.model
        self._strip, self._changed, self._confidence, self._checking = strip, changed, confidence, checking
        self._shown: dict[Shown, int] = {}
        self._by_status: Counter[Status] = Counter()
        self._work, self._text = (0, 0), ""
        self._refresh = QTimer(self, singleShot=True, interval=REFRESH_MS)
        self._refresh.timeout.connect(self._show_counts)
        checking.counted.connect(self._refresh.start)
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
        self._work = 0, 0
        self._strip.choose(Shown.ALL)
        self._mark("")
        self._strip.show_work(*self._work)
        self._show_counts()

    def show(self, shown: Shown, text: str = "") -> None:
        """Show the segments of a filter; the current one stays current, or the next one that is shown."""
        session = self._controller.session
        if session is None:
            return
        current = self._table.current_segment
        here = session.document.row(current.id) if current is not None else 0
        wanted = self._wanted(shown)
        if wanted is None and not text:
            numbers = None
        else:
            needle = text.casefold()
            numbers = [
                number
                for number, segment in enumerate(session.document)
                if (wanted is None or wanted(segment))
                and (not needle or any(needle in text.casefold() for text in searched_texts(segment)))
            ]
        self._mark(text)
        strip = self._strip
        focused = next(filter(QWidget.hasFocus, (strip.needle, strip.chips, strip.list)), None)
        self._model.set_filter(numbers)
        row = here if numbers is None else next((r for r, n in enumerate(numbers) if n >= here), 0)
        self._table.go_to_row(row)
        if focused is not None:
            focused.setFocus()
        self._show_counts()
        # The chips count without the text.
        said = self.tr("Segments shown: {0}").format(QLocale().toString(len(numbers or ())))
        self.announced.emit(said if text and numbers else "")

    def _mark(self, text: str) -> None:
        """Mark the filter's text where it stands; marks of the find bar stay as long as it is the same."""
        if text != self._text:
            self._text = text
            self._table.seek(SearchQuery(text) if text else None, stays=True)

    def choose(self, shown: Shown) -> None:
        self._strip.choose(shown)
        self.show(shown)

    def review_next(self) -> None:
        """Go to the next draft that has changed unseen, from the current segment on and round again."""
        session, current = self._controller.session, self._table.current_segment
        if session is None:
            return
        places = sorted(session.document.row(each) for each in self._changed.segments)
        if not places:
            self.announced.emit(self.tr("No drafts have changed since you last looked."))
            return
        here = session.document.row(current.id) if current is not None else -1
        place = next((each for each in places if each > here), places[0])
        if place == here:
            # It has changed while it was looked at: what differs is shown, as on a visit.
            self._table.segment_shown.emit(session.document.at(place).id)
        self._table.go_to_segment(session.document.at(place).id)

    def _wanted(self, shown: Shown) -> Callable[[Segment], bool] | None:
        """The segments of a filter; None for all."""
        tests: dict[Shown, Callable[[Segment], bool]] = {
            Shown.UNCONFIRMED: lambda segment: segment.status not in DONE,
            Shown.CHANGED: lambda segment: self._changed.get(segment.id) is not None,
            Shown.ISSUES: lambda segment: self._checking.has_issue(segment.id),
            Shown.UNSURE: lambda segment: self._confidence.is_unsure(segment.id),
            Shown.PROPOSED: lambda segment: self._confidence.is_proposed(segment.id),
        }
        if (status := STATES.get(shown)) is not None:
            return lambda segment: segment.status is status
        return tests.get(shown)

    def _follow_marks(self, segment_ids: tuple[str, ...]) -> None:
        self._model.refresh(segment_ids)
        self._refresh.start()

    def _follow_progress(self, documents: dict[str, DocumentProgress]) -> None:
        every = documents.values()
        confirmed = sum(each.confirmed for each in every)
        self._by_status = sum((each.by_status for each in every), Counter[Status]())
        self._work = confirmed, sum(each.segments for each in every)
        self._strip.show_work(*self._work)
        self._show_counts()

    def _show_counts(self) -> None:
        session = self._controller.session
        total = len(session.document) if session is not None else 0
        counts = {
            Shown.ALL: total,
            Shown.UNCONFIRMED: self._work[1] - self._work[0],
            Shown.CHANGED: len(self._changed),
            Shown.ISSUES: self._checking.issue_count,
            Shown.UNSURE: len(self._confidence),
            Shown.PROPOSED: self._confidence.proposals,
            **{shown: self._by_status[status] for shown, status in STATES.items()},
        }
        if counts != self._shown:  # asked for with each key
            self._shown = counts
            self._strip.chips.show_counts(counts)
