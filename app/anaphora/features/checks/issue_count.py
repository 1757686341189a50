"""The number of segments with issues, which may still change while checks run."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.features.checks.checking import CheckingService


class IssueCount:
    """Counts those of some segments that have issues; the signal `changed` announces a possible change."""

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
