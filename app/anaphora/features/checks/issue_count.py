"""How many segments have issues, for those who ask before the checks are done."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.features.checks.checking import CheckingService


class IssueCount:
    """Counts the issues of a part of a project; `changed` is emitted when it may be another number."""

    def __init__(self, checking: CheckingService, segment_ids: Iterable[str]) -> None:
        self._checking = checking
        self._ids = tuple(segment_ids)
        self.changed = checking.counted

    @property
    def number(self) -> int:
        return sum(map(self._checking.has_issue, self._ids))

    @property
    def is_complete(self) -> bool:
        return self._checking.is_complete
