"""The user's rules for the memory are stored in the project and follow their segments."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot
from recording_translator import RecordingTranslator

from anaphora.core.document import Document
from anaphora.core.edits import Resegmentation
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.engine.jobs import Request, SteerJob, Urgency
from anaphora.engine.worker import EngineWorker
from anaphora.features.drafting.drafting import DraftingService
from anaphora.features.steering.steering import MAX_DRAFTS, RULES_SETTING, SteeringService, read_rules
from anaphora.project.document.session import DocumentSession
from anaphora_nmt.types import MemoryRule, MemoryVersion, Suggestion

FIRST = MemoryRule("ledger", "1/0", weight=0.0)
LATER = MemoryRule("node", "1/2", pinned=True)


def segment(number: int, text: str) -> Segment:
    return Segment(f"1/{number}", text, SegmentState(f"Draft {text}.", Status.DRAFT))


class Desk:
    """A service with a session; it stores settings in a dictionary."""

    def __init__(self, kept: str = "", count: int = 4) -> None:
        self.kept: dict[str, str] = {}
        # The engine is not needed and never starts.
        self.worker = EngineWorker(RecordingTranslator)
        self.drafting = DraftingService(self.worker)
        self.service = SteeringService(self.worker, self.drafting)
        segments = [segment(number, f"第{number}句。") for number in range(count)]
        self.session = DocumentSession("d", Document("d", segments))
        self.messages: list[str] = []
        self.service.failed.connect(self.messages.append)
        self.service.open(self.session, read_rules(kept), self.kept.__setitem__)


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    yield Desk()


def test_rules_are_kept_and_read_again(desk: Desk) -> None:
    desk.service.use_rules((FIRST, LATER))
    again = Desk(desk.kept[RULES_SETTING])
    assert again.service.rules == (FIRST, LATER)
    assert again.messages == []


@pytest.mark.parametrize("kept", ["{", '[{"word": 3}]', '{"word": "x"}', "[null]", "7", "[" * 200_000])
def test_rules_that_cannot_be_read_are_reported(qtbot: QtBot, kept: str) -> None:
    desk = Desk(kept)
    assert desk.service.rules == () and desk.kept == {}
    assert len(desk.messages) == 1


def test_rules_follow_their_segments_through_a_join(desk: Desk) -> None:
    desk.service.use_rules((FIRST, LATER))
    before = tuple(desk.session.document)
    joined = Segment("1/0", before[0].source + before[1].source, SegmentState("", Status.NOT_STARTED))
    others = [Segment(f"1/{number}", *each) for number, each in enumerate(map(_parts, before[2:]), 1)]
    desk.session.apply_resegmentation(Resegmentation("1", before, (joined, *others)))
    moved = MemoryRule("node", "1/1", pinned=True)
    assert desk.service.rules == (moved,), "the joined segment's rule is dropped, the other one has moved"
    assert json.loads(desk.kept[RULES_SETTING])[0]["segment"] == "1/1"


def _parts(segment: Segment) -> tuple[str, SegmentState]:
    return segment.source, segment.state


def test_drafts_near_the_current_segment_are_redone_for_a_rule(qtbot: QtBot) -> None:
    desk = Desk(count=3 * MAX_DRAFTS)
    desk.service.set_current("1/20")
    found = desk.service.affected_drafts((MemoryRule("ledger", "1/10"),))
    assert found == tuple(f"1/{number}" for number in range(20, 20 + MAX_DRAFTS))
    found = desk.service.affected_drafts((MemoryRule("ledger", "1/10"),), "第15句")
    assert found == ("1/15", *(f"1/{number}" for number in range(20, 19 + MAX_DRAFTS)))
    desk.service.set_current(f"1/{3 * MAX_DRAFTS - 4}")
    found = desk.service.affected_drafts((MemoryRule("ledger", "1/10"),))
    last = range(3 * MAX_DRAFTS - 1 - MAX_DRAFTS, 3 * MAX_DRAFTS)
    assert found == tuple(f"1/{number}" for number in last)[-MAX_DRAFTS:], "earlier drafts come last"
    assert desk.service.affected_drafts((MemoryRule("ledger", f"1/{3 * MAX_DRAFTS - 1}"),)) == ()
    assert desk.service.affected_drafts(()) == ()


def test_only_drafts_after_the_segments_of_the_rules_are_affected(desk: Desk) -> None:
    following = desk.service.affected_drafts
    assert following((LATER,)) == ("1/3",)
    assert following((LATER, FIRST)) == ("1/1", "1/2", "1/3")
    every = ("1/0", "1/1", "1/2", "1/3")
    assert following((MemoryRule("ledger"),)) == every == following((MemoryRule("x", "gone"), LATER))
    desk.session.set_states({"1/1": SegmentState("Mine.", Status.EDITED)})
    assert following((FIRST,)) == ("1/2", "1/3"), "edited text is not redone"
    desk.service.close()
    assert following((FIRST,)) == () and desk.service.rules == ()


def test_previews_contain_only_drafts_that_would_change(desk: Desk) -> None:
    shown: list[tuple[tuple[str, str], ...]] = []
    desk.service.previewed.connect(
        lambda previews, ticket: shown.append(tuple((each.segment, each.after) for each in previews))
    )
    desk.session.set_states({"1/1": SegmentState("Mine.", Status.EDITED)})
    texts = {"1/0": "Another.", "1/1": "Another.", "1/2": "Draft 第2句。.", "gone": "Another."}
    assert [desk.service.preview_rules(()), desk.service.preview_rules(())] == [1, 2], "its own ticket"
    asked = desk.worker.queue.take()
    assert isinstance(asked, Request)
    asked.receive(tuple(Suggestion(key, text, 0.0, MemoryVersion("d", 1)) for key, text in texts.items()))
    assert shown == [(("1/0", "Another."),)]
    desk.service.close()
    asked.receive(())
    desk.service.use_rules((FIRST,))
    assert len(shown) == 1 and desk.service.rules == () and RULES_SETTING not in desk.kept


def test_a_join_without_rules_changes_nothing(desk: Desk) -> None:
    told: list[bool] = []
    desk.service.changed.connect(lambda: told.append(True))
    before = tuple(desk.session.document)
    desk.session.apply_resegmentation(Resegmentation("1", before, (Segment("1/9", "全部。"),)))
    assert told == [] and desk.kept == {}


def test_the_engine_gets_stored_rules_and_previews_others(desk: Desk) -> None:
    desk.service.use_rules((MemoryRule("账本", "1/0", weight=0.0),))
    kept = desk.kept[RULES_SETTING]
    assert "账本" in kept, "readable"
    again = Desk(kept)
    assert again.worker.queue.take() == SteerJob("d", again.service.rules)
    silent = Desk()
    silent.service.preview_rules((FIRST,))
    asked = silent.worker.queue.take()
    assert isinstance(asked, Request) and asked.urgency is Urgency.PREVIEW, "nothing is sent without rules"


def test_without_a_current_segment_the_first_drafts_come_first(qtbot: QtBot) -> None:
    found = Desk(count=MAX_DRAFTS + 2).service.affected_drafts((MemoryRule("ledger"),))
    assert found == tuple(f"1/{number}" for number in range(MAX_DRAFTS))
