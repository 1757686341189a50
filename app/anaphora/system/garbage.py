"""Control of Python's garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
_BATCH = 10_000


def collect_due() -> None:
    """Collect the generations that Python's automatic collector would collect now.

    The automatic collector runs in any thread that allocates, and a `QObject` that is freed outside its own
    thread can crash the process. So the app disables the collector and calls this in the window's thread.
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
    """Disable the collector while a document is created, because its creation makes no garbage.

    The collector would traverse the growing document repeatedly, which takes a third of the time for a large
    file. If two threads use this, the pause ends when the thread that entered first leaves its block.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
