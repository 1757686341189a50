"""Cancelling from another thread, and what is told meanwhile."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from anaphora_nmt.errors import Cancelled

_SEEN_SECONDS = 8.0
_LEAST_SECONDS = 1.0


class Stage(Enum):
    """What goes on."""

    ASKING = auto()
    DOWNLOADING = auto()
    UNPACKING = auto()
    INSTALLING = auto()


@dataclass(frozen=True, slots=True)
class Step:
    """How far it is.

    Attributes:
        done, total: bytes; of the download, also while something else goes on.
        rate: bytes a second lately; 0 where that is not known yet.
    """

    stage: Stage
    done: int = 0
    total: int = 0
    rate: float = 0.0

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the download is complete; None where that is not known."""
        return (self.total - self.done) / self.rate if self.rate and self.total > self.done else None


Report = Callable[[Step], None]


class Control:
    """Says to a download, from another thread, to give up."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Give up."""
        self._cancelled.set()

    def check(self) -> None:
        """Raises Cancelled where it is to give up."""
        if self._cancelled.is_set():
            raise Cancelled


class Rate:
    """Bytes a second over the last seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int]] = deque()

    def add(self, done: int) -> float:
        """Bytes that are done by now; returns the rate, 0 while too little is known."""
        now = self._clock()
        self._seen.append((now, done))
        while len(self._seen) > 2 and now - self._seen[0][0] > _SEEN_SECONDS:
            self._seen.popleft()
        then, before = self._seen[0]
        seconds = now - then
        return max(done - before, 0) / seconds if seconds >= _LEAST_SECONDS else 0.0
