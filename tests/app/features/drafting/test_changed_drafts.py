"""Drafts that have changed unseen, and the order of drafts."""

from __future__ import annotations

from inverses import inverse_of

from anaphora.core.document import Document
from anaphora.core.edits import Resegmentation
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.engine.job_queue import JobQueue
from anaphora.engine.jobs import DraftJob, Urgency
from anaphora.features.drafting.changed_drafts import (
    CHANGED_SETTING,
    ChangedDraft,
    ChangedDrafts,
    read_changed,
)
from anaphora.project.document.session import DocumentSession


def a_session(count: int = 4) -> DocumentSession:
    segments = [Segment(str(number), f"第{number}句", SegmentState()) for number in range(count)]
    return DocumentSession("d", Document("d", segments))


def drafted(text: str) -> SegmentState:
    return SegmentState(text, Status.DRAFT)


def test_another_draft_is_kept_with_its_cause_until_it_has_been_seen(qtbot):
    session, changed = a_session(), ChangedDrafts()
    changed.open(session)
    session.set_states({"0": drafted("a"), "1": drafted("b"), "2": drafted("c")})
    assert len(changed) == 0, "a first draft is not a change"
    session.set_states({"0": SegmentState("A", Status.CONFIRMED)})
    with qtbot.waitSignal(changed.changed, timeout=30000) as told:
        session.set_states({"1": drafted("B")})
    assert told.args == [("1",)]
    session.set_states({"1": drafted("BB")})
    assert changed.get("1") == ChangedDraft("1", "b", "0"), "the seen text, not one in between"
    assert changed.mark_seen("1") == ChangedDraft("1", "b", "0") and changed.mark_seen("1") is None


def test_a_change_after_an_undone_confirmation_is_reported(qtbot):
    session, changed, kept = a_session(), ChangedDrafts(), dict[str, str]()
    changed.open(session)
    changed.recall((), kept.__setitem__)
    session.set_states({"0": SegmentState("A", Status.CONFIRMED), "1": drafted("b"), "2": drafted("c")})
    session.set_states({"0": SegmentState("A", Status.EDITED)})
    session.set_states({"1": drafted("B")})
    assert changed.get("1") == ChangedDraft("1", "b", "0", is_revoked=True)
    session.set_states({"0": SegmentState("A", Status.CONFIRMED)})
    session.set_states({"2": drafted("C")})
    assert changed.get("2") == ChangedDraft("2", "c", "0")
    assert read_changed(kept[CHANGED_SETTING]) == (changed.get("1"), changed.get("2"))


def test_drafts_by_another_model_are_not_changes(qtbot):
    session, changed = a_session(), ChangedDrafts()
    changed.open(session)
    session.set_states({"0": drafted("a"), "1": drafted("b"), "2": drafted("c")})
    session.set_states({"3": SegmentState("D", Status.CONFIRMED)})
    session.set_states({"0": drafted("A"), "1": drafted("B")})
    with qtbot.waitSignal(changed.changed, timeout=30000) as told:
        changed.forget()
    assert told.args == [("0", "1")] and len(changed) == 0
    session.set_states({"0": drafted("x")}, is_redraft=True)
    session.set_states({"1": drafted("y")}, is_redraft=True)
    assert len(changed) == 0
    session.set_states({"0": drafted("xx")})
    assert changed.get("0") == ChangedDraft("0", "x"), "no confirmation preceded it"
    session.set_states({"0": drafted("z")}, is_redraft=True)
    assert len(changed) == 0


def test_a_change_is_gone_once_it_is_undone_or_edited():
    session, changed = a_session(), ChangedDrafts()
    changed.open(session)
    session.set_states({"1": drafted("b"), "2": drafted("c")})
    session.set_states({"1": drafted("B"), "2": drafted("C")})
    assert changed.segment_ids == ("1", "2")
    session.set_states({"1": drafted("b")})
    session.set_states({"2": SegmentState("mine", Status.EDITED)})
    assert len(changed) == 0
    session.set_states({"2": SegmentState("my own", Status.EDITED)})
    assert len(changed) == 0, "typed text is not a draft"


def test_drafts_after_the_current_segment_come_first():
    queue = JobQueue()
    queue.put(*(DraftJob("d", str(number), 0) for number in range(6)))
    queue.put(DraftJob("d", "9", 0, Urgency.FOLLOW_UP))
    queue.begin_at(["3", "4", "5"])
    queue.begin_at(["gone"])
    taken = [queue.take() for _ in range(7)]
    assert [job.segment for job in taken if isinstance(job, DraftJob)] == ["9", "3", "4", "5", "0", "1", "2"]


def test_the_project_stores_unseen_changes():
    kept: dict[str, str] = {}
    session, changed = a_session(), ChangedDrafts()
    changed.open(session)
    changed.recall((), kept.__setitem__)
    session.set_states({"1": drafted("b"), "2": drafted("c"), "3": drafted("d")})
    session.set_states({"0": SegmentState("A", Status.CONFIRMED)})
    session.set_states({"1": drafted("B"), "2": drafted("C"), "3": drafted("D")})
    changed.mark_seen("3")
    changed.close()
    again = read_changed(kept[CHANGED_SETTING])
    assert again == (ChangedDraft("1", "b", "0"), ChangedDraft("2", "c", "0")), (
        "closing forgets nothing of it"
    )
    session.set_states({"2": SegmentState("mine", Status.EDITED)})
    reopened = ChangedDrafts()
    reopened.open(session)
    reopened.recall((*again, ChangedDraft("gone", "x")), kept.__setitem__)
    assert reopened.segment_ids == ("1",), "the other segment was edited since"
    assert reopened.mark_seen("1") == ChangedDraft("1", "b", "0")
    assert read_changed(kept[CHANGED_SETTING]) == ()


def test_a_projects_changed_drafts_are_read_as_untrusted():
    for kept in ("", "[", "{}", "[1]", '[["1", "b"]]', '[["1", "b", 2]]'):
        assert read_changed(kept) == (), kept


def test_a_draft_that_replaces_spaces_is_not_a_change():
    session, changed = a_session(), ChangedDrafts()
    changed.open(session)
    session.set_states({"1": drafted("  ")})
    session.set_states({"1": drafted("b")})
    assert len(changed) == 0


def test_another_text_of_a_confirmed_segment_is_not_a_cause():
    session, changed = a_session(), ChangedDrafts()
    changed.open(session)
    session.set_states({"1": drafted("b"), "2": SegmentState("C", Status.CONFIRMED)})
    session.set_states({"0": SegmentState("A", Status.CONFIRMED)})
    session.set_states({"2": SegmentState("CC", Status.CONFIRMED)})
    session.set_states({"1": drafted("B")})
    assert changed.get("1") == ChangedDraft("1", "b", "0")
    changed.forget()
    session.set_states({"1": drafted("BB")})
    assert changed.get("1") == ChangedDraft("1", "B"), "earlier changes are dropped"


def test_joining_drops_the_change():
    session, changed = a_session(), ChangedDrafts()
    changed.open(session)
    session.set_states({"1": drafted("b"), "2": drafted("c")})
    session.set_states({"1": drafted("B")})
    told: list[object] = []
    changed.changed.connect(told.append)
    segments = tuple(session.document)
    change = Resegmentation("d", segments, (*segments[:1], Segment("9", "第1句第2句"), *segments[3:]))
    session.apply_resegmentation(change)
    assert told == [("1",)] and len(changed) == 0
    session.apply_resegmentation(inverse_of(change))
    assert told == [("1",)]
