"""Shared parts of all tests."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest

_MANY = 200
"""Number of new modules that triggers another freeze: a library of that size has 100,000 objects or more."""
_FROZEN = pytest.StashKey[int]()
"""Number of modules at the last freeze."""


@pytest.hookimpl(hookwrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Exclude permanent objects from garbage collection: 7,000 tests, and the modules that they import.

    These half a million objects would cost two thirds of a second each time. As in the window, collection
    runs only in the tests' thread: in another thread it would free Qt objects, which crashes the process.
    """
    gc.disable()
    yield
    gc.freeze()
    session.stash[_FROZEN] = len(sys.modules)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Collect garbage if it is due, but freeze libraries that a test has imported."""
    stash = item.session.stash
    counts, thresholds = gc.get_count(), gc.get_threshold()
    due = [generation for generation in range(3) if counts[generation] > thresholds[generation]]
    if len(sys.modules) - stash[_FROZEN] > _MANY:
        gc.collect()
        gc.freeze()
        stash[_FROZEN] = len(sys.modules)
    elif due:
        gc.collect(due[-1])
