"""How time grows, on a machine whose speed changes by half from one second to the next."""

from __future__ import annotations

from collections.abc import Callable

ROUNDS = 4


def takes_less_than(times: float, short: Callable[[], float], long: Callable[[], float]) -> bool:
    """True if `long()` takes less than a multiple of `short()`, both in seconds.

    Both are measured one right after the other, the short one three times, and again up to `ROUNDS` times:
    what grows as it should is within the bound in some round, what does not in none.
    """
    return any(long() < times * min(short() for _ in range(3)) for _ in range(ROUNDS))
