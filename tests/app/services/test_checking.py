"""Warnings follow what the segments say."""

from __future__ import annotations

from anaphora.core.document import Document
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.services.checking import CheckingService
from anaphora.services.session import DocumentSession


def test_warnings_come_with_a_text_and_go_with_it(qtbot):
    session = DocumentSession("d", Document("d", [Segment("a", "共 42 个节点。")]))
    service = CheckingService()
    found: dict[str, tuple[str, ...]] = {}
    service.checked.connect(found.__setitem__)
    service.open(session)
    session.set_states({"a": SegmentState("There are nodes.", Status.EDITED)})
    qtbot.waitUntil(lambda: any("42" in warning for warning in found.get("a", ())), timeout=3000)
    session.set_states({"a": SegmentState("There are 42 nodes.", Status.EDITED)})
    qtbot.waitUntil(lambda: found["a"] == (), timeout=3000)


def test_what_the_engine_said_counts_as_long_as_its_draft_stands(qtbot):
    session = DocumentSession("d", Document("d", [Segment("a", "节点。")]))
    service = CheckingService()
    found: dict[str, tuple[str, ...]] = {}
    service.checked.connect(found.__setitem__)
    service.open(session)
    session.set_states({"a": SegmentState("Nodes.", Status.DRAFT)})
    service.add_warnings("a", ("The decoder gave up early.",))
    assert found["a"] == ("The decoder gave up early.",)
    session.set_states({"a": SegmentState("A node.", Status.EDITED)})
    qtbot.waitUntil(lambda: found["a"] == (), timeout=3000)
