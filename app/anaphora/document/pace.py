"""How fast a translator confirms, and how long the rest will take."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

ENOUGH = 5
"""Confirmations before a pace is told: fewer say nothing."""
RECENT = 60
"""Confirmations that the pace is taken from."""
USUAL = 3.6
"""Seconds a word of somebody who revises drafts, before anything is known: 1,000 words an hour."""
USUAL_WEIGHT = 120
"""Words of work for which what is expected counts."""
MOST_WEIGHT = 60
"""Words for which one confirmation counts at most: repetitions that went with it took no work."""
OUTLIER = 3.0
"""So many times as slow or as fast as usual counts as no more than that: a break, a look-up, a glance."""
SLOWER, FASTER = 1.04, 1 / 1.08
"""The most that one confirmation changes the pace that is told."""


@dataclass(frozen=True, slots=True)
class _Worked:
    words: int
    seconds: float

    @property
    def rate(self) -> float:
        """Seconds a word."""
        return self.seconds / self.words


class PaceMeter:
    """Words confirmed by the hour of work in this session.

    The estimate is a mean over the last confirmations in which outliers are clipped to a multiple of the
    median (winsorised), begun with a usual pace. What is told follows it by small steps, so that the time
    that is left does not jump because one sentence took long, or because somebody was away.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.start()

    def start(self) -> None:
        """Begin anew, for another document."""
        self._last = self._clock()
        self._carried = 0.0
        self._count = 0
        self._told = USUAL
        self._seen: deque[_Worked] = deque(maxlen=RECENT)

    def add(self, words: int, segments: int = 1) -> None:
        """Count confirmations. The time of those taken back (negative) counts for what is confirmed next."""
        now = self._clock()
        seconds, self._last = now - self._last, now
        if segments <= 0 or words <= 0:
            for _ in range(min(-segments, len(self._seen))):
                self._carried += self._seen.pop().seconds
            self._carried += seconds
            self._count = max(self._count + segments, 0)
            return
        self._seen.append(_Worked(words, seconds + self._carried))
        self._carried = 0.0
        was_told = self._count >= ENOUGH
        self._count += segments
        estimate = _mean_rate(self._seen)
        if was_told:
            estimate = min(max(estimate, self._told * FASTER), self._told * SLOWER)
        self._told = estimate

    @property
    def words_per_hour(self) -> float:
        """0 while too little is known."""
        return 3600 / self._told if self._count >= ENOUGH else 0.0

    def seconds_left(self, words: int) -> float | None:
        """How long so many words will take; None while too little is known."""
        return words * self._told if self._count >= ENOUGH else None


def _mean_rate(seen: Iterable[_Worked]) -> float:
    """Seconds a word: the mean of what was measured and of what is usual."""
    weighed = [(USUAL, USUAL_WEIGHT), *((each.rate, min(each.words, MOST_WEIGHT)) for each in seen)]
    median = _weighted_median(weighed)
    clipped = [(min(max(rate, median / OUTLIER), median * OUTLIER), weight) for rate, weight in weighed]
    return sum(rate * weight for rate, weight in clipped) / sum(weight for _, weight in clipped)


def _weighted_median(weighed: list[tuple[float, int]]) -> float:
    half = sum(weight for _, weight in weighed) / 2
    for rate, weight in sorted(weighed):
        half -= weight
        if half <= 0:
            return rate
    return USUAL
