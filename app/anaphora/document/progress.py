"""Progress of each document of the open project, counted in words and kept up to date."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, QTimer, Signal

from anaphora.application.background import BackgroundTasks
from anaphora.core.counting import count_words
from anaphora.core.edits import ChangeSet, Edit, Resegmentation
from anaphora.core.ids import document_id
from anaphora.core.segment import Segment, Status
from anaphora.document.following import SessionFollower
from anaphora.document.session import DocumentSession

DONE = (Status.CONFIRMED, Status.LOCKED)


@dataclass(slots=True)
class DocumentProgress:
    """Progress of a document.

    Attributes:
        words: characters and words of its source.
    """

    segments: int = 0
    confirmed: int = 0
    words: int = 0
    words_by_status: dict[Status, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def confirmed_share(self) -> float:
        """The share of the words that is confirmed, in [0, 1]."""
        return sum(self.words_by_status[status] for status in DONE) / self.words if self.words else 0.0


@dataclass(frozen=True, slots=True)
class _Counted:
    words: Mapping[str, int]
    documents: dict[str, DocumentProgress]


def count_progress(segments: Iterable[Segment]) -> _Counted:
    """Words by segment, and the progress by document."""
    words: dict[str, int] = {}
    documents: dict[str, DocumentProgress] = defaultdict(DocumentProgress)
    for segment in segments:
        count = words[segment.id] = count_words(segment.source).total
        progress = documents[segment.document]
        progress.segments += 1
        progress.confirmed += segment.status in DONE
        progress.words += count
        progress.words_by_status[segment.status] += count
    return _Counted(words, documents)


class ProgressService(SessionFollower):
    """Follows a session. Counting runs off the window's thread; changes are added up as they come.

    Signals:
        progressed: {document id: DocumentProgress}.
    """

    progressed = Signal(object)

    def __init__(self, tasks: BackgroundTasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._counted: _Counted | None = None
        self._pending_edits: list[Edit] = []
        self._announce = QTimer(self, singleShot=True, interval=150)
        self._announce.timeout.connect(self._emit)

    def open(self, session: DocumentSession) -> None:
        self.close()
        self._attach(session)
        self._count()

    def close(self) -> None:
        self._detach()
        self._counted = None
        self._pending_edits.clear()

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        self._counted = None
        self._pending_edits.clear()
        self._count()

    def _count(self) -> None:
        session = self._session
        if session is not None:
            segments = list(session.document)
            self._tasks.start(
                lambda: count_progress(segments), lambda counted: self._take(session, counted), self._fail
            )

    def _take(self, session: DocumentSession, counted: _Counted) -> None:
        if session is not self._session:
            return
        self._counted = counted
        for edit in self._pending_edits:
            self._add(edit)
        self._pending_edits.clear()
        self._emit()

    def _fail(self, error: Exception) -> None:
        raise error

    def _follow(self, changes: ChangeSet) -> None:
        if self._counted is None:
            self._pending_edits += changes.edits
            return
        for edit in changes.edits:
            self._add(edit)

    def _add(self, edit: Edit) -> None:
        was, now = edit.before.status, edit.after.status
        if self._counted is None or was is now:
            return
        self._announce.start()
        progress = self._counted.documents[document_id(edit.segment)]
        words = self._counted.words.get(edit.segment, 0)
        progress.confirmed += (now in DONE) - (was in DONE)
        progress.words_by_status[was] -= words
        progress.words_by_status[now] += words

    def _emit(self) -> None:
        if self._counted is not None:
            self.progressed.emit(self._counted.documents)
