"""The estimated time for drafts is stable: short headings first, a busy computer, a slow start."""

from __future__ import annotations

import random

import pytest

from anaphora.features.drafting.current_drafts import MIN_DRAFTS, DraftingPace, cost_of

Job = tuple[str, float]
"""Tuple of source and seconds for its draft."""


def draft_seconds(source: str, dice: random.Random) -> float:
    """Simulated seconds: a fixed part, a part for each character, and noise."""
    return (0.08 + 0.012 * len(source)) * dice.uniform(0.7, 1.4)


def document(lengths: list[int], seed: int = 1) -> list[Job]:
    dice = random.Random(seed)
    return [(source := "字" * length, draft_seconds(source, dice)) for length in lengths]


HEADINGS_FIRST = [4] * 40 + [60] * 400
LONG_FIRST = [80] * 30 + [10] * 400
MIXED = [random.Random(3).choice((4, 8, 15, 30, 60, 90)) for _ in range(500)]


def estimates(jobs: list[Job]) -> list[float]:
    """The reported remaining seconds after each draft."""
    pace, work = DraftingPace(), sum(cost_of(source) for source, _ in jobs)
    times = []
    for number, (source, seconds) in enumerate(jobs):
        pace.add(source, seconds)
        work -= cost_of(source)
        left = pace.seconds_left(work)
        assert (left is None) == (number + 1 < MIN_DRAFTS or number + 1 == len(jobs))
        if left is not None:
            times.append(left)
    return times


@pytest.mark.parametrize("lengths", [HEADINGS_FIRST, LONG_FIRST, MIXED], ids=["headings", "long", "mixed"])
def test_the_estimate_is_about_right_and_hardly_rises(lengths: list[int]) -> None:
    jobs = document(lengths)
    times = estimates(jobs)
    assert max(time / min(times[: at + 1]) for at, time in enumerate(times)) < 1.5
    tenth = len(jobs) // 10
    real = sum(seconds for _, seconds in jobs[tenth + 1 :])
    assert 0.6 < times[tenth - MIN_DRAFTS + 1] / real < 1.6


def test_a_busy_moment_hardly_changes_the_estimate() -> None:
    jobs = document(MIXED)
    busy = [(source, seconds * (12 if 100 <= at < 106 else 1)) for at, (source, seconds) in enumerate(jobs)]
    calm, disturbed = estimates(jobs), estimates(busy)
    assert max(after / before for before, after in zip(calm, disturbed, strict=True)) < 1.25
