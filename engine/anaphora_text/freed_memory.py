"""Memory that was needed for a moment, back to the system."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

_OPTIONS = {"M_ARENA_MAX": (-8, 2), "M_TRIM_THRESHOLD": (-1, 2**20), "M_MMAP_THRESHOLD": (-3, 2**20)}
"""Parameters of `mallopt`: the number of each and its value; the last two are in bytes."""


def give_back() -> None:
    """Let the C library return what nobody uses: glibc keeps it otherwise. Others are left alone."""
    if (trim := _of_c_library("malloc_trim")) is not None:
        trim(0)


def keep_little() -> None:
    """Have the C library keep little of what is freed, before there are threads. Others are left alone.

    By default glibc gives threads arenas of their own, eight for each core, and in each of them what lasts
    keeps the pages around it. Each keeps, behind its last piece, twice as much as the largest piece that was
    ever freed, up to 64 MiB, and gives that back only when it is asked for the first arena.
    """
    if (set_option := _of_c_library("mallopt")) is not None:
        for number, value in _OPTIONS.values():
            set_option(number, value)


@cache
def _of_c_library(name: str) -> Any:
    try:
        return getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):  # another C library; on Windows there is no None
        return None
