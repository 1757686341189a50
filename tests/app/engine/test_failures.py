"""Every failure of a draft or a load is reported once, and the engine's thread continues."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot
from recording_translator import RecordingTranslator

from anaphora.core.segment import Segment
from anaphora.engine.jobs import DraftJob, OpenJob, Urgency
from anaphora.engine.worker import EngineWorker
from anaphora_nmt.types import Suggestion

SEGMENTS = tuple(Segment(str(number), f"账本{number}保存每个交易。") for number in range(2))
ENDS = (SystemExit(1), KeyboardInterrupt())
"""They do not derive from `Exception`, like a Rust panic."""


class Failing(RecordingTranslator):
    """A translator that fails at the first segment."""

    def __init__(self, problem: BaseException) -> None:
        super().__init__()
        self._problem = problem

    def translate(self, document: str, segment: str, *rest: object, **named: object) -> Suggestion:
        if segment == "0":
            raise self._problem
        return super().translate(document, segment, *rest, **named)  # type: ignore[arg-type]


@pytest.mark.parametrize("problem", ENDS, ids=lambda problem: type(problem).__name__)
def test_a_failed_draft_is_reported_once_and_the_next_one_follows(
    qtbot: QtBot, problem: BaseException
) -> None:
    worker = EngineWorker(lambda: Failing(problem))
    drafted: list[str] = []
    messages: list[str] = []
    worker.drafted.connect(lambda draft: drafted.append(draft.job.segment))
    worker.draft_failed.connect(lambda _, why: messages.append(why))
    worker.start()
    try:
        worker.queue.put(OpenJob("d", SEGMENTS))
        worker.queue.put(*(DraftJob("d", each.id, 0, Urgency.BATCH, False) for each in SEGMENTS))
        qtbot.waitUntil(lambda: drafted == ["1"], timeout=20000)
    finally:
        assert worker.stop(5.0)
    assert len(messages) == 1
    assert (
        "Translate this segment again" in messages[0]
        and "Report a problem" in messages[0]
        and type(problem).__name__ not in messages[0]
    )


def test_a_model_that_exits_while_loading_is_reported_and_another_one_loads(
    qtbot: QtBot,
) -> None:
    def leave() -> RecordingTranslator:
        raise SystemExit(1)

    worker = EngineWorker(leave)
    failed: list[str] = []
    loaded: list[object] = []
    worker.load_failed.connect(failed.append)
    worker.loaded.connect(loaded.append)
    worker.start()
    try:
        qtbot.waitUntil(lambda: bool(failed), timeout=20000)
        worker.set_loader(RecordingTranslator)
        worker.queue.put(OpenJob("d", SEGMENTS))
        qtbot.waitUntil(lambda: bool(loaded), timeout=20000)
    finally:
        assert worker.stop(5.0)
