"""Jumping far back in the history never blocks the window."""

from __future__ import annotations

import itertools
import time

import pytest
from PySide6.QtCore import QObject, QTimer

from anaphora.core.document import Document
from anaphora.core.edits import Preview
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.features.steering.steering import HistoryJump
from anaphora.project.document.editing import Editing
from anaphora.project.document.session import DocumentSession

COUNT, STEPS = 3000, 200


@pytest.fixture
def editing(qtbot, garbage_at_rest: None) -> Editing:
    segments = [
        Segment(str(number), f"第{number}句", SegmentState(f"draft {number}", Status.DRAFT))
        for number in range(COUNT)
    ]
    session = DocumentSession("d", Document("d", segments))
    return Editing(session, session)


@pytest.fixture
def jump(editing, qtbot):
    owner = QObject()
    yield HistoryJump(editing, owner)
    owner.deleteLater()


def targets(editing: Editing) -> list[str]:
    return [segment.target for segment in editing.session.document]


def use_everywhere(editing: Editing, qtbot) -> None:
    """Push a step that changes all segments."""
    counts: list[int] = []
    previews = [Preview(str(number), f"draft {number}", f"text {number}") for number in range(COUNT)]
    editing.apply_previews(previews, counts.append)
    assert not counts, "segments are changed in later turns"
    qtbot.waitUntil(lambda: bool(counts), timeout=60000)
    assert counts == [COUNT]


def test_a_jump_runs_large_and_small_steps(editing, jump, qtbot) -> None:
    stood = [targets(editing)]
    use_everywhere(editing, qtbot)
    stood.append(targets(editing))
    for number in range(STEPS):
        editing.replace_texts({str(number): f"own {number}"}, "typing")
    stood.append(targets(editing))
    turns: list[float] = []
    editing.session.applied.connect(lambda _: _keep_busy())
    beat = QTimer(interval=0)
    beat.timeout.connect(lambda: turns.append(time.thread_time()))
    beat.start()
    for goal, wanted in ((0, stood[0]), (STEPS + 1, stood[2]), (1, stood[1])):
        with qtbot.waitSignal(jump.ended, timeout=60000):
            jump.begin(goal)
        assert editing.stack.index() == goal and targets(editing) == wanted
        assert not jump.is_under_way
    longest = max(after - before for before, after in itertools.pairwise(turns))
    assert longest < 0.1, "seconds of the window's thread"


def _keep_busy() -> None:
    """Takes time for each change, like all followers of a session."""
    end = time.thread_time() + 0.003
    while time.thread_time() < end:
        pass


def test_a_jump_ends_at_a_cancelled_large_step(editing, jump, qtbot) -> None:
    use_everywhere(editing, qtbot)
    stood = targets(editing)
    editing.replace_texts({"0": "own"}, "typing")
    editing.session.applied.connect(lambda _: _keep_busy())
    editing.large.progressed.connect(lambda _: editing.large.cancel())
    with qtbot.waitSignal(jump.ended, timeout=60000):
        jump.begin(0)
    assert editing.stack.index() == 1 and targets(editing) == stood


def test_the_last_goal_of_a_jump_counts(editing, jump, qtbot) -> None:
    for number in range(STEPS):
        editing.replace_texts({str(number): f"own {number}"}, "typing")
    jump.begin(0)
    with qtbot.waitSignal(jump.ended, timeout=60000):
        jump.begin(STEPS - 3)
    assert editing.stack.index() == STEPS - 3
