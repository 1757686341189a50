"""Estimates the time that the waiting drafts will take."""

from __future__ import annotations

from collections import deque
from statistics import median

FIXED = 8
"""Fixed cost of a draft, in characters of source."""
MIN_DRAFTS = 8
"""Minimum number of drafts for an estimate."""
RECENT = 200
"""Number of latest drafts used for the estimate."""


def work_of(source: str) -> int:
    """The cost of a draft, in characters."""
    return len(source) + FIXED


class DraftingPace:
    """Seconds per character: the median of the latest drafts, so that outliers do not matter."""

    def __init__(self) -> None:
        self._recent: deque[float] = deque(maxlen=RECENT)

    def add(self, source: str, seconds: float) -> None:
        self._recent.append(seconds / work_of(source))

    def seconds_left(self, work: int) -> float | None:
        """The seconds for `work` characters; None without work or after too few drafts."""
        return work * median(self._recent) if work and len(self._recent) >= MIN_DRAFTS else None
