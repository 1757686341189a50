"""The drafts in the engine after segments were joined or split."""

from __future__ import annotations

from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.features.drafting.current_drafts import CurrentDrafts


def segment(key: str, target: str, status: Status = Status.DRAFT) -> Segment:
    return Segment(key, "账本。").with_state(SegmentState(target, status))


def test_the_drafts_in_the_engine_are_tracked() -> None:
    drafts = CurrentDrafts()
    drafts.begin([("1", "One", False), ("2", "Two", False), ("3", "Three", False), ("4", "Four", False)])
    written_over = segment("1", "Uno", Status.EDITED)
    assert drafts.update(written_over) is False
    now = [written_over, segment("2", "Two and three"), segment("3", "Four"), segment("9", "Nine")]
    drafts.move(now, {"2", "3", "4"}, {"4": "3"}, lambda source, target: target != "Nine")
    # The engine gets overwritten and joined texts; the last segment moved up.
    assert drafts._drafts == {"1": "Uno", "2": "Two and three", "3": "Four"}
    assert drafts.update(written_over) is None
