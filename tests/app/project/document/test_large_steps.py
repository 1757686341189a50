"""Steps that change thousands of segments, some in each turn of the event loop."""

from __future__ import annotations

import itertools
import time

import pytest
from PySide6.QtCore import QTimer

from anaphora.core.document import Document
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.project.document.editing import Editing, NewText
from anaphora.project.document.session import DocumentSession

COUNT = 5000


@pytest.fixture
def editing(qtbot, garbage_at_rest: None) -> Editing:
    segments = [
        Segment(str(number), f"第{number}句", SegmentState(f"draft {number}", Status.DRAFT))
        for number in range(COUNT)
    ]
    session = DocumentSession("d", Document("d", segments))
    return Editing(session, session)


def new_texts() -> list[NewText]:
    return [NewText(str(number), f"draft {number}", f"text {number}") for number in range(COUNT)]


def follow(_: object, seconds: float = 0.003) -> None:
    """Keep the window's thread busy, like all followers of a session."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def targets(editing: Editing) -> list[str]:
    return [segment.target for segment in editing.session.document]


def test_many_texts_are_one_step_without_waiting(editing, qtbot) -> None:
    drafts, texts = targets(editing), [text.after for text in new_texts()]
    counts: list[int] = []
    turns: list[float] = []
    said: list[int] = []
    names: list[str] = []
    editing.large.begun.connect(names.append)
    editing.large.progressed.connect(said.append)
    editing.session.applied.connect(follow)
    beat = QTimer(interval=0)
    beat.timeout.connect(lambda: turns.append(time.thread_time()))
    beat.start()
    editing.type_text("7", "somebody was here")
    editing.change_many(new_texts(), "replacing", counts.append)
    qtbot.waitUntil(lambda: bool(counts), timeout=60000)
    texts[7] = drafts[7] = "somebody was here"
    assert counts == [COUNT - 1] and targets(editing) == texts
    assert editing.stack.count() == 2 and len(said) >= 2
    for step, wanted in ((editing.undo, drafts), (editing.redo, texts), (editing.undo, drafts)):
        with qtbot.waitSignal(editing.visited, timeout=60000) as visited:
            step()
        assert visited.args == ["0", -1]
        assert targets(editing) == wanted
    assert names == ["replacing", "Undo: replacing", "Redo: replacing", "Undo: replacing"]
    longest = max(after - before for before, after in itertools.pairwise(turns))
    assert longest < 0.1, "seconds of the window's thread"


def test_a_cancelled_step_is_undone(editing, qtbot) -> None:
    drafts = targets(editing)
    counts: list[int] = []
    changed: list[int] = []

    def give_up(_: int) -> None:
        changed.append(sum(text.startswith("text") for text in targets(editing)))
        editing.large.cancel()

    editing.large.progressed.connect(give_up)
    editing.session.applied.connect(follow)
    editing.change_many(new_texts(), "replacing", counts.append)
    editing.undo()
    qtbot.waitUntil(lambda: bool(counts), timeout=60000)
    assert counts == [0] and 0 < changed[0] < COUNT
    assert targets(editing) == drafts and not editing.stack.canUndo()


def test_closing_the_document_stops_a_large_step(editing, qtbot) -> None:
    counts: list[int] = []
    editing.session.applied.connect(follow)
    editing.change_many(new_texts(), "replacing", counts.append)
    qtbot.waitSignal(editing.large.progressed, timeout=60000).wait()
    whole: list[bool] = []
    editing.session.step_ended.connect(whole.append)
    with qtbot.waitSignal(editing.large.ended, timeout=1000):
        editing.large.stop()
    assert whole == [False], "no part of it is written"
    changed = targets(editing)
    assert 0 < sum(text.startswith("text") for text in changed) < COUNT
    qtbot.wait(50)
    assert targets(editing) == changed and not counts and not editing.large.is_under_way


def test_the_history_jumps_over_a_large_step(editing, qtbot) -> None:
    drafts = targets(editing)
    counts: list[int] = []
    editing.change_many(new_texts(), "replacing", counts.append)
    qtbot.waitUntil(lambda: bool(counts), timeout=60000)
    editing.stack.setIndex(0)
    assert targets(editing) == drafts
    editing.stack.setIndex(1)
    assert targets(editing) == [text.after for text in new_texts()]
