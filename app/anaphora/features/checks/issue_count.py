"""The number of segments with issues; the number may change while checks run."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.features.checks.checking import CheckingService


class IssueCount:
    """Counts the segments with issues among `segment_ids`; `changed` signals that `number` may differ."""

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
