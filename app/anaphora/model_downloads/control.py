"""Cancelling from another thread, and what is told meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from anaphora_nmt.errors import Cancelled


class Stage(Enum):
    """What goes on."""

    ASKING = auto()
    DOWNLOADING = auto()
    UNPACKING = auto()
    INSTALLING = auto()


@dataclass(frozen=True, slots=True)
class Step:
    """How far a download is.

    Attributes:
        done, total: bytes.
        seconds_left: until it is complete; None: not known.
    """

    stage: Stage
    done: int = 0
    total: int = 0
    seconds_left: float | None = None


Report = Callable[[Step], None]


class Control:
    """Says to a download, from another thread, to give up."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        self._cancelled.set()

    def check(self) -> None:
        """Raises Cancelled where it is to give up."""
        if self._cancelled.is_set():
            raise Cancelled
