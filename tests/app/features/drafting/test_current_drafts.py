"""The engine remembers a draft while it is the document's text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pytestqt.qtbot import QtBot
from recording_translator import RecordingTranslator

from anaphora.core.document import Document
from anaphora.core.edits import Resegmentation
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.engine.worker import EngineWorker
from anaphora.features.drafting.current_drafts import CurrentDrafts
from anaphora.features.drafting.drafting import DraftingService
from anaphora.project.document.session import DocumentSession


class Desk:
    """A session whose drafts come from a double of the engine, which records its messages."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.engine = RecordingTranslator()
        self.worker = EngineWorker(lambda: self.engine)
        self.drafting = DraftingService(self.worker)
        self.session = DocumentSession(
            "d", Document("d", [Segment(f"1/{n}", f"第{n}句话。") for n in range(3)])
        )
        self.held: list[str] = []
        self.drafting.draft_replaced.connect(self.held.append)
        self.worker.start()
        self.drafting.open(self.session)
        qtbot.waitUntil(
            lambda: all(each.status is Status.DRAFT for each in self.session.document), timeout=30000
        )

    def put(self, segment: str, text: str, status: Status) -> None:
        self.session.set_states({segment: SegmentState(text, status)})

    def text(self, segment: str) -> str:
        return self.session.document.get(segment).target

    def wait_for(self, calls: Callable[[], list[tuple[str, str]]], expected: list[tuple[str, str]]) -> None:
        self.qtbot.waitUntil(lambda: calls() == expected, timeout=30000)

    def engine_messages(self) -> list[tuple[str, str]]:
        """The engine's messages about its drafts, in order."""
        return [(name, segment) for name, segment in self.engine.calls if name in ("count", "discount")]


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    desk = Desk(qtbot)
    yield desk
    desk.drafting.close()
    assert desk.worker.stop(10.0)


def test_an_overwritten_draft_is_withdrawn_until_undo(desk: Desk) -> None:
    draft = desk.text("1/0")
    assert desk.held == ["1/0", "1/1", "1/2"] and desk.engine_messages() == []
    desk.put("1/0", "Another", Status.EDITED)
    desk.put("1/0", "Another text.", Status.EDITED)
    desk.wait_for(desk.engine_messages, [("discount", "1/0")])
    desk.put("1/0", draft, Status.DRAFT)
    desk.wait_for(desk.engine_messages, [("discount", "1/0"), ("count", "1/0")])
    desk.wait_for(lambda: [(each, "") for each in desk.held[3:]], [("1/0", "")] * 2)


def test_a_segment_whose_text_is_undone_before_its_draft_came_gets_one(desk: Desk) -> None:
    desk.put("1/1", "Hello", Status.EDITED)
    desk.session.set_states({"1/1": SegmentState()})
    desk.qtbot.waitUntil(lambda: desk.session.document.get("1/1").status is Status.DRAFT, timeout=30000)


def test_the_draft_of_a_confirmed_segment_rests_until_it_is_unconfirmed(desk: Desk) -> None:
    desk.put("1/1", "Confirmed.", Status.CONFIRMED)
    desk.put("1/1", "Confirmed.", Status.EDITED)
    desk.wait_for(desk.engine_messages, [("discount", "1/1")])
    assert desk.engine.calls.index(("forget", "1/1")) < desk.engine.calls.index(("discount", "1/1"))


def test_a_draft_of_another_origin_replaces_the_engines(desk: Desk) -> None:
    desk.put("1/2", "From a translation memory.", Status.DRAFT)
    desk.wait_for(desk.engine_messages, [("discount", "1/2")])


def test_a_late_draft_does_not_count(desk: Desk) -> None:
    desk.worker.queue.set_paused(True)
    desk.drafting.redraft(["1/0"])
    desk.put("1/0", "Written meanwhile.", Status.EDITED)
    desk.wait_for(desk.engine_messages, [("discount", "1/0")])
    desk.worker.queue.set_paused(False)
    desk.wait_for(desk.engine_messages, [("discount", "1/0"), ("discount", "1/0")])


def test_a_requested_draft_counts_only_if_it_is_used(desk: Desk) -> None:
    with desk.qtbot.waitSignal(desk.drafting.suggested, timeout=30000):
        desk.put("1/0", "Mine.", Status.EDITED)
        desk.drafting.translate_again("1/0")
    desk.wait_for(desk.engine_messages, [("discount", "1/0"), ("discount", "1/0")])


def test_after_a_split_only_current_drafts_count(desk: Desk) -> None:
    desk.put("1/1", "Written over.", Status.EDITED)
    before = tuple(desk.session.document)
    halves = Segment("1/0", "第0句", SegmentState()), Segment("1/1", "话。", SegmentState())
    moved = tuple(Segment(f"1/{n + 1}", each.source, each.state) for n, each in enumerate(before) if n)
    change = Resegmentation("1", before, (*halves, *moved))
    desk.session.apply_resegmentation(change)
    desk.put("1/2", "Written over again.", Status.EDITED)
    desk.put("1/3", "And here.", Status.EDITED)
    desk.wait_for(desk.engine_messages, [("discount", "1/1"), ("discount", "1/2"), ("discount", "1/3")])


def test_a_draft_counts_while_it_is_the_text() -> None:
    def segment(target: str, status: Status = Status.DRAFT, key: str = "1") -> Segment:
        return Segment(key, "账本。", SegmentState(target, status))

    drafts = CurrentDrafts()
    drafts.begin([("1", "Ledger.", False), ("2", "Book.", True)])
    assert drafts.update(segment("Ledger.")) is None, "it counts already"
    assert drafts.update(segment("Other.")) is False
    assert drafts.update(segment("Others.")) is None, "reported once"
    assert drafts.update(segment("Ledger.", Status.CONFIRMED)) is None
    assert drafts.update(segment("Ledger.")) is True
    assert drafts.update(segment("Anything.", key="2")) is None, "confirmed segments have no draft"
    assert not drafts.add("1", "Ledger.") and drafts.add("1", "Register.")
    assert drafts.add("3", "Unusable.", counts=False)
    assert drafts.add("3", "Unusable."), "now it counts"
    assert drafts.update(segment("", key="3")) is False


def test_after_a_join_the_engine_gets_missing_targets() -> None:
    drafts = CurrentDrafts()
    drafts.begin([(key, f"Draft {key}.", False) for key in "12345"])
    assert drafts.update(Segment("5", "五", SegmentState("Mine.", Status.EDITED))) is False
    now = [
        Segment("1", "一二", SegmentState("Draft 1. Draft 2.", Status.EDITED)),
        Segment("3", "三", SegmentState("Draft 3.", Status.DRAFT)),
        Segment("9", "四", SegmentState("Draft 4.", Status.DRAFT)),
        Segment("5", "五", SegmentState("Mine.", Status.EDITED)),
        Segment("6", "六", SegmentState("Said.", Status.CONFIRMED)),
        Segment("7", "七", SegmentState("  ", Status.EDITED)),
        Segment("8", "八", SegmentState("八", Status.EDITED)),
    ]
    drafts.move(now, ["1", "2", "4"], {"4": "9"}, lambda source, target: source != target)
    assert all(drafts.update(segment) is None for segment in now), "all stored drafts count"
    others = [Segment(key, "别的。", SegmentState("Other.", Status.EDITED)) for key in "123456789"]
    assert [each.id for each in others if drafts.update(each) is False] == ["1", "3", "5", "9"]
