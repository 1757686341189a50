"""How long the drafts that are still waiting will take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from statistics import median

FIXED = 8
"""A draft takes so many characters' time for itself, however short its source is."""
ENOUGH = 8
"""Drafts before a time is told."""
OUTLIER = 3.0
"""A draft that took so many times as long as usual counts as no more: the machine did something else."""
RECENT = 200
"""Drafts by which the usual is told."""
STEP = 1.02
"""The most that one draft changes the time for a character that is told."""


class WaitingDrafts:
    """The segments whose first draft is on its way, and how much work that is."""

    def __init__(self) -> None:
        self._work: dict[str, int] = {}
        self._total = 0

    def add(self, segments: Iterable[tuple[str, str]]) -> None:
        """Wait for segments, given with their sources."""
        for segment, source in segments:
            self.discard(segment)
            self._work[segment] = work_of(source)
            self._total += work_of(source)

    def discard(self, segment: str) -> None:
        """Wait for a segment no longer."""
        self._total -= self._work.pop(segment, 0)

    def clear(self) -> None:
        """Wait for none."""
        self._work.clear()
        self._total = 0

    def __contains__(self, segment: str) -> bool:
        return segment in self._work

    def __iter__(self) -> Iterator[str]:
        return iter(self._work)

    def __len__(self) -> int:
        return len(self._work)

    @property
    def work(self) -> int:
        """All of it, in characters; see `work_of`."""
        return self._total


def work_of(source: str) -> int:
    """The characters of a source, and what each draft takes beside them."""
    return len(source) + FIXED


class DraftingPace:
    """Seconds a character, from the drafts that were made.

    A mean in which drafts that took much longer than usual are cut to a multiple of the median, so that
    headings in front of long paragraphs, or a machine that was busy for a moment, do not change what is
    told.
    """

    def __init__(self) -> None:
        self._recent: list[float] = []
        self._work = 0
        self._seconds = 0.0
        self._told = 0.0
        self._count = 0

    def add(self, source: str, seconds: float) -> None:
        """Count one draft."""
        work = work_of(source)
        self._count += 1
        self._recent = [*self._recent[1 - RECENT :], seconds / work]
        usual = median(self._recent)
        self._work += work
        self._seconds += min(seconds, OUTLIER * usual * work)
        estimate = self._seconds / self._work
        if self._count > ENOUGH:
            estimate = min(max(estimate, self._told / STEP), self._told * STEP)
        self._told = estimate

    def seconds_left(self, work: int) -> float | None:
        """How long so much work will take; None while too little is known, or nothing waits."""
        return work * self._told if work and self._count >= ENOUGH else None
