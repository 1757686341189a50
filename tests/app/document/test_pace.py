"""The time that is left does not jump: breaks, hard sentences, quick headings and undone confirmations."""

from __future__ import annotations

from itertools import pairwise

import pytest
from pace_traces import HEADINGS_THEN_SENTENCES, KINDS, Trace, drawn, rises

from anaphora.document.pace import ENOUGH, PaceMeter


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def told(trace: Trace, more: int = 0) -> list[float | None]:
    """The seconds that are left after each confirmation.

    Args:
        more: words of the document behind those of the trace.
    """
    clock = Clock()
    meter, left = PaceMeter(clock), sum(words for words, _ in trace) + more
    times = []
    for words, seconds in trace:
        clock.now += seconds
        left -= words
        meter.add(words)
        times.append(meter.seconds_left(left))
    return times


def test_the_half_hour_in_which_26_minutes_became_72() -> None:
    times = told(HEADINGS_THEN_SENTENCES, more=900)
    assert times[: ENOUGH - 1] == [None] * (ENOUGH - 1), "too early to tell"
    assert max(rises(times)) < 1.35
    assert all(each is not None and 20 * 60 < each < 80 * 60 for each in times[ENOUGH - 1 :])


@pytest.mark.parametrize("kind", KINDS)
def test_no_trace_makes_it_jump(kind: str) -> None:
    worst = sorted(max(rises(told(drawn(seed, **KINDS[kind])))) for seed in range(40))
    assert worst[-3] < 1.8 and worst[-1] < 2.4, "even where the work becomes harder"
    for seed in range(40):
        times = [each for each in told(drawn(seed, **KINDS[kind])) if each]
        assert max(after / before for before, after in pairwise(times)) <= 1.05


@pytest.mark.parametrize("rate", [1.2, 3.6, 9.0])
def test_it_comes_near_the_truth(rate: float) -> None:
    shares = []
    for seed in range(40):
        trace = drawn(seed, rate=rate, away=0.0)
        half = len(trace) // 2
        left = told(trace)[half]
        assert left is not None
        shares.append(left / sum(seconds for _, seconds in trace[half + 1 :]))
    shares.sort()
    assert 0.75 < shares[20] < 1.25 and shares[4] > 0.5 and shares[-4] < 1.8


def test_a_break_counts_as_work_on_its_segment_only() -> None:
    steady = [(20, 72.0)] * 30
    with_break = [*steady[:15], (20, 7200.0), *steady[16:]]
    plain, broken = told(steady), told(with_break)
    assert plain[-2] is not None and broken[-2] is not None
    assert broken[-2] < 1.1 * plain[-2]


def test_a_confirmation_taken_back_is_as_if_it_had_not_been() -> None:
    clock = Clock()
    meter = PaceMeter(clock)
    for _ in range(20):
        clock.now += 72
        meter.add(20)
    before = meter.seconds_left(1000)
    assert before is not None
    for _ in range(10):
        clock.now += 1
        meter.add(-20, -1)
        clock.now += 1
        meter.add(20)
    after = meter.seconds_left(1000)
    assert after is not None and 0.9 < after / before < 1.1


def test_repetitions_that_are_confirmed_with_one_do_not_make_everything_easy() -> None:
    trace = [*[(20, 72.0)] * 10, (2000, 60.0), *[(20, 72.0)] * 5]
    times = [each for each in told(trace, more=5000) if each]
    assert times[-1] > 0.7 * 5000 * 3.6


def test_another_document_begins_anew() -> None:
    clock = Clock()
    meter = PaceMeter(clock)
    for _ in range(ENOUGH):
        clock.now += 36
        meter.add(10)
    assert meter.words_per_hour == pytest.approx(1000)
    meter.start()
    assert meter.words_per_hour == 0 and meter.seconds_left(10) is None


def left_after(*steps: tuple[float, int, int]) -> float | None:
    """The seconds that 100 words will take, behind (seconds, words, segments) one after the other."""
    clock = Clock()
    meter = PaceMeter(clock)
    for seconds, words, segments in steps:
        clock.now += seconds
        meter.add(words, segments)
    return meter.seconds_left(100)


STEP = (120.0, 60, 1)
FIVE = [STEP] * 5


@pytest.mark.parametrize(
    ("steps", "left"),
    [
        (FIVE, (120 * 3.6 + 300 * 2.0) / 420),
        (FIVE[1:], None),
        ([(200.0, 100, 1)] * 5, (120 * 3.6 + 300 * 2.0) / 420),  # of many words only so many count
        ([(3600.0, 60, 1), *FIVE[1:]], (120 * 3.6 + 240 * 2.0 + 60 * 6.0) / 420),  # a break
        ([(6.0, 60, 1), *FIVE[1:]], (120 * 3.6 + 240 * 2.0 + 60 * 2 / 3) / 420),  # a glance
        ([(60.0, 60, 3), (60.0, 60, 2)], (120 * 3.0 + 120 * 1.0) / 240),  # half is enough for the median
        ([*FIVE, (3600.0, 60, 1)], (120 * 3.6 + 300 * 2.0) / 420 * 1.04),
        ([*FIVE, (1.0, 60, 1)], (120 * 3.6 + 300 * 2.0) / 420 / 1.08),
        (
            [(36.0, 0, 1), (84.0, 60, 1), *FIVE[:3]],
            (120 * 3.6 + 240 * 2.0) / 360,
        ),  # its time is the next one's
        ([(36.0, 1, 0), (84.0, 60, 1), *FIVE[:4]], (120 * 3.6 + 300 * 2.0) / 420),
        ([*FIVE, (0.0, -60, -1)], None),
        ([*FIVE, (0.0, -60, -1), (0.0, 60, 1)], (120 * 3.6 + 300 * 2.0) / 420),
        ([*FIVE, (0.0, -120, -2), (0.0, 60, 1), STEP], (120 * 3.6 + 180 * 2.0 + 60 * 4.0 + 60 * 2.0) / 420),
        ([*FIVE, (0.0, -60, -9), *FIVE[1:]], None),
        ([(6.0, 60, 1)] * 70 + [STEP] * 200, (120 * 3.6 + 3600 * 2.0) / 3720),  # the last sixty
    ],
)
def test_what_a_pace_is_made_of(steps: list[tuple[float, int, int]], left: float | None) -> None:
    assert left_after(*steps) == (None if left is None else pytest.approx(100 * left))
