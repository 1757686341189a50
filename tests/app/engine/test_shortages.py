"""During a memory shortage the engine waits with a message, and resumes automatically."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot
from recording_translator import RecordingTranslator

from anaphora.core.segment import Segment
from anaphora.engine import worker as engine_worker
from anaphora.engine.jobs import DraftJob, OpenJob, RememberJob, Urgency
from anaphora.engine.worker import Drafted, EngineWorker
from anaphora.features.explain.inspector import explanation
from anaphora_nmt.errors import is_shortage_of_memory
from anaphora_nmt.types import Explanation, MemoryVersion, Suggestion

SEGMENTS = tuple(Segment(str(number), f"账本{number}保存每个交易。") for number in range(4))


class ShortOfMemory(RecordingTranslator):
    """Like in the real engine, a thread never recovers from a failure to allocate.

    Attributes:
        left: number of calls that have memory.
        too_large: a segment that never has enough memory.
    """

    def __init__(self, left: int) -> None:
        super().__init__()
        self.left, self.too_large = left, ""
        self.thread = threading.local()

    def translate(self, document: str, segment: str, *rest: object, **named: object) -> Suggestion:
        if segment == self.too_large:
            raise MemoryError
        self.allocate()
        return super().translate(document, segment, *rest, **named)  # type: ignore[arg-type]

    def remember(self, document: str, segment: str, target: str, draft: str | None = None) -> MemoryVersion:
        self.allocate()
        return super().remember(document, segment, target, draft)

    def explain(self, *what: object, **named: object) -> Explanation:
        self.allocate()
        return super().explain(*what, **named)  # type: ignore[arg-type]

    def allocate(self) -> None:
        self.left -= 1
        if self.left < 0 or getattr(self.thread, "has_failed", False):
            self.thread.has_failed = True
            raise RuntimeError("could not create a primitive")


class Heard:
    """A running worker and its messages."""

    def __init__(self, translator: Callable[[], ShortOfMemory]) -> None:
        self.worker = EngineWorker(translator)
        self.drafts: list[str] = []
        self.refused: list[tuple[str, str]] = []
        self.failures: list[str] = []
        self.shortages: list[bool] = []
        self.worker.drafted.connect(self._take)
        self.worker.draft_failed.connect(lambda job, why: self.refused.append((job.segment, why)))
        self.worker.failed.connect(self.failures.append)
        self.worker.short_of_memory.connect(self.shortages.append)
        self.worker.start()
        self.worker.queue.put(OpenJob("d", SEGMENTS))

    def _take(self, drafted: Drafted) -> None:
        self.drafts.append(drafted.job.segment)

    def draft(self, *numbers: int, requested: bool = False) -> None:
        urgency = Urgency.PROMPT if requested else Urgency.BATCH
        self.worker.queue.put(*(DraftJob("d", str(each), 0, urgency, requested) for each in numbers))


@pytest.fixture(autouse=True)
def short_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_worker, "REST_SECONDS", 0.05)


def test_a_thread_is_replaced_silently_after_a_shortage(qtbot: QtBot) -> None:
    double = ShortOfMemory(1)
    heard = Heard(lambda: double)
    heard.draft(0)
    qtbot.waitUntil(lambda: heard.drafts == ["0"], timeout=20000)
    real, double.left = double.allocate, 1000

    def once() -> None:
        double.allocate = real  # type: ignore[method-assign]
        double.thread.has_failed = True
        real()

    double.allocate = once  # type: ignore[method-assign]
    heard.draft(1, 2)
    qtbot.waitUntil(lambda: heard.drafts == ["0", "1", "2"], timeout=20000)
    assert heard.worker.stop(5.0)
    assert not heard.refused and not heard.failures and not heard.shortages


def test_drafts_and_confirmations_wait_for_memory_and_resume(qtbot: QtBot) -> None:
    double = ShortOfMemory(1)
    heard = Heard(lambda: double)
    heard.draft(0, 1, 2)
    qtbot.waitUntil(lambda: True in heard.shortages, timeout=20000)
    heard.worker.queue.put(RememberJob("d", "0", "Said."))
    qtbot.wait(200)
    assert heard.drafts == ["0"]
    double.left = 1000
    qtbot.waitUntil(lambda: sorted(heard.drafts) == ["0", "1", "2"], timeout=20000)
    assert heard.worker.stop(5.0)
    assert ("remember", "0") in double.calls
    assert heard.shortages[-1] is False and not heard.refused


def test_an_awaited_request_without_memory_gets_a_message(qtbot: QtBot) -> None:
    double = ShortOfMemory(0)
    heard = Heard(lambda: double)
    heard.draft(0, requested=True)
    heard.worker.ask(explanation("d", "1", "Text.", print))
    qtbot.waitUntil(lambda: bool(heard.refused and heard.failures), timeout=20000)
    assert heard.worker.stop(5.0)
    for message in (heard.refused[0][1], heard.failures[0]):
        assert "memory" in message and "try again" in message and "primitive" not in message


def test_a_draft_that_is_too_large_blocks_no_other(qtbot: QtBot) -> None:
    double = ShortOfMemory(1000)
    double.too_large = "0"
    heard = Heard(lambda: double)
    heard.draft(0, 1, 2)
    qtbot.waitUntil(lambda: bool(heard.refused), timeout=20000)
    assert heard.worker.stop(5.0)
    assert heard.refused[0][0] == "0" and heard.drafts == ["1", "2"]
    assert heard.shortages[-1] is False


def test_a_model_without_enough_memory_is_loaded_later(qtbot: QtBot) -> None:
    trials = iter((MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory"), None))

    def load() -> ShortOfMemory:
        if (problem := next(trials)) is not None:
            raise problem
        return ShortOfMemory(1000)

    heard = Heard(load)
    heard.draft(0)
    qtbot.waitUntil(lambda: heard.drafts == ["0"], timeout=20000)
    assert heard.worker.stop(5.0)
    assert heard.shortages == [True, True, False]


@pytest.mark.parametrize("problem", [KeyError("x"), RuntimeError("shapes do not fit"), OSError(5, "I/O")])
def test_another_failure_is_not_a_shortage_and_is_reported(qtbot: QtBot, problem: Exception) -> None:
    double = ShortOfMemory(1000)

    def fail() -> None:
        raise problem

    double.allocate = fail  # type: ignore[method-assign]
    heard = Heard(lambda: double)
    heard.draft(0)
    heard.worker.ask(explanation("d", "1", "Text.", print))
    qtbot.waitUntil(lambda: bool(heard.refused and heard.failures), timeout=20000)
    assert heard.worker.stop(5.0)
    assert not is_shortage_of_memory(problem) and not heard.shortages
    for message in (heard.refused[0][1], heard.failures[0]):
        assert "Try " in message and "Report a problem" in message and str(problem) not in message


REAL = """
import resource, sys
from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer
from anaphora.engine import worker as engine_worker
from anaphora.engine.jobs import DraftJob, OpenJob
from anaphora.features.explain.inspector import comparison, explanation
from anaphora.engine.worker import EngineWorker, default_loader
from anaphora.system.locations import default_model
from anaphora.core.segment import Segment

engine_worker.REST_SECONDS = 0.2
application = QCoreApplication([])
worker = EngineWorker(default_loader(default_model(), "cpu", 1))
drafts, explained, shortages = [], [], []
worker.drafted.connect(lambda found: drafts.append(found.job.segment))
worker.short_of_memory.connect(shortages.append)
worker.failed.connect(shortages.append)

def until(done, seconds):
    loop, clock, end = QEventLoop(), QTimer(), QTimer(singleShot=True)
    clock.timeout.connect(lambda: loop.quit() if done() else None)
    end.timeout.connect(loop.quit)
    clock.start(10)
    end.start(round(seconds * 1000))
    loop.exec()
    return done()

def draft(*numbers):
    worker.queue.put(*(DraftJob("d", str(each), 0) for each in numbers))

# Sentences of different lengths need different kernels.
texts = ["账本保存每个交易" + "，节点读取缓存" * number + "。" for number in range(6)]
worker.start()
worker.queue.put(OpenJob("d", tuple(Segment(str(n), text) for n, text in enumerate(texts))))
draft(0, 1)
assert until(lambda: len(drafts) == 2, 60)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (2 << 20), resource.RLIM_INFINITY))
draft(*range(2, 6))
target = "The ledger keeps each transaction, and the node reads the cache. "
worker.ask(*(comparison("d", str(n), target * (1 + n // 2), print) for n in range(2, 6)))
until(lambda: bool(shortages), 5)
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
was_short = bool(shortages)
assert until(lambda: len(drafts) == 6, 60), drafts
worker.ask(explanation("d", "5", "The ledger keeps each transaction.", explained.append))
assert until(lambda: bool(explained), 60)
assert worker.stop(5.0)
print("was short" if was_short else "had enough")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits the address space as Linux does")
@pytest.mark.slow
def test_the_real_engine_works_again_when_there_is_memory() -> None:
    environment = {**os.environ, "ANAPHORA_NATIVE": "0"}  # only torch, whose kernels fail
    done = subprocess.run([sys.executable, "-c", REAL], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if "had enough" in done.stdout:
        pytest.skip("the drafts needed no more memory on this processor")


def test_moving_from_the_graphics_card_is_announced_once(qtbot: QtBot) -> None:
    double = ShortOfMemory(1000)
    double.info = replace(double.info, device="cuda:0 (a card)")
    heard = Heard(lambda: double)
    heard.draft(0)
    qtbot.waitUntil(lambda: heard.drafts == ["0"], timeout=20000)
    assert not heard.failures
    double.info = replace(double.info, device="cpu")
    heard.draft(1, 2)
    qtbot.waitUntil(lambda: heard.drafts == ["0", "1", "2"], timeout=20000)
    assert heard.worker.stop(5.0)
    assert len(heard.failures) == 1 and "GPU is out of memory" in heard.failures[0]
