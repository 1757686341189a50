"""How far the time that is left rises while somebody works, and how near it is to the truth.

On drawn traces of work (`tests/app/support/pace_traces.py`), 200 of each kind. "rise" is the highest time
that was told, as a share of the lowest one told before; "half" is what was told at the middle of the
document, as a share of the time that the rest really took, breaks left out. Beside the meter a plain mean:
words by the time between confirmations, of which no more than three minutes count.

Run: python tests/benchmarks/measure_pace.py
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "app" / "support"))

from pace_traces import KINDS, Trace, drawn, rises

from anaphora.document.pace import ENOUGH, PaceMeter

TRACES = 200
LONGEST_PAUSE_S = 180.0
LONGEST_WORK_S = 36.0
"""Seconds a word; what took longer was a break."""
Told = list[float | None]


def by_meter(trace: Trace) -> Told:
    """What the app tells after each confirmation."""
    now = [0.0]
    meter, left, told = PaceMeter(lambda: now[0]), sum(words for words, _ in trace), []
    for words, seconds in trace:
        now[0] += seconds
        left -= words
        meter.add(words)
        told.append(meter.seconds_left(left))
    return told


def by_mean(trace: Trace) -> Told:
    """The same by the plain mean."""
    left, worked, done = sum(words for words, _ in trace), 0.0, 0
    told: Told = []
    for number, (words, seconds) in enumerate(trace, 1):
        worked, done, left = worked + min(seconds, LONGEST_PAUSE_S), done + words, left - words
        told.append(left * worked / done if number >= ENOUGH else None)
    return told


def report(name: str, tell: Callable[[Trace], Told], kind: str) -> None:
    """Print the figures of one way on one kind of traces."""
    worst, halves = [], []
    for seed in range(TRACES):
        trace = drawn(seed, **KINDS[kind])
        told, half = tell(trace), len(trace) // 2
        worst.append(max(rises(told[:-1])))
        real = sum(seconds for words, seconds in trace[half + 1 :] if seconds < LONGEST_WORK_S * words)
        halves.append((told[half] or 0.0) / real)
    worst.sort()
    halves.sort()
    low, mid, high = (halves[int(share * TRACES)] for share in (0.05, 0.5, 0.95))
    print(
        f"{kind:22}{name:7} rise: median {worst[TRACES // 2]:.2f}, p95 {worst[int(0.95 * TRACES)]:.2f}, "
        f"most {worst[-1]:.2f}; half: p5 {low:.2f}, median {mid:.2f}, p95 {high:.2f}"
    )


def main() -> None:
    for kind in KINDS:
        report("mean", by_mean, kind)
        report("meter", by_meter, kind)


if __name__ == "__main__":
    main()
