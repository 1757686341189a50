"""Pausing Python's cyclic garbage collector while a document is made, of which nothing is garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """No search for cyclic garbage meanwhile, in no thread.

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
