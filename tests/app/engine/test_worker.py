"""The worker with the real engine: explanations match the drafts of the session."""

from __future__ import annotations

import time

import pytest
from echo_memory import echo_translator, led_to, registered
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from anaphora.core.segment import Segment
from anaphora.editor.appearance.theme import Theme
from anaphora.engine.jobs import OpenJob, RememberJob
from anaphora.engine.worker import EngineWorker, default_loader
from anaphora.features.drafting.completions import completion
from anaphora.features.explain.inspector import explanation, preview
from anaphora.features.explain.view.topic import TopicPanel
from anaphora.features.explain.view.why import WhyPanel
from anaphora.features.terms.requests import alignment
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.steering import WhatIf
from anaphora_nmt.types import Completion, Explanation, SearchOptions, Suggestion

CONFIRMED = ("训练循环更新模型的参数。", "The training cycle updates the parameters of the model.")
SOURCE, TARGET = "编写一个自定义训练循环。", "Write a custom training cycle."


@pytest.mark.parametrize("read", [True, False])
@pytest.mark.slow
def test_explanations_use_the_same_memories_as_drafts(qtbot: QtBot, read: bool) -> None:
    loader = default_loader(embedded_model(), "cpu", 1)
    worker = EngineWorker(loader, SearchOptions(beam_size=1, memories={"confirmed": read}))
    worker.start()
    segments = (Segment("0", CONFIRMED[0]), Segment("1", SOURCE))
    worker.queue.put(OpenJob("d", segments, (("0", CONFIRMED[1], True),)))
    try:
        explained: list[Explanation] = []
        worker.ask(explanation("d", "1", TARGET, explained.append))
        qtbot.waitUntil(lambda: bool(explained), timeout=30000)
    finally:
        worker.stop(10.0)
    token = next(token for token in explained[0].tokens if token.word.startswith("cycle"))
    assert bool(token.uses) == bool(token.memory_influence) == read


@pytest.mark.slow
def test_a_memory_unknown_to_the_app_is_displayed(qtbot: QtBot) -> None:
    """It influences drafts, and the panels show its name."""
    sources, target = ("打开文件。", "打开文件。"), "Zebras gallop."
    with registered():
        worker = EngineWorker(echo_translator, SearchOptions(beam_size=1))
        worker.start()
        segments = tuple(Segment(str(place), text) for place, text in enumerate(sources))
        try:
            previewed: list[tuple[Suggestion, ...]] = []
            explained: list[Explanation] = []
            worker.queue.put(OpenJob("d", segments))
            worker.ask(preview("d", ("1",), WhatIf(), previewed.append))
            qtbot.waitUntil(lambda: len(previewed) == 1, timeout=60000)
            worker.queue.put(RememberJob("d", "0", target))
            worker.ask(preview("d", ("1",), WhatIf(), previewed.append))
            qtbot.waitUntil(lambda: len(previewed) == 2, timeout=30000)
            worker.ask(explanation("d", "1", "Zebras open the file.", explained.append))
            qtbot.waitUntil(lambda: bool(explained), timeout=30000)
        finally:
            worker.stop(10.0)
    drafts = [led_to(found[0]) for found in previewed]
    assert drafts[1] != drafts[0]
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme = Theme(app)
    why, topic = WhyPanel(theme, int), TopicPanel(theme, int)
    for panel in (why, topic):
        qtbot.addWidget(panel)
        panel.show_explanation(explained[0])
    why.select_word(0)
    assert why.words.topLevelItem(0).text(0) == "Zebras"


@pytest.mark.slow
def test_completions_do_not_wait_for_an_alignment(qtbot: QtBot) -> None:
    """The alignment of a long segment takes seconds; a completion interrupts it."""
    worker = EngineWorker(default_loader(embedded_model(), "cpu", 1), SearchOptions(beam_size=1))
    source, target = (CONFIRMED[0] + SOURCE) * 3, f"{CONFIRMED[1]} {TARGET} " * 3
    stretches = tuple((start, start + 1) for start in range(len(source)))
    aligned: list[Explanation] = []
    completed: list[Completion] = []
    align = alignment("d", "0", target, stretches, aligned.append)
    worker.start()
    try:
        with qtbot.waitSignal(worker.opened, timeout=30000):
            worker.queue.put(OpenJob("d", (Segment("0", source), Segment("1", SOURCE))))
        worker.ask(completion("d", "1", "", "Write a", completed.append))  # warm up
        qtbot.waitUntil(lambda: bool(completed), timeout=30000)
        begun = time.process_time()
        worker.ask(align)
        qtbot.waitUntil(lambda: len(aligned) == 1, timeout=120000)
        whole = time.process_time() - begun
        worker.ask(align)
        qtbot.wait(int(1000 * whole / 10))  # it has begun, and may take less time than before
        begun = time.process_time()
        known = len(completed)
        worker.ask(completion("d", "1", "", "Write a custom", completed.append))
        qtbot.waitUntil(lambda: len(completed) > known, timeout=30000)
        waited = time.process_time() - begun
        assert len(aligned) == 1, "the alignment must be interrupted"
        qtbot.waitUntil(lambda: len(aligned) == 2, timeout=120000)  # the interrupted one is completed
    finally:
        worker.stop(10.0)
    assert waited < whole / 4
    assert aligned[1].stretches == aligned[0].stretches and len(aligned[0].stretches) == len(stretches)
