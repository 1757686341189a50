"""Thousands of simultaneous events reach the window as a few messages."""

from __future__ import annotations

import pytest
from recording_translator import RecordingTranslator

from anaphora.core.document import Document
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.editor.table.segment_model import SegmentModel
from anaphora.engine.worker import EngineWorker
from anaphora.features.drafting.drafting import DraftingService
from anaphora.project.document.session import DocumentSession

COUNT = 3000


@pytest.fixture
def session() -> DocumentSession:
    segments = [
        Segment(str(number), f"第{number}个账本。", SegmentState(f"Ledger {number}.", Status.DRAFT))
        for number in range(COUNT)
    ]
    return DocumentSession("d", Document("d", segments))


def confirmed(session: DocumentSession) -> dict[str, SegmentState]:
    return {each.id: SegmentState(each.target, Status.CONFIRMED) for each in session.document}


def test_changes_of_the_memory_are_reported_at_intervals(qtbot, session) -> None:
    worker = EngineWorker(RecordingTranslator)
    drafting = DraftingService(worker)
    restored: list[tuple[int, int]] = []
    learned: list[bool] = []
    remembered: list[str] = []
    worker.restoring.connect(lambda done, total: restored.append((done, total)))
    worker.memory_changed.connect(lambda job, _: remembered.append(job.segment))
    drafting.learned.connect(lambda: learned.append(True))
    drafting.open(session)
    worker.start()
    try:
        qtbot.waitUntil(lambda: (COUNT, COUNT) in restored, timeout=60000)
        assert len(restored) < COUNT / 10
        session.set_states(confirmed(session))
        qtbot.waitUntil(lambda: len(remembered) == COUNT, timeout=60000)
        qtbot.waitUntil(lambda: bool(learned), timeout=10000)
        assert len(learned) < COUNT / 10
        assert sorted(remembered) == sorted(each.id for each in session.document)
    finally:
        worker.stop(10.0)


def test_rows_that_change_together_are_reported_together(qtbot, session) -> None:
    model = SegmentModel()
    model.set_session(session)
    rows: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: rows.append((first.row(), last.row())))
    states = confirmed(session)
    session.set_states({key: state for key, state in states.items() if key != "7"})
    assert rows == [(0, 6), (8, COUNT - 1)]
