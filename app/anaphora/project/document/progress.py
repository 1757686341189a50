"""The progress of each document of the open project, in words and segments."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, QTimer, Signal

from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.length_limits import count_words
from anaphora.core.segment import Segment, Status
from anaphora.project.document.following import SessionFollower
from anaphora.project.document.session import DocumentSession
from anaphora.system.background import BackgroundTasks

DONE = (Status.CONFIRMED, Status.LOCKED)


@dataclass(slots=True)
class DocumentProgress:
    """Progress of a document.

    Attributes:
        confirmed: the number of confirmed or locked segments.
        words: the number of words in the source; in scripts without spaces, each character counts as a word.
    """

    segments: int = 0
    confirmed: int = 0
    approved: int = 0
    words: int = 0
    words_by_status: Counter[Status] = field(default_factory=Counter)
    by_status: Counter[Status] = field(default_factory=Counter)

    @property
    def confirmed_share(self) -> float:
        """The share of words in confirmed or locked segments, in [0, 1]."""
        return sum(self.words_by_status[status] for status in DONE) / self.words if self.words else 0.0


def count_progress(segments: Iterable[Segment], words: dict[str, int]) -> dict[str, DocumentProgress]:
    """The progress by document id; `words` caches the numbers of words by source."""
    documents: dict[str, DocumentProgress] = defaultdict(DocumentProgress)
    for segment in segments:
        count = words.get(segment.source)
        if count is None:
            count = words[segment.source] = count_words(segment.source).total
        progress = documents[segment.document]
        progress.segments += 1
        progress.confirmed += segment.status in DONE
        progress.approved += segment.state.approved
        progress.words += count
        progress.words_by_status[segment.status] += count
        progress.by_status[segment.status] += 1
    return documents


class ProgressService(SessionFollower):
    """Counts the progress off the window's thread, soon after it has changed.

    Signals:
        progressed: {document id: DocumentProgress}.
    """

    progressed = Signal(object)

    def __init__(self, tasks: BackgroundTasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._words: dict[str, int] = {}
        self._is_counting = False
        self._count_timer = QTimer(self, singleShot=True, interval=150)
        self._count_timer.timeout.connect(self._count)

    def _attach(self, session: DocumentSession) -> None:
        super()._attach(session)
        self._count()

    def close(self) -> None:
        super().close()
        self._words = {}

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        self._count_timer.start()

    def _follow(self, changes: ChangeSet) -> None:
        edits = changes.edits
        has_news = any(edit.is_approval or edit.before.status is not edit.after.status for edit in edits)
        if has_news and not self._count_timer.isActive():
            self._count_timer.start()

    def _count(self) -> None:
        session, words = self._session, self._words
        if session is None:
            return
        if self._is_counting:
            self._count_timer.start()
            return
        self._is_counting = True
        segments = list(session.document)

        def receive(documents: dict[str, DocumentProgress]) -> None:
            self._is_counting = False
            if session is self._session:
                self.progressed.emit(documents)

        self._tasks.start(lambda: count_progress(segments, words), receive, self._fail)

    def _fail(self, error: Exception) -> None:
        self._is_counting = False
        raise error
