"""Shared parts of all tests."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest

_MANY = 200
"""Modules; a library that has so many is a hundred thousand objects and more."""
_FROZEN = pytest.StashKey[int]()
"""How many modules there were when the rest was frozen."""


@pytest.hookimpl(hookwrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """No search for garbage goes through what is there for good: 7,000 tests, and what they import.

    That is half a million objects, and two thirds of a second each time. Searches run after tests, in their
    thread, as in the window: in another thread they would free Qt objects, which crashes the process.
    """
    gc.disable()
    yield
    gc.freeze()
    session.stash[_FROZEN] = len(sys.modules)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Search for garbage if it is due, but not in libraries that a test has brought in."""
    stash = item.session.stash
    counts, thresholds = gc.get_count(), gc.get_threshold()
    due = [generation for generation in range(3) if counts[generation] > thresholds[generation]]
    if len(sys.modules) - stash[_FROZEN] > _MANY:
        gc.collect()
        gc.freeze()
        stash[_FROZEN] = len(sys.modules)
    elif due:
        gc.collect(due[-1])
