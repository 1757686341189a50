"""How many segments have issues, for those who ask before the checks are done."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.checks.checking import CheckingService


class IssueCount:
    """Counts the issues of a document, or of a part of it; `changed` is emitted when it may be another."""

    def __init__(self, checking: CheckingService, segment_ids: Iterable[str] | None = None) -> None:
        self._checking = checking
        self._ids = None if segment_ids is None else tuple(segment_ids)
        self.changed = checking.counted

    @property
    def number(self) -> int:
        if self._ids is None:
            return self._checking.issue_count
        return sum(map(self._checking.has_issue, self._ids))

    @property
    def is_complete(self) -> bool:
        return self._checking.is_complete
