"""Undoable editing."""

from __future__ import annotations

import gc
import weakref

import pytest

from anaphora.core.document import Document
from anaphora.core.draft_report import DraftReport
from anaphora.core.drafts import proposal_of, state_of, with_proposal
from anaphora.core.edits import Preview
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.formats.segmentation.segmenter import DEFAULT_SEGMENTER
from anaphora.project.document import state_commands
from anaphora.project.document.editing import Editing, NewText
from anaphora.project.document.resegmentation_plan import ResegmentationPlan
from anaphora.project.document.session import MIN_LARGE_STEP, DocumentSession
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


def test_typing_does_not_keep_its_document_alive(qtbot) -> None:
    session = DocumentSession("d", Document("d", [Segment("a", "甲")]))
    editing = Editing(session)
    for length in range(1, 9):
        editing.type_text("a", "x" * length)
    assert editing.stack.count() == 1
    kept = weakref.ref(session)
    del session, editing
    gc.collect()
    assert kept() is None


def test_quick_typing_is_one_step_per_word(editing):
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


def test_undo_returns_to_the_current_draft(editing):
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


def test_a_cleared_proposal_does_not_return(editing):
    editing.clear_target("b")
    assert not editing.stack.canUndo(), "there was nothing"
    proposed = state_of("poor", DraftReport.of(DraftQuality(0.3, unusable=True)))
    editing.session.set_states({"b": proposed})
    editing.clear_target("b")
    emptied = editing.session.document.get("b")
    assert state(editing, "b") == ("", Status.EDITED) and with_proposal(emptied) is emptied
    editing.undo()
    assert proposal_of(editing.session.document.get("b").state) == "poor"


def test_undo_visits_the_changed_segment(editing, qtbot):
    editing.confirm("a")
    with qtbot.waitSignal(editing.visited, timeout=30000) as visited:
        editing.undo()
    assert visited.args[0] == "a"


def test_replacing_several_is_one_step(editing):
    assert editing.replace_texts({"a": "x", "b": "y", "c": "z"}, "replacing") == 2
    editing.undo()
    assert state(editing, "a") == ("draft", Status.DRAFT)
    assert state(editing, "b") == ("", Status.NOT_STARTED)


def test_a_proposal_is_accepted_in_one_step(editing):
    proposed = SegmentState(report=DraftReport(DraftQuality(0.2), proposal="Perhaps"))
    editing.session.set_states({"b": proposed})
    editing.type_text("b", "Perhaps")
    assert state(editing, "b") == ("Perhaps", Status.EDITED) and editing.stack.count() == 1
    editing.undo()
    assert proposal_of(editing.session.document.get("b").state) == "Perhaps"


@pytest.mark.parametrize("count", [3, MIN_LARGE_STEP, MIN_LARGE_STEP + 3])
def test_many_texts_change_in_one_step_except_those_changed_meanwhile(qtbot, count: int) -> None:
    """A few texts change at once, many in turns of the event loop, with the same result."""
    segments = [Segment(str(n), f"第{n}句", SegmentState("old", Status.CONFIRMED)) for n in range(count)]
    segments += [Segment("locked", "锁", SegmentState("old", Status.LOCKED))]
    editing = Editing(DocumentSession("d", Document("d", segments)))
    told: list[int] = []
    called: list[str] = []

    def text(key: str, before: str = "old", after: str = "new", name: str = "") -> NewText:
        return NewText(key, before, after, (lambda: called.append(name)) if name else None)

    texts = [text(str(n)) for n in range(3, count)]
    texts += [text("0", name="first"), text("1", before="other", name="stale"), text("gone", name="gone")]
    texts += [text("2", after="old", name="same"), text("locked", name="locked")]
    editing.change_many(texts, "renaming", told.append)
    assert (told == []) is (len(texts) >= MIN_LARGE_STEP), "many are reported later"
    qtbot.waitUntil(lambda: bool(told), timeout=30000)
    changed = count - 2
    assert called == ["first", "same", "locked"]
    found = {segment.id: (segment.target, segment.status) for segment in editing.session.document}
    assert found["0"] == ("new", Status.EDITED) and found["1"] == found["2"] == ("old", Status.CONFIRMED)
    assert found["locked"] == ("old", Status.LOCKED)
    assert sum(each == ("new", Status.EDITED) for each in found.values()) == changed
    assert told == [changed]
    assert editing.stack.count() == 1
    visited: list[tuple[str, int]] = []
    editing.visited.connect(lambda *place: visited.append(place))
    editing.undo()
    qtbot.waitUntil(lambda: len(visited) == 1, timeout=30000)
    assert all(segment.target == "old" for segment in editing.session.document)
    editing.redo()
    qtbot.waitUntil(lambda: len(visited) == 2, timeout=30000)
    assert sum(segment.target == "new" for segment in editing.session.document) == changed
    told.clear()
    editing.change_many([], "nothing", told.append)
    assert told == [0] and editing.stack.count() == 1


def test_joins_and_splits_are_announced_steps(qtbot) -> None:
    parts = tuple(Segment(str(n), f"第{n}句") for n in range(2))
    editing = Editing(DocumentSession("d", Document("d", parts)))
    whole = (Segment("0", "第0句第1句"),)
    assert editing.resegment(ResegmentationPlan(parts, whole, DEFAULT_SEGMENTER))
    assert not editing.resegment(ResegmentationPlan(parts, whole, DEFAULT_SEGMENTER)), "they are gone"
    assert len(editing.session.document) == 1
    assert editing.resegment(ResegmentationPlan(whole, parts, DEFAULT_SEGMENTER))
    assert [editing.stack.text(number) for number in range(2)] == ["joining segments", "splitting a segment"]
    editing.undo()
    editing.undo()
    assert list(editing.session.document) == list(parts)


def test_steps_visit_the_end_of_the_changed_text(editing):
    visited: list[tuple[str, int]] = []
    editing.visited.connect(lambda *place: visited.append(place))
    editing.undo()
    editing.redo()
    assert visited == [], "there is no step"
    editing.type_text("a", "dr. aft")
    editing.undo()
    editing.redo()
    editing.confirm("a")
    editing.undo()
    assert visited == [("a", 2), ("a", 4), ("a", -1)]


def test_typing_after_an_undone_step_is_a_new_step(editing):
    editing.type_text("a", "x")
    editing.type_text("a", "xy")
    assert editing.stack.count() == 1
    editing.undo()
    editing.type_text("a", "z")
    assert editing.stack.count() == 1 and state(editing, "a") == ("z", Status.EDITED)
    editing.type_text("b", "w")
    assert [editing.stack.text(number) for number in range(2)] == ["typing: segment 1", "typing: segment 2"]


def test_accepted_previews_skip_segments_changed_since(editing):
    told: list[int] = []
    previews = [Preview("a", "draft", "A"), Preview("b", "other", "B")]
    editing.apply_previews(previews, told.append)
    assert told == [1] and state(editing, "a") == ("A", Status.EDITED)
    assert state(editing, "b") == ("", Status.NOT_STARTED)
    assert editing.stack.text(0) == "using one translation everywhere: segment 1"


def test_only_exchanged_words_keep_a_confirmation(editing):
    for confirmed, expected in ((True, Status.CONFIRMED), (False, Status.EDITED)):
        editing.type_text("a", "The book.")
        editing.confirm("a")
        given = Preview("a", "The book.", "The ledger.", is_written=True, is_word_exchange=confirmed)
        editing.apply_previews([given], lambda _: None)
        assert state(editing, "a") == ("The ledger.", expected)
