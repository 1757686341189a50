"""Control of Python's garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
_BATCH = 10_000


def collect_due() -> None:
    """Collect garbage that is due, in the window's thread.

    A `QObject` that is freed in another thread can crash the process.
    """
    counts, thresholds = gc.get_count(), gc.get_threshold()
    if due := [generation for generation in range(3) if counts[generation] > thresholds[generation]]:
        gc.collect(due[-1])


def freezing_batches(items: Iterable[T]) -> Iterator[T]:
    """Iterate over items that live as long as a project, and freeze all existing objects after each full
    batch. Collections skip frozen objects."""
    for number, item in enumerate(items, 1):
        yield item
        if number % _BATCH == 0:
            gc.freeze()


@contextmanager
def gc_paused() -> Iterator[None]:
    """Disable the collector while many objects are created; it would take a third of the time.

    If two threads use this, the pause ends when the thread that entered first leaves its block.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
