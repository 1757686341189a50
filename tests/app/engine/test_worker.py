"""The engine's worker with the real engine: explanations are of drafts as the session makes them."""

from __future__ import annotations

import time

import pytest
from echo_memory import echo_translator, led_to, registered
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from anaphora.engine.jobs import AlignJob, OpenJob, PreviewJob, RememberJob
from anaphora.engine.worker import EngineWorker, default_loader
from anaphora.memory.view.topic import TopicPanel
from anaphora.memory.view.why import WhyPanel
from anaphora.views.appearance.theme import Theme
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.steering import WhatIf
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


@pytest.mark.slow
def test_a_memory_that_the_app_does_not_name_is_shown_and_left_out(qtbot: QtBot) -> None:
    """What a reader compares with is drafted without it, and the panels say its name."""
    sources, said = ("打开文件。", "打开文件。"), "Zebras gallop."
    with registered():
        worker = EngineWorker(echo_translator, SearchOptions(beam_size=1))
        worker.start()
        segments = tuple(SourceSegment(str(place), text) for place, text in enumerate(sources))
        try:
            with qtbot.waitSignal(worker.previewed, timeout=60000) as unhistoried:
                worker.queue.put(OpenJob("d", segments))
                worker.queue.put(PreviewJob("d", ("1",), WhatIf(), 1))
            with qtbot.waitSignal(worker.previewed, timeout=30000) as with_it:
                worker.queue.put(RememberJob("d", "0", said))
                worker.queue.put(PreviewJob("d", ("1",), WhatIf(), 2))
            with qtbot.waitSignal(worker.previewed, timeout=30000) as without:
                worker.queue.put(PreviewJob("d", ("1",), WhatIf(), 3, without_memory=True))
            with qtbot.waitSignal(worker.explained, timeout=30000) as explained:
                worker.explain("d", "1", "Zebras open the file.", 4)
        finally:
            worker.stop(10.0)
    drafts = [led_to(found.args[0][0]) for found in (unhistoried, with_it, without)]
    assert drafts[1] != drafts[0] == drafts[2]
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme = Theme(app)
    why, topic = WhyPanel(theme, int), TopicPanel(theme)
    for panel in (why, topic):
        qtbot.addWidget(panel)
        panel.show_explanation(explained.args[0])
    assert why._shares["echo"].property("title") == "Echoes"
    why.select_word(0)
    assert why.words.topLevelItem(0).text(0) == "Zebras"


@pytest.mark.slow
def test_what_is_typed_does_not_wait_for_an_alignment(qtbot: QtBot) -> None:
    """A long segment with a hundred stretches takes seconds; a completion comes in between."""
    worker = EngineWorker(default_loader(embedded_model(), "cpu", 1), SearchOptions(beam_size=1))
    source, target = (CONFIRMED[0] + SOURCE) * 8, f"{CONFIRMED[1]} {TARGET} " * 8
    stretches = tuple((start, start + 1) for start in range(len(source)))
    aligned: list[Explanation] = []
    worker.aligned.connect(aligned.append)
    worker.start()
    try:
        with qtbot.waitSignal(worker.opened, timeout=30000):
            worker.queue.put(OpenJob("d", (SourceSegment("0", source), SourceSegment("1", SOURCE))))
        with qtbot.waitSignal(worker.completed, timeout=30000):
            worker.complete("d", "1", "Write a", 1)  # what a first call warms up
        begun = time.process_time()
        with qtbot.waitSignal(worker.aligned, timeout=120000):
            worker.queue.put(AlignJob("d", "0", target, stretches=stretches))
        whole = time.process_time() - begun
        worker.queue.put(AlignJob("d", "0", target, stretches=stretches))
        qtbot.wait(int(1000 * whole / 10))  # it is begun, and a second time may take less than the first
        begun = time.process_time()
        with qtbot.waitSignal(worker.completed, timeout=30000):
            worker.complete("d", "1", "Write a custom", 2)
        waited = time.process_time() - begun
        assert len(aligned) == 1, "the alignment was at its end: nothing had to be interrupted"
        with qtbot.waitSignal(worker.aligned, timeout=120000):
            pass  # what was given up is done afterwards
    finally:
        worker.stop(10.0)
    assert waited < whole / 4
    assert aligned[1].stretches == aligned[0].stretches and len(aligned[0].stretches) == len(stretches)
