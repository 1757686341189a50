"""The engine's worker with the real engine: explanations are of drafts as the session makes them."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from anaphora.services.engine_jobs import OpenJob
from anaphora.services.engine_worker import EngineWorker, default_loader
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.types import Explanation, SearchOptions, SourceSegment

CONFIRMED = ("训练循环更新模型的参数。", "The training cycle updates the parameters of the model.")
SOURCE, TARGET = "编写一个自定义训练循环。", "Write a custom training cycle."


@pytest.mark.parametrize("read", [True, False])
@pytest.mark.slow
def test_an_explanation_reads_the_memories_that_drafts_read(qtbot: QtBot, read: bool) -> None:
    loader = default_loader(embedded_model(), "cpu", 1)
    worker = EngineWorker(loader, SearchOptions(beam_size=1, memories={"confirmed": read}))
    worker.start()
    segments = (SourceSegment("0", CONFIRMED[0]), SourceSegment("1", SOURCE))
    worker.queue.put(OpenJob("d", segments, (("0", CONFIRMED[1], True),)))
    try:
        with qtbot.waitSignal(worker.explained, timeout=30000) as explained:
            worker.explain("d", "1", TARGET, 1)
    finally:
        worker.stop(10.0)
    explanation: Explanation = explained.args[0]
    token = next(token for token in explanation.tokens if token.word.startswith("cycle"))
    assert bool(token.uses) == bool(token.memory_influence) == read
