"""Memory that was needed for a moment, back to the system."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

_OPTIONS = {"M_ARENA_MAX": (-8, 2), "M_TRIM_THRESHOLD": (-1, 2**20), "M_MMAP_THRESHOLD": (-3, 2**20)}
"""Parameters of `mallopt`: the number of each and its value; the last two are in bytes."""


def give_back() -> None:
    """Return unused memory to the system: glibc keeps it otherwise. No effect with other C libraries."""
    if (trim := _of_c_library("malloc_trim")) is not None:
        trim(0)


def keep_little() -> None:
    """Have glibc keep little of what is freed, before there are threads.

    By default it gives threads arenas of their own, eight for each core, and keeps twice as much behind the
    last piece as the largest piece that was ever freed, up to 64 MiB.
    """
    if (set_option := _of_c_library("mallopt")) is not None:
        for number, value in _OPTIONS.values():
            set_option(number, value)


@cache
def _of_c_library(name: str) -> Any:
    try:
        return getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):  # another C library; Windows does not accept None
        return None
