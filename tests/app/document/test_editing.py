"""Undoable editing."""

from __future__ import annotations

import gc
import time
import weakref
from statistics import median

import pytest

from anaphora.core.document import Document
from anaphora.core.draft_report import DraftReport
from anaphora.core.drafts import proposal_of, state_of, with_proposal
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.document import state_commands
from anaphora.document.editing import Editing
from anaphora.document.session import DocumentSession
from anaphora_nmt.types import DraftQuality


@pytest.fixture
def editing(qtbot) -> Editing:
    segments = [
        Segment("a", "甲", SegmentState("draft", Status.DRAFT)),
        Segment("b", "乙"),
        Segment("c", "丙", SegmentState("fixed", Status.LOCKED)),
    ]
    session = DocumentSession("d", Document("d", segments))
    return Editing(session, session)


def state(editing: Editing, segment: str) -> tuple[str, Status]:
    found = editing.session.document.get(segment)
    return found.target, found.status


def test_what_was_typed_in_does_not_outlive_its_document(qtbot) -> None:
    session = DocumentSession("d", Document("d", [Segment("a", "甲")]))
    editing = Editing(session)
    for length in range(1, 9):
        editing.type_text("a", "x" * length)
    assert editing.stack.count() == 1
    kept = weakref.ref(session)
    del session, editing
    gc.collect()
    assert kept() is None


def test_a_confirmation_takes_no_longer_after_5000(qtbot) -> None:
    segments = [Segment(str(number), f"第{number}句") for number in range(5050)]
    session = DocumentSession("d", Document("d", segments))
    editing = Editing(session)
    times = []
    for segment in segments:
        begun = time.thread_time()
        editing.type_text(segment.id, "A sentence.")
        assert editing.confirm(segment.id)
        times.append(time.thread_time() - begun)
    assert median(times[-50:]) < 3 * median(times[50:250])
    assert median(times[-50:]) < 0.003, "a tenth of what the whole window may take for one"


def test_quick_typing_is_one_step_words_are_several(editing):
    for text in ("draft ", "draft o", "draft on", "draft one ", "draft one t"):
        editing.type_text("a", text)
    assert editing.stack.count() == 3
    editing.undo()
    assert state(editing, "a") == ("draft one ", Status.EDITED)
    editing.undo()
    editing.undo()
    assert state(editing, "a") == ("draft", Status.DRAFT)
    assert not editing.stack.canUndo()


def test_a_pause_begins_another_step(editing, monkeypatch):
    monkeypatch.setattr(state_commands, "TYPING_PAUSE", -1.0)
    editing.type_text("a", "x")
    editing.type_text("a", "xy")
    assert editing.stack.count() == 2


def test_empty_and_locked_segments_are_not_confirmed(editing):
    assert not editing.confirm("b")
    assert not editing.confirm("c")
    assert editing.confirm("a")
    editing.type_text("c", "other")
    assert state(editing, "c") == ("fixed", Status.LOCKED)


def test_undo_comes_back_to_the_draft_that_stands_there_now(editing):
    editing.type_text("a", "mine")
    editing.undo()
    editing.session.set_states({"a": SegmentState("a later draft", Status.DRAFT)})
    editing.redo()
    assert state(editing, "a") == ("mine", Status.EDITED)
    editing.undo()
    assert state(editing, "a") == ("a later draft", Status.DRAFT)


def test_a_cleared_target_is_an_edit(editing):
    editing.clear_target("a")
    assert state(editing, "a") == ("", Status.EDITED)


def test_a_cleared_proposal_is_refused_for_good(editing):
    editing.clear_target("b")
    assert not editing.stack.canUndo(), "there was nothing"
    proposed = state_of("poor", DraftReport.of(DraftQuality(0.3, unusable=True)))
    editing.session.set_states({"b": proposed})
    editing.clear_target("b")
    emptied = editing.session.document.get("b")
    assert state(editing, "b") == ("", Status.EDITED) and with_proposal(emptied) is emptied
    editing.undo()
    assert proposal_of(editing.session.document.get("b").state) == "poor"


def test_undo_visits_what_it_changed(editing, qtbot):
    editing.confirm("a")
    with qtbot.waitSignal(editing.visited, timeout=30000) as visited:
        editing.undo()
    assert visited.args[0] == "a"


def test_replacing_several_is_one_step(editing):
    assert editing.replace_texts({"a": "x", "b": "y", "c": "z"}, "replacing") == 2
    editing.undo()
    assert state(editing, "a") == ("draft", Status.DRAFT)
    assert state(editing, "b") == ("", Status.NOT_STARTED)
