"""Growth of running times, on machines whose speed may change by half within a second."""

from __future__ import annotations

from collections.abc import Callable

ROUNDS = 4


def takes_less_than(times: float, short: Callable[[], float], long: Callable[[], float]) -> bool:
    """True if `long()` is less than a multiple of `short()`, both in seconds.

    Both are measured in up to `ROUNDS` rounds, the short one three times in each; one success is enough.
    """
    return any(long() < times * min(short() for _ in range(3)) for _ in range(ROUNDS))
