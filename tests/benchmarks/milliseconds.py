"""Timing calls, and a table of the times."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

HEADINGS = f"{'milliseconds':34}{'p50':>9}{'p95':>9}{'CPU p50':>9}{'CPU p95':>9}{'goal':>6}"


def timed(call: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds that a call takes: wall clock, and the thread's own."""
    wall, own = time.perf_counter(), time.thread_time()
    call()
    return 1000 * (time.perf_counter() - wall), 1000 * (time.thread_time() - own)


def report(name: str, times: Sequence[tuple[float, float]], goal: str = "") -> None:
    """Print a line of the table."""
    line = f"{name:34}"
    for column in zip(*times, strict=True):
        ordered = sorted(column)
        line += f"{statistics.median(ordered):9.2f}{ordered[int(0.95 * (len(ordered) - 1))]:9.2f}"
    print(f"{line}{goal:>6}")
