"""How long a frame takes in the whole window with ten segments in view that are as long as one may be.

    python tests/benchmarks/bench_long_window.py [--steps 20] [--kind words|letters|chinese] [--profile STEP]

The real window on a double of the engine, offscreen; the segments have 20,000 characters of source and
59,980 of target. Measured is the processor time of the window's thread: of the frame that shows a step
(scrolling, going to a segment, a letter), and of every turn of the event loop in the second after it, in
which the checks, the panels and the rail follow.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1] / "app" / "support"))

from PySide6.QtCore import QEventLoop
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from recording_translator import RecordingTranslator

from anaphora.application.garbage import RestingCollector
from anaphora.application.window_settings import window_settings
from anaphora.composition import make_window
from anaphora.core.shortening import MOST_TARGET, MOST_UNIT
from anaphora.main import let_rest
from anaphora.views.appearance.application import make_application
from anaphora.window.main_window import MainWindow

SOURCE, TARGET = MOST_UNIT, MOST_TARGET - 20
KINDS = {"letters": ("x", "y"), "chinese": ("账", "y"), "words": ("账本，", "word ")}
AFTER = 1.0
HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def document(sign: str, letter: str) -> str:
    """A catalogue of ten units."""
    units = []
    for number in range(10):
        source = f"账{number}" + (sign * SOURCE)[: SOURCE - 2]
        units.append(f'#, fuzzy\nmsgid "{source}"\nmsgstr "{(letter * TARGET)[:TARGET]}"\n\n')
    return HEAD + "".join(units)


def turn(work: Callable[[], object] = lambda: None) -> float:
    """Milliseconds of the window's thread for some work and a turn of the event loop."""
    begun = time.thread_time()
    work()
    QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
    return 1000 * (time.thread_time() - begun)


def later() -> list[float]:
    """The turns of the event loop in the time after a step."""
    turns, end = [], time.monotonic() + AFTER
    while time.monotonic() < end:
        turns.append(turn())
        time.sleep(0.002)
    return [each for each in turns if each > 0.2]


def steps_of(window: MainWindow, count: int) -> Iterator[tuple[str, list[Callable[[], object]]]]:
    """What is measured, by its name."""
    table = window.table
    bar = table.verticalScrollBar()

    def scroll(step: int) -> None:
        bar.setValue(step * 997 % max(bar.maximum(), 1))

    yield "scroll", [partial(scroll, step) for step in range(1, count + 1)]
    yield "go to", [partial(table.go_to_row, step * 7 % 10) for step in range(1, count + 1)]

    def put_caret() -> None:
        table.go_to_row(3)
        table.editor.put_caret(TARGET // 2)

    turn(put_caret)
    later()
    letters = "typing so " * (count // 10)
    yield "type", [partial(QTest.keyClicks, table.editor, letter) for letter in letters]


def is_open(window: MainWindow, path: Path) -> bool:
    """Whether a document stands in the window."""
    return window.controller.path == path


def until(done: Callable[[], bool], seconds: float = 120.0) -> None:
    """Let the window live until something is so."""
    end = time.monotonic() + seconds
    while not done():
        QApplication.processEvents()
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.002)


def report(name: str, times: list[float]) -> None:
    """Median, 95th percentile and longest of some milliseconds."""
    times = sorted(times)
    tail = f"p95 {times[len(times) * 95 // 100]:5.1f}, longest {times[-1]:5.1f}"
    print(f"{name:<22} median {median(times):5.1f} ms, {tail}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--kind", choices=tuple(KINDS), action="append")
    parser.add_argument("--profile", choices=("scroll", "go to", "type"))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANAPHORA_DATA"] = str(Path(folder) / "data")
        application = make_application()
        settings = window_settings()
        settings.setValue("say_at_closing", False)
        window = make_window(application, RecordingTranslator, settings)
        let_rest(window, RestingCollector(window))
        window.resize(1400, 900)
        window.show()
        for kind in given.kind or KINDS:
            path = Path(folder) / f"{kind}.po"
            path.write_text(document(*KINDS[kind]), "utf-8")
            window.controller.open(path)
            until(partial(is_open, window, path))
            until(lambda: window.services.checking.is_complete)
            later()
            for name, steps in steps_of(window, given.steps):
                frames: list[float] = []
                turns: list[float] = []
                profile = cProfile.Profile()
                for step in steps:
                    if given.profile == name:
                        profile.enable()
                    frames.append(turn(step))
                    turns += later()
                    profile.disable()
                report(f"{kind}: {name}", frames)
                report("  turns after it", turns or [0.0])
                if given.profile == name:
                    pstats.Stats(profile).sort_stats("tottime").print_stats(25)
                    pstats.Stats(profile).sort_stats("cumtime").print_stats(40)
        sys.stdout.flush()
        os._exit(0)


if __name__ == "__main__":
    main()
