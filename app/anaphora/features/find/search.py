"""Searches the segments of a session in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Signal

from anaphora.core.edits import ChangeSet
from anaphora.core.search import SearchQuery, find, hits_only_in_proposals, replace
from anaphora.core.segment import Segment
from anaphora.project.document.session import DocumentSession
from anaphora.system.background import BackgroundTasks


class SearchService(QObject):
    """Finds the segments that match a query.

    Signals:
        found: (SearchQuery, ids of the matching segments in document order, ids of the segments that match
            only in a tentative draft).
        failed: (SearchQuery, exception).
    """

    found = Signal(object, object, object)
    failed = Signal(object, object)

    def __init__(self, tasks: BackgroundTasks) -> None:
        super().__init__()
        self._tasks = tasks

    def search(self, session: DocumentSession, query: SearchQuery) -> None:
        """Search all segments as they are now. Later emits `found` or `failed`."""
        segments = tuple(session.document)

        def work() -> tuple[tuple[str, ...], frozenset[str]]:
            hits = find(segments, query)
            matching = {*hits}
            return hits, hits_only_in_proposals((each for each in segments if each.id in matching), query)

        self._tasks.start(
            work, lambda found: self.found.emit(query, *found), lambda error: self.failed.emit(query, error)
        )

    def replace(
        self,
        segments: Iterable[Segment],
        query: SearchQuery,
        replacement: str,
        then: Callable[[ChangeSet], None],
    ) -> None:
        """Compute the changes of a replacement. Later calls `then` with them, or emits `failed`."""
        copied = tuple(segments)
        self._tasks.start(
            lambda: replace(copied, query, replacement), then, lambda error: self.failed.emit(query, error)
        )
