"""A document of 50,000 segments in the real window without a model: times of user actions, and memory.

Times are elapsed times and CPU times; on a busy machine, only CPU times are reliable. The CPU time of
a frame is that of the window's thread; all other CPU times are those of all threads.

Run: python tests/benchmarks/bench_large.py [segments] [documents as JSON lines, .xz]
The sentences come from the options corpus or from the sample; they are numbered, so that all are different.
"""

from __future__ import annotations

import argparse
import itertools
import json
import lzma
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.composition import make_window
from anaphora.editor.appearance.application import make_application
from anaphora.features.engine_state.feature import EngineState
from anaphora.features.segments.feature import Segments
from anaphora.project.opening import open_paths
from anaphora.system.locations import sample_document
from anaphora.system.window_settings import WindowSettings
from anaphora.window.main_window import MainWindow

GOALS = {
    "open (project exists)": 3000.0,
    "scroll by the wheel, p95": 1000 / 60,
    "drag the scroll bar, p95": 1000 / 60,
    "confirm to next, p95": 50.0,
}


def sentences(corpus: Path | None) -> Iterator[str]:
    """Endlessly repeated Chinese sentences."""
    if corpus is not None:
        with lzma.open(corpus, "rt", encoding="utf-8") as file:
            texts = [source for line in file for source, _ in json.loads(line)["segments"]]
    else:
        texts = sample_document().read_text("utf-8").split("\n")
    cleaned = ("".join(c for c in text if c.isprintable()).strip() for text in texts)
    kept = [text for text in cleaned if text]
    return itertools.cycle(kept)


def make_file(path: Path, count: int, corpus: Path | None) -> None:
    """Write a text of `count` lines."""
    source = sentences(corpus)
    path.write_text("".join(f"{n} {next(source)}\n" for n in range(count)), "utf-8")


def no_model() -> object:
    """The engine's loader without an installed model."""
    raise RuntimeError("this benchmark runs without a model")


def until(done: Callable[[], bool], seconds: float = 300.0) -> None:
    """Process events until a condition is true."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise TimeoutError
        QApplication.processEvents()
        time.sleep(0.001)


def is_quiet(seconds: float = 0.5) -> bool:
    """True if no thread computes."""
    start = time.process_time()
    time.sleep(seconds)
    return time.process_time() - start < seconds / 20


@dataclass(frozen=True)
class Timing:
    """Elapsed time and CPU time, in milliseconds."""

    wall: float
    cpu: float


Measured = dict[str, Timing]


class Stopwatch:
    """Measures the time since its creation.

    Args:
        clock: returns the processor time.
    """

    def __init__(self, clock: Callable[[], float] = time.process_time) -> None:
        self._clock = clock
        self._wall, self._cpu = time.perf_counter(), clock()

    def read(self) -> Timing:
        return Timing((time.perf_counter() - self._wall) * 1000, (self._clock() - self._cpu) * 1000)


def paint(window: MainWindow) -> None:
    """Process pending events and paint the whole table once."""
    window.table.viewport().update()
    QApplication.processEvents()


def timed(window: MainWindow, act: Callable[[], object]) -> Timing:
    """The time that an action takes in the window's thread, including painting."""
    watch = Stopwatch(time.thread_time)
    act()
    paint(window)
    return watch.read()


def spread(name: str, frames: list[Timing]) -> Measured:
    """Median and 95th percentile."""
    wall, cpu = sorted(taken.wall for taken in frames), sorted(taken.cpu for taken in frames)
    return {
        f"{name}, {label}": Timing(wall[int(len(frames) * share)], cpu[int(len(frames) * share)])
        for label, share in (("p50", 0.5), ("p95", 0.95))
    }


def open_window(application: QApplication, folder: Path, file: Path) -> tuple[MainWindow, Timing]:
    """Open a document in a window; return the window and the time."""
    settings = WindowSettings(folder / "window.ini")
    window = make_window(application, no_model, settings)  # type: ignore[arg-type]
    window.resize(1400, 900)
    window.show()
    window.desk.worker.start()
    until(lambda: window.of(EngineState).no_model_banner.isVisible())
    watch = Stopwatch()
    window.opener.open(file)
    until(lambda: window.table.currentIndex().row() >= 0)
    paint(window)
    return window, watch.read()


def scroll(window: MainWindow) -> Measured:
    """Measure frames while scrolling with the wheel and the scroll bar."""
    bar = window.table.verticalScrollBar()
    wheel = [timed(window, lambda: bar.setValue(bar.value() + 120)) for _ in range(300)]
    places = [round(bar.maximum() * (step * 37 % 100) / 100) for step in range(100)]
    drag = [timed(window, partial(bar.setValue, place)) for place in places]
    return spread("scroll by the wheel", wheel) | spread("drag the scroll bar", drag)


def work(window: MainWindow) -> Measured:
    """Measure typing, confirming and jumping to other segments."""
    count, table = window.model.rowCount(), window.table
    confirm, keys = [], []
    table.go_to_row(count // 2)
    for _ in range(60):
        keys += [timed(window, partial(QTest.keyClicks, table.editor, letter)) for letter in "Done."]
        confirm.append(timed(window, window.of(Segments).actions.confirm))
    jumps = [timed(window, partial(table.go_to_row, step * 977 % count)) for step in range(60)]
    return spread("confirm to next", confirm) | spread("type a letter", keys) | spread("jump", jumps)


def join(window: MainWindow) -> Measured:
    """Measure joining two segments, until the table has one row less."""
    pairs = itertools.pairwise(window.session.document)
    firsts = [first.id for first, second in pairs if first.block == second.block][::2][:20]
    taken = []
    for first in firsts:
        window.table.go_to_row(window.session.document.row(first))
        wanted, watch = window.model.rowCount() - 1, Stopwatch()
        window.of(Segments).resegmentation.merge()
        until(partial(lambda rows: window.model.rowCount() == rows, wanted))
        taken.append(watch.read())
    return spread("join", taken) if taken else {}


def measure(count: int, corpus: Path | None, folder: Path) -> tuple[int, Measured, float]:
    """The number of segments, the times, and the memory in use at the end (MiB)."""
    file = folder / "large.txt"
    make_file(file, count, corpus)
    watch = Stopwatch()
    opened = open_paths([file])
    measured = {"import": watch.read()}
    segments = len(opened.document)
    opened.store.close()
    del opened
    window, measured["open (project exists)"] = open_window(make_application(), folder, file)
    watch = Stopwatch()
    until(lambda: not window.controller.tasks.is_busy and is_quiet())
    measured["background work afterwards"] = watch.read()
    measured |= scroll(window) | work(window) | join(window)
    memory = psutil.Process().memory_info().rss / 2**20
    window.close()
    window.desk.worker.stop(5.0)
    window.controller.tasks.finish(30_000)
    return segments, measured, memory


def main(count: int, corpus: Path | None) -> None:
    """Print a table."""
    with tempfile.TemporaryDirectory() as name:
        os.environ["ANAPHORA_DATA"] = str(Path(name) / "data")
        segments, measured, memory = measure(count, corpus, Path(name))
    print(f"{segments} segments; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{'':<30}{'wall ms':>10}{'CPU ms':>10}{'goal':>8}")
    for key, taken in measured.items():
        goal = f"{GOALS[key]:.0f}" if key in GOALS else ""
        print(f"{key:<30}{taken.wall:10.1f}{taken.cpu:10.1f}{goal:>8}")
    print(f"{'memory':<30}{memory:10.0f} MB{1024:>15}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("segments", nargs="?", type=int, default=50_000)
    parser.add_argument("corpus", nargs="?", type=Path)
    options = parser.parse_args()
    main(options.segments, options.corpus)
