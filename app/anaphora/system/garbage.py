"""When Python searches for cyclic garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
_AT_ONCE = 10_000


def collect_due() -> None:
    """Search the generations that Python would search now if its collector were enabled.

    A window disables the collector, which runs in whichever thread allocates, and calls this in its own
    thread: a `QObject` that is freed in another thread than its own can crash the process.
    """
    counts, thresholds = gc.get_count(), gc.get_threshold()
    if due := [generation for generation in range(3) if counts[generation] > thresholds[generation]]:
        gc.collect(due[-1])


def lasting(items: Iterable[T]) -> Iterator[T]:
    """Items that live as long as a project: searches for garbage leave them out, if they are many."""
    for number, item in enumerate(items, 1):
        yield item
        if number % _AT_ONCE == 0:
            gc.freeze()


@contextmanager
def gc_paused() -> Iterator[None]:
    """Disable the collector while a document is made, of which nothing is garbage.

    The collector would go through the growing document again and again: a third of the time that a large
    file takes. Of two threads that pause it the first one to begin ends the pause.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
