"""A confirmation early and late in a long document, and taking back thousands of steps.

    python tests/benchmarks/bench_long_history.py [--segments 5000] [--numbers] [--profile confirm|undo|jump]
        [--confirmations]

The real window on a double of the engine, offscreen. Measured are 200 of the first segments, and 200 of the
last when all before these are written and confirmed, each gone to, written, confirmed and painted, in
processor time of the window's thread, and how many calls that took; with `--confirmations` nothing else.
Then all steps are taken back one after the other, the window painting in between, as while
the key is held down; then done again in one jump through the history. With `--numbers` the segments are one
sentence that differs in its number only, so that each confirmation is a repetition of all others.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypeVar

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1] / "app" / "support"))

from confirming import confirm_row
from counted_calls import calls_of
from long_day import text_of
from PySide6.QtWidgets import QApplication
from recording_translator import RecordingTranslator

from anaphora.application.window_settings import window_settings
from anaphora.composition import make_window
from anaphora.views.appearance.application import make_application
from anaphora.window.main_window import MainWindow

EARLY, MEASURED, LEFT, COUNTED = 50, 200, 100, 20
Result = TypeVar("Result")


def until(done: Callable[[], bool], seconds: float = 300.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        QApplication.processEvents()
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.002)


def confirm_many(window: MainWindow, places: range) -> None:
    """Write and confirm what stands between those measured."""
    editing, session = window.controller.editing, window.session
    assert editing is not None and session is not None
    for place in places:
        segment = session.document.at(place).id
        editing.type_text(segment, f"What segment {place + 1} says in English.")
        assert editing.confirm(segment)
        if place % 200 == 0:
            QApplication.processEvents()
    until(lambda: window.services.checking.is_complete and not window.controller.tasks.busy)


def confirmations(window: MainWindow, places: range, counted: int = COUNTED) -> None:
    """Print what a confirmation takes: milliseconds of processor time, and calls.

    Args:
        counted: of so many the calls are counted; a profile that is being made bears no other one in it.
    """
    times, calls = [], []
    for place in places:
        if place >= places.stop - counted:
            calls.append(calls_of(partial(confirm_row, window, place)))
        else:
            begun = time.thread_time()
            confirm_row(window, place)
            times.append(1000 * (time.thread_time() - begun))
        time.sleep(0.05)
    times.sort()
    print(
        f"after {places.start} confirmed: a confirmation takes {median(times):.1f} ms, "
        f"p95 {times[len(times) * 95 // 100]:.1f} ms" + (f", {median(calls):.0f} calls" if calls else ""),
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--segments", type=int, default=5000)
    parser.add_argument("--numbers", action="store_true", help="segments that differ in a number only")
    parser.add_argument("--confirmations", action="store_true", help="these alone")
    parser.add_argument("--profile", choices=("confirm", "undo", "jump"), default=None)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANAPHORA_DATA"] = str(Path(folder) / "data")
        application = make_application()
        settings = window_settings()
        settings.setValue("say_at_closing", False)
        window = make_window(application, RecordingTranslator, settings)
        window.resize(1400, 900)
        window.show()
        window.services.worker.start()
        path = Path(folder) / "long.zh.txt"
        segments = arguments.segments + LEFT
        numbered = "".join(f"第{number}个节点保存账本的副本。\n" for number in range(1, segments + 1))
        path.write_text(numbered if arguments.numbers else text_of(1, segments), "utf-8")
        window.controller.open(path)
        until(lambda: window.session is not None)
        window.services.drafting.set_paused(True)
        session, editing = window.session, window.controller.editing
        assert session is not None and editing is not None
        profile = cProfile.Profile()

        def measured(name: str, work: Callable[[], Result]) -> tuple[float, Result]:
            """Processor time in milliseconds, and what came out."""
            begun = time.thread_time()
            found: Result = profile.runcall(work) if arguments.profile == name else work()
            return 1000 * (time.thread_time() - begun), found

        late = len(session.document) - MEASURED - LEFT
        confirm_many(window, range(EARLY))
        confirmations(window, range(EARLY, EARLY + MEASURED))
        confirm_many(window, range(EARLY + MEASURED, late))
        counted = 0 if arguments.profile == "confirm" else COUNTED
        measured("confirm", lambda: confirmations(window, range(late, late + MEASURED), counted))
        if arguments.confirmations:
            os._exit(0)

        def take_all_back() -> int:
            steps = 0
            while editing.stack.canUndo():
                editing.undo()
                QApplication.processEvents()
                steps += 1
            return steps

        wall = time.monotonic()
        spent, steps = measured("undo", take_all_back)
        wall = time.monotonic() - wall
        print(f"{steps} steps taken back: {spent / steps:.2f} ms a step, {wall:.1f} s by the clock")

        def jump() -> None:
            editing.stack.setIndex(editing.stack.count())
            QApplication.processEvents()

        spent, _ = measured("jump", jump)
        print(f"done again in one jump: {spent / steps:.2f} ms a step, {spent / 1000:.1f} s")
        if arguments.profile:
            pstats.Stats(profile).sort_stats("cumtime").print_stats(45)
        sys.stdout.flush()
        os._exit(0)


if __name__ == "__main__":
    main()
