"""Memory that was needed for a moment, back to the system."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

_ARENA_MAX, _ARENAS = -8, 2
"""Of `mallopt`: the number of its parameter, and the value."""


def give_back() -> None:
    """Let the C library return what nobody uses: glibc keeps it otherwise. Others are left alone."""
    if (trim := _of_c_library("malloc_trim")) is not None:
        trim(0)


def share_arenas() -> None:
    """Let all threads allocate from two arenas, before there are threads. Other C libraries are left alone.

    By default glibc gives threads arenas of their own, eight for each core, and in each of them what lasts
    keeps the pages around it.
    """
    if (set_option := _of_c_library("mallopt")) is not None:
        set_option(_ARENA_MAX, _ARENAS)


@cache
def _of_c_library(name: str) -> Any:
    try:
        return getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):  # another C library; on Windows there is no None
        return None
