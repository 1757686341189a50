"""How long the drafts that are still waiting will take."""

from __future__ import annotations

from collections import deque
from statistics import median

FIXED = 8
"""Fixed time of a draft, in characters: even a short source takes it."""
ENOUGH = 8
"""Least number of drafts before a time is shown."""
RECENT = 200
"""Number of latest drafts from which the time is estimated."""


def work_of(source: str) -> int:
    """The characters of a source, and what each draft takes beside them."""
    return len(source) + FIXED


class DraftingPace:
    """Seconds a character: the median of the last drafts, so that a busy moment changes nothing."""

    def __init__(self) -> None:
        self._recent: deque[float] = deque(maxlen=RECENT)

    def add(self, source: str, seconds: float) -> None:
        self._recent.append(seconds / work_of(source))

    def seconds_left(self, work: int) -> float | None:
        """How long so much work will take; None while too little is known, or nothing waits."""
        return work * median(self._recent) if work and len(self._recent) >= ENOUGH else None
