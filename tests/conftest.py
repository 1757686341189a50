"""What all tests share."""

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

    That is half a million objects, and two thirds of a second each time.
    """
    gc.disable()
    yield
    gc.freeze()
    gc.enable()
    session.stash[_FROZEN] = len(sys.modules)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Nor through libraries that a test has brought in."""
    stash = item.session.stash
    if len(sys.modules) - stash[_FROZEN] > _MANY:
        gc.collect()
        gc.freeze()
        stash[_FROZEN] = len(sys.modules)
