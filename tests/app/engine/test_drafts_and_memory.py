"""Drafts while the engine's memory or the terms change."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from recording_translator import RecordingTranslator

from anaphora.core.segment import Segment
from anaphora.engine.jobs import DraftJob, OpenJob
from anaphora.engine.worker import EngineWorker
from anaphora.features.packs.feature import Packs
from anaphora.features.steering.feature import Steering
from anaphora.features.steering.steering import with_factor
from anaphora.features.terms.feature import Terms
from anaphora_nmt.types import MemoryPack, SearchOptions, SourceTerm, Suggestion


def by_hand(window) -> None:
    window.of(Packs).service.use_packs((MemoryPack("P", (("账本", "register"),)),))


def from_memory(window) -> None:
    window.of(Packs).service.use_matches((("账本", "register"),))


def a_rule(window) -> None:
    window.of(Steering).service.use_rules(with_factor((), "register", "", 2.0))


class WaitingTranslator(RecordingTranslator):
    """A translator that waits before it drafts."""

    def __init__(self) -> None:
        super().__init__()
        self.may_draft = threading.Event()

    def translate(self, *given, **named) -> Suggestion:
        assert self.may_draft.wait(30)
        return super().translate(*given, **named)


def wait_without_events(condition: Callable[[], bool]) -> None:
    """Wait without handling events in the window."""
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("change", "expected"), [(by_hand, "bring_in"), (from_memory, "bring_in"), (a_rule, "steer")]
)
def test_unseen_drafts_are_made_again(
    qtbot, make_window, tmp_path: Path, change: Callable, expected: str
) -> None:
    path = tmp_path / "a.zh.txt"
    path.write_text("账本保存交易。\n节点读取账本。\n我们需要账本。\n", "utf-8")
    double = WaitingTranslator()
    window = make_window(double, path)
    qtbot.waitUntil(lambda: window.of(Terms).service.terms is not None)  # drafts wait for them, with events
    double.may_draft.set()
    wait_without_events(lambda: sum(name == "translate" for name, _ in double.calls) >= 3)
    change(window)
    qtbot.waitUntil(lambda: (expected, window.session.key) in double.calls, timeout=30000)
    everything = {segment.id for segment in window.session.document}

    def made_since() -> set[str]:
        place = double.calls.index((expected, window.session.key))
        return {segment for name, segment in double.calls[place:] if name == "translate"}

    qtbot.waitUntil(lambda: made_since() == everything, timeout=30000)


def test_a_running_draft_is_made_again_when_a_term_is_added(qtbot) -> None:
    known: list[SourceTerm] = []
    used: list[tuple[SourceTerm, ...]] = []

    class Slow(RecordingTranslator):
        def translate(
            self,
            document: str,
            segment: str,
            options: SearchOptions = SearchOptions(),
            cancel: Callable[[], bool] | None = None,
            terms: Sequence[SourceTerm] = (),
        ) -> Suggestion:
            used.append(tuple(terms))
            if len(used) == 1:
                known.append(SourceTerm(0, 2, ("register",)))  # the user adds it now
            return super().translate(document, segment, options, cancel, terms)

    worker = EngineWorker(Slow, terms=lambda segment: tuple(known))
    worker.start()
    try:
        with qtbot.waitSignal(worker.drafted, timeout=30000):
            worker.queue.put(OpenJob("d", (Segment("0", "账本。"),)))
            worker.queue.put(DraftJob("d", "0", 0))
    finally:
        worker.stop(10.0)
    assert used == [(), (SourceTerm(0, 2, ("register",)),)]
