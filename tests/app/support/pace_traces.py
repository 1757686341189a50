"""Traces of a translator's work: the words of each segment, and the seconds until it was confirmed.

The first is written by hand after a session on the sample in which the time left rose from 26 to 72
minutes. The others are drawn: times of post-editing spread about lognormally around the translator's pace,
and now and then somebody is away.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

Trace = list[tuple[int, float]]
"""(words, seconds) of each confirmation."""

HEADINGS_THEN_SENTENCES: Trace = [
    *[(4, 3.0), (6, 4.0), (9, 6.0), (12, 9.0), (15, 14.0), (18, 20.0)],
    *[(30, 150.0), (28, 175.0), (11, 900.0), (33, 140.0), (41, 160.0), (26, 120.0), (38, 170.0)],
]
"""Headings that need no change, then long sentences, and a break of a quarter of an hour."""

KINDS: dict[str, dict[str, float]] = {
    "steady": {},
    "a fast hand": {"rate": 1.2},
    "a slow hand": {"rate": 9.0},
    "ten quick ones first": {"quick": 10},
    "restless": {"spread": 1.2, "away": 0.08},
    "a short text": {"length": 30},
}
"""How a trace differs from 80 segments at 3.6 seconds a word."""
_WORDS = (3, 5, 8, 12, 18, 25, 30, 40, 60)


def drawn(
    seed: int,
    length: float = 80,
    rate: float = 3.6,
    spread: float = 0.8,
    away: float = 0.03,
    quick: float = 0,
) -> Trace:
    """A trace by chance.

    Args:
        length: segments. rate: seconds a word, on average. spread: the standard deviation of its logarithm.
        away: the share of segments with a break of 2 to 30 minutes in them.
        quick: so many segments at the beginning take a quarter of their time.
    """
    dice = random.Random(seed)
    trace = []
    for number in range(int(length)):
        words = dice.choice(_WORDS)
        seconds = rate * words * math.exp(dice.gauss(0, spread) - spread**2 / 2)
        seconds *= 0.25 if number < quick else 1.0
        seconds += dice.uniform(120, 1800) if dice.random() < away else 0.0
        trace.append((words, seconds))
    return trace


def rises(times: list[float | None]) -> Iterator[float]:
    """Each time that is left, as a share of the least one that was told before."""
    told = [each for each in times if each is not None]
    for at, time in enumerate(told[1:], 1):
        yield time / min(told[:at])
