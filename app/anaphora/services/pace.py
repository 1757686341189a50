"""How fast a translator confirms, and how long the rest will take."""

from __future__ import annotations

import time
from collections.abc import Callable

LONGEST_PAUSE = 180.0
"""Seconds between two confirmations of which no more count as work: the rest was a break."""
ENOUGH = 5
"""Confirmations before a pace is told: fewer say nothing."""


class PaceMeter:
    """Words confirmed by the hour of work in this session."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.start()

    def start(self) -> None:
        """Begin anew, for another document."""
        self._last = self._clock()
        self._worked = 0.0
        self._words = 0
        self._count = 0

    def add(self, words: int, segments: int = 1) -> None:
        """Count confirmations; taken back ones are negative."""
        now = self._clock()
        self._worked += min(now - self._last, LONGEST_PAUSE)
        self._last = now
        self._words += words
        self._count += segments

    @property
    def words_per_hour(self) -> float:
        """0 while too little is known."""
        if self._count < ENOUGH or self._worked <= 0 or self._words <= 0:
            return 0.0
        return self._words / self._worked * 3600

    def seconds_left(self, words: int) -> float | None:
        """How long so many words will take; None while too little is known."""
        pace = self.words_per_hour
        return words / pace * 3600 if pace else None
