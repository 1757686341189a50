"""Pre-translation: finds a match or a term for each segment that has not been edited."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from anaphora.core.document import Document
from anaphora.core.draft_report import DraftReport
from anaphora.core.drafts import is_written
from anaphora.core.language_pair import LanguagePair
from anaphora.core.long_work import LongWork, Step
from anaphora.core.matching import EXACT
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.term_entries import TermEntry
from anaphora.features.terms.service import TermService
from anaphora.features.tm.memories import Memories, TranslationMemories
from anaphora.project.document.session import DocumentSession
from anaphora.project.store.units.confirmed import query_of
from anaphora.system.background import BackgroundTasks

_OPEN = (Status.NOT_STARTED, Status.DRAFT)


@dataclass(frozen=True, slots=True)
class Found:
    """A text to fill into a segment.

    Attributes:
        before: the segment's state when it was looked up.
        text: the translation, adapted to the segment if possible.
        percent: see `Match`; 100 for a term.
        is_term: True if the whole source is a term.
    """

    segment: str
    before: SegmentState
    text: str
    percent: int
    is_term: bool = False

    @property
    def report(self) -> DraftReport | None:
        return None if self.is_term else DraftReport(match=self.percent)


class PretranslationService(QObject):
    """Looks up all segments that are empty or drafts; does not change the document.

    Signals:
        progressed: progress in per mille.
        found: tuple of Found, in document order.
        failed: the exception.
    """

    progressed = Signal(int)
    found = Signal(object)
    failed = Signal(object)

    def __init__(
        self, memory: TranslationMemories, terms: TermService, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._memory = memory
        self._terms = terms
        self._tasks = BackgroundTasks(self, threads=1)
        self._work = LongWork()
        memory.closing.connect(self.cancel)
        memory.add_tasks(self._tasks)

    def ask(self, session: DocumentSession) -> bool:
        """Look up the segments; emits `found` or `failed`. Returns False if no memory is open."""
        self.cancel()
        memories = self._memory.memories
        if memories is None:
            return False
        self._work = work = LongWork(self.progressed.emit)
        segments, terms, pair = list(session.document), _translations(self._terms), session.pair

        def search() -> tuple[Found, ...]:
            return tuple(_look_up(segments, pair, memories, terms, work.step))

        def receive(found: tuple[Found, ...]) -> None:
            if not work.is_cancelled:
                self.found.emit(found)

        def fail(error: Exception) -> None:
            if not work.is_cancelled:
                self.failed.emit(error)

        self._tasks.start(search, receive, fail)
        return True

    def cancel(self) -> None:
        self._work.cancel()


def is_open(segment: Segment) -> bool:
    """True if a segment has not been edited: it is empty or a draft."""
    return segment.status in _OPEN and not is_written(segment)


def _translations(service: TermService) -> dict[str, str]:
    """The first translation of each term; the project's term base takes precedence."""
    terms = service.terms
    entries: list[TermEntry] = (
        [] if terms is None else [each for some in terms.entries.values() for each in some]
    )
    return {entry.source: entry.allowed[0] for entry in reversed(entries) if entry.allowed}


def _look_up(
    segments: Sequence[Segment], pair: LanguagePair, memories: Memories, terms: Mapping[str, str], step: Step
) -> Iterator[Found]:
    document = Document("", segments)
    rows = [row for row, segment in enumerate(segments) if is_open(segment) and segment.source.strip()]
    for number, row in enumerate(rows):
        step(number / len(rows))
        segment = segments[row]
        found = memories.find(query_of(document, row, pair))
        own = (each for each in found if not memories.has_other_context(each, document, segment.id))
        match = next(own, None)
        term = terms.get(segment.source.strip(), "")
        if term and (match is None or match.percent < EXACT):
            yield Found(segment.id, segment.state, term, EXACT, is_term=True)
        elif match is not None:
            yield Found(segment.id, segment.state, match.target, match.percent)
