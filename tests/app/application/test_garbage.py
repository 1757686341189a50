"""Old objects are searched for garbage at rest, not within a key."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest

from anaphora.application import garbage
from anaphora.application.garbage import DUE, RestingCollector

LOOK_MS = 40
NEVER_AT_REST_MS = 600_000
"""Longer than the test takes on any machine: somebody types all the time."""


class Knot:
    """An object that keeps itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(scope="module", autouse=True)
def frozen_again() -> Iterator[None]:
    """A collector that ends lets go of what is frozen for all tests, see tests/conftest.py."""
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture
def collector(qtbot) -> Iterator[RestingCollector]:
    gc.collect()
    made = RestingCollector(rest_ms=LOOK_MS, look_ms=LOOK_MS)
    yield made
    made.stop()


def searches() -> int:
    return int(gc.get_stats()[2]["collections"])


def make_young() -> list[list[int]]:
    """As many objects as make old ones due to be searched."""
    young, middle, _ = gc.get_threshold()
    return [[] for _ in range((DUE + 2) * young * (middle + 2))]


def test_no_old_object_is_searched_while_somebody_types(qtbot) -> None:
    gc.collect()
    typed_behind = RestingCollector(rest_ms=NEVER_AT_REST_MS, look_ms=LOOK_MS)
    before, kept = searches(), []
    for _ in range(8):
        typed_behind.put_off()
        kept.append(make_young())
        qtbot.wait(2 * LOOK_MS)
    found = searches()
    typed_behind.stop()
    assert found == before


def test_without_it_python_searches_within_whatever_makes_objects() -> None:
    gc.collect()
    before, kept = searches(), []
    for _ in range(8):
        kept.append(make_young())
        if searches() > before:
            break
    assert searches() > before


def test_what_keeps_itself_goes_at_rest(qtbot, collector) -> None:
    knot = Knot()
    gone = weakref.ref(knot)
    gc.collect(1)
    gc.collect(1)
    kept = make_young()
    del knot
    assert gone() is not None and kept
    qtbot.waitUntil(lambda: gone() is None, timeout=20000)


def test_what_was_frozen_is_searched_once_a_project_is_closed(qtbot, collector) -> None:
    knot = Knot()
    gone = weakref.ref(knot)
    gc.freeze()
    del knot
    gc.collect()
    assert gone() is not None
    collector.follow_closing()
    kept = make_young()
    qtbot.waitUntil(lambda: gone() is None, timeout=20000)
    assert kept


def test_what_a_project_holds_is_not_searched_while_it_is_open(qtbot, collector) -> None:
    """Of 20,000 segments such a search, begun at rest, kept the next command waiting for 0.2 s."""
    segments = [[number] for number in range(100_000)]
    collector.leave_out()
    assert len(gc.get_objects()) < 20_000
    before, frozen = searches(), gc.get_freeze_count()
    findings = make_young()
    qtbot.waitUntil(lambda: gc.get_freeze_count() >= frozen + len(findings), timeout=20000)
    assert searches() == before
    later = make_young()
    qtbot.waitUntil(lambda: searches() > before, timeout=20000)
    assert later and segments


def test_nothing_is_searched_while_the_first_project_is_opened(qtbot, collector) -> None:
    """It took the window 0.15 s while 20,000 segments were read."""
    collector.follow_opening("a.docx")
    before = searches()
    kept = [make_young()]
    qtbot.wait(4 * LOOK_MS)
    assert searches() == before
    collector.follow_opening(None)
    kept.append(make_young())
    qtbot.waitUntil(lambda: searches() > before, timeout=20000)
    assert kept


def test_what_a_closed_project_has_left_is_searched_though_another_was_opened(qtbot, collector) -> None:
    collector.leave_out()
    knot = Knot()
    gone = weakref.ref(knot)
    del knot
    collector.follow_closing()
    collector.leave_out()
    kept = make_young()
    qtbot.waitUntil(lambda: gone() is None, timeout=20000)
    assert kept


def test_closing_a_project_searches_nothing_that_is_frozen_while_somebody_is_there(qtbot) -> None:
    """With 20,000 segments that kept the window for 0.29 s, two seconds after they were closed."""
    gc.collect()
    worked_behind = RestingCollector(rest_ms=LOOK_MS, look_ms=LOOK_MS)
    worked_behind.leave_out()
    knot = Knot()
    gone = weakref.ref(knot)
    gc.freeze()
    del knot
    frozen, before = gc.get_freeze_count(), searches()
    worked_behind.follow_closing()
    kept = make_young()
    for _ in range(15):
        qtbot.wait(3 * LOOK_MS)
        worked_behind.put_off()
    assert searches() > before and gone() is not None and kept
    assert gc.get_freeze_count() > 0.99 * frozen, "some of it goes by itself, when nobody needs it any more"
    qtbot.waitUntil(lambda: gone() is None, timeout=20000)
    worked_behind.stop()


def test_much_that_closed_projects_have_left_is_searched_at_the_next_rest(qtbot, monkeypatch) -> None:
    monkeypatch.setattr(garbage, "MOST_LEFT", 1000)
    gc.collect()
    worked_behind = RestingCollector(rest_ms=LOOK_MS, look_ms=LOOK_MS)
    worked_behind.follow_closing()
    qtbot.wait(2 * LOOK_MS)
    knots = [Knot() for _ in range(2000)]
    gone = weakref.ref(knots[0])
    worked_behind.leave_out()
    knots.clear()
    assert gone() is not None
    worked_behind.follow_closing()
    for _ in range(100):
        worked_behind.put_off()
        qtbot.wait(3 * LOOK_MS)
        if gone() is None:
            break
    worked_behind.stop()
    assert gone() is None


def test_the_window_does_not_wait_for_memory_to_go_back(qtbot, collector, monkeypatch) -> None:
    given_back_by: list[threading.Thread] = []
    monkeypatch.setattr(garbage, "give_back", lambda: given_back_by.append(threading.current_thread()))
    collector.follow_closing()
    kept = make_young()
    qtbot.waitUntil(lambda: bool(given_back_by), timeout=20000)
    assert kept and threading.current_thread() not in given_back_by
