"""What calls of the native library are given, and what is expected of them."""

from __future__ import annotations

import ctypes
import random
from typing import Any

CASES = 12
"""Kinds of mistakes; 0: none."""


def floats(values: random.Random, count: int) -> ctypes.Array:
    """An array on the heap that is exactly so long."""
    return (ctypes.c_float * count)(*(values.uniform(-2, 2) for _ in range(count)))


def whole(
    values: random.Random, count: int, least: int, most: int, kind: Any = ctypes.c_int64
) -> ctypes.Array:
    """The same of whole numbers."""
    return (kind * count)(*(values.randint(least, most) for _ in range(count)))


def expect(status: int, refused: bool) -> None:
    """What is wrong is refused, and nothing else."""
    if (status == 2) != refused:
        raise AssertionError(f"status {status} where {'2' if refused else '0'} was expected")
