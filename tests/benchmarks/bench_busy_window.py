"""How long the window's thread takes for a key, a move and a painting while threads compute in Python.

Each with Python's own switch interval and with the application's, in one run, on the sample without a model.

Run: python tests/benchmarks/bench_busy_window.py [threads]     (two by default)
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1] / "app" / "support"))

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from recording_translator import RecordingTranslator

from anaphora.application.window_settings import WindowSettings
from anaphora.composition import make_window
from anaphora.shipped import sample_document
from anaphora.views.appearance.application import SWITCH_INTERVAL_S, make_application
from anaphora.window.main_window import MainWindow

PYTHONS_OWN_S = 0.005
TIMES = 15
SETTLE_S = 8.0


@contextmanager
def busy_threads(count: int) -> Iterator[None]:
    """So many threads compute in Python meanwhile."""
    stop = threading.Event()

    def compute() -> None:
        number = 0
        while not stop.is_set():
            for step in range(1000):
                number = (number * 31 + step) % 1_000_003

    threads = [threading.Thread(target=compute) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def timed(action: Callable[[int], object]) -> tuple[float, float]:
    """The median and the longest of several times, in milliseconds."""
    times = []
    for number in range(TIMES):
        started = time.perf_counter()
        action(number)
        QApplication.processEvents()
        times.append(1000 * (time.perf_counter() - started))
    return median(times), max(times)


def report(window: MainWindow, count: int, interval: float) -> None:
    """Print the three times with so many busy threads and such an interval."""
    sys.setswitchinterval(interval)
    window.table.go_to_row(2)
    with busy_threads(count):
        results = {
            "key": timed(lambda _: QTest.keyClicks(window.table.editor, "a")),
            "move": timed(lambda number: window.table.go_to_row(3 + number)),
            "painting": timed(lambda _: window.table.grab()),
        }
    told = ", ".join(f"{name} {mid:.0f} (longest {most:.0f})" for name, (mid, most) in results.items())
    print(f"{count} threads, {1000 * interval:g} ms: {told} ms")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANAPHORA_DATA"] = folder
        settings = WindowSettings(Path(folder) / "window.ini")
        settings.setValue("say_at_closing", False)
        application = make_application()
        window = make_window(application, RecordingTranslator, settings)
        window.resize(1400, 900)
        window.show()
        window.controller.open(sample_document())
        until = time.monotonic() + SETTLE_S
        while time.monotonic() < until:
            application.processEvents()
            time.sleep(0.01)
        for threads in (0, count):
            for interval in (PYTHONS_OWN_S, SWITCH_INTERVAL_S):
                report(window, threads, interval)
        window.close()
        window.services.worker.stop(5.0)
        window.controller.tasks.finish(30000)
        window.services.memory.finish()
        window.services.terms.finish()


if __name__ == "__main__":
    main()
