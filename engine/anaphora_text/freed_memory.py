"""Return freed memory to the system."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

_OPTIONS = {"M_ARENA_MAX": (-8, 2), "M_TRIM_THRESHOLD": (-1, 2**20), "M_MMAP_THRESHOLD": (-3, 2**20)}
"""Parameters of `mallopt` with their numbers and values; the last two values are in bytes."""


def release_memory() -> None:
    if (trim := _c_function("malloc_trim")) is not None:
        trim(0)


def limit_free_memory() -> None:
    """Make glibc keep little freed memory; call this before threads start."""
    if (set_option := _c_function("mallopt")) is not None:
        for number, value in _OPTIONS.values():
            set_option(number, value)


@cache
def _c_function(name: str) -> Any:
    try:
        return getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):  # another C library, or Windows, which rejects None
        return None
