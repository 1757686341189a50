"""Searching the segments of a session off the window's thread."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from anaphora.application.background import BackgroundTasks
from anaphora.core.search import SearchQuery, find
from anaphora.document.session import DocumentSession


class SearchService(QObject):
    """Finds the segments that match a query.

    Signals:
        found: (SearchQuery, ids of the segments that match, in document order).
        failed: (SearchQuery, the exception that says why it cannot be searched for).
    """

    found = Signal(object, object)
    failed = Signal(object, object)

    def __init__(self, tasks: BackgroundTasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks

    def search(self, session: DocumentSession, query: SearchQuery) -> None:
        """Search the segments as they are now; `found` or `failed` follows."""
        segments = tuple(session.document)
        self._tasks.start(
            lambda: find(segments, query),
            lambda hits: self.found.emit(query, hits),
            lambda error: self.failed.emit(query, error),
        )
