"""Plans merges and splits off the window's thread; `ResegmentCommand` carries them out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from anaphora.core.edits import Resegmentation
from anaphora.core.errors import AnaphoraError
from anaphora.core.project import DocumentInfo
from anaphora.core.segment import Segment, Status
from anaphora.resegmentation.plan import ResegmentationPlan, StoredFile, plan_merge, plan_split
from anaphora.services.background import BackgroundTasks
from anaphora.services.messages import describe_error
from anaphora.services.session import DocumentSession
from anaphora.store.project import ProjectStore


class ResegmentationService(QObject):
    """Follows a session and knows the segmentation overrides of each of its documents.

    Signals:
        planned: a ResegmentationPlan that fits the session.
        failed: why segments cannot be merged or split.
    """

    planned = Signal(object)
    failed = Signal(str)

    def __init__(self, tasks: BackgroundTasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._session: DocumentSession | None = None
        self._store: ProjectStore | None = None
        self._documents: dict[str, DocumentInfo] = {}
        self._overrides: dict[str, str] = {}
        self._busy = False

    def open(self, session: DocumentSession, store: ProjectStore, documents: Sequence[DocumentInfo]) -> None:
        """Follow a session; `documents` as its project holds them now."""
        self.close()
        self._session, self._store = session, store
        self._documents = {document.id: document for document in documents}
        self._overrides = {document.id: document.overrides for document in documents}
        session.resegmented.connect(self._follow)

    def close(self) -> None:
        """Stop following."""
        if self._session is not None:
            self._session.resegmented.disconnect(self._follow)
        self._session = self._store = None
        self._documents, self._overrides, self._busy = {}, {}, False

    def obstacle(self, segment: Segment) -> str:
        """Why a segment can be neither merged nor split; empty if nothing is known against it."""
        if not segment.block:
            return self.tr("The segments of this kind of file are fixed.")
        if segment.status is Status.LOCKED:
            return self.tr("A locked segment stays as it is.")
        return ""

    def merge(self, segment_id: str) -> None:
        """Merge a segment with the next one; `planned` or `failed` follows."""
        if self._session is None:
            return
        document = self._session.document
        row = document.row(segment_id)
        first = document.at(row)
        second = document.at(row + 1) if row + 1 < len(document) else None
        problem = self.obstacle(first)
        if not problem:
            if second is None or (first.document, first.block) != (second.document, second.block):
                problem = self.tr("This is the last segment of its paragraph: there is nothing to join.")
            else:
                problem = self.obstacle(second)
        if problem or second is None:
            self.failed.emit(problem)
        else:
            self._plan(first, partial(plan_merge, first=first.id, second=second.id))

    def split(self, segment_id: str, offset: int) -> None:
        """Split a segment at an offset of its source; `planned` or `failed` follows."""
        if self._session is None:
            return
        segment = self._session.document.get(segment_id)
        if problem := self.obstacle(segment):
            self.failed.emit(problem)
        else:
            self._plan(segment, partial(plan_split, segment_id=segment_id, offset=offset))

    def _plan(self, segment: Segment, work: Callable[[StoredFile], ResegmentationPlan]) -> None:
        store, document = self._store, self._documents.get(segment.document)
        if store is None or document is None or self._busy:
            return
        file = StoredFile(
            document.id,
            document.format,
            document.segmentation,
            self._overrides[document.id],
            document.encoding,
            partial(store.original, document.id),
        )
        session = self._session
        self._busy = True
        self._tasks.start(lambda: (session, work(file)), self._take, self._fail)

    def _take(self, found: tuple[DocumentSession, ResegmentationPlan]) -> None:
        session, plan = found
        if session is not self._session:
            return
        self._busy = False
        if self._overrides.get(plan.document) == plan.overrides_before:
            self.planned.emit(plan)

    def _fail(self, error: Exception) -> None:
        self._busy = False
        if isinstance(error, AnaphoraError):
            self.failed.emit(describe_error(error))
        else:
            self.failed.emit(f"{type(error).__name__}: {error}")

    def _follow(self, change: Resegmentation) -> None:
        self._overrides[change.document] = change.overrides
