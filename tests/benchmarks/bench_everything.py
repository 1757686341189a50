"""Every command once in a large project: how long the window's thread is busy at a stretch.

    python tests/benchmarks/bench_everything.py [--segments 20000] [--only NAME] [--over 100]

The real window on a double of the engine, offscreen, which searches for garbage at rest, as in the program.
The project has that many segments, all translated, half of them confirmed. Each command of the
menus is given once, then what works on all segments (a review that changes all of them, undoing, exporting,
closing and opening), and the longest turn of the event loop until the window is quiet again is noted, in
processor time of the window's thread: that long no key is answered.
Printed are those above a bound, in milliseconds, and the longest of all.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1] / "app" / "support"))

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QDialog
from recording_translator import RecordingTranslator

from anaphora.application.garbage import RestingCollector
from anaphora.application.window_settings import WindowSettings
from anaphora.composition import make_window
from anaphora.main import let_rest
from anaphora.review.view.dialog import ReviewDialog
from anaphora.views.appearance.application import make_application
from anaphora.window.main_window import MainWindow

LEFT_OUT = ("quit", "close", "tour", "sample")
"""The last opens another project: the rest would be measured in that one."""
QUIET_S = 0.4
MOST_S = 30.0
PATIENCE_S = 1800.0
"""By the clock, for what is waited for: others may use the machine, too."""


class Stretches:
    """The turns of the window's event loop."""

    def __init__(self, window: MainWindow, over: float) -> None:
        self.window, self.over = window, over
        self.longest: dict[str, float] = {}

    def of(self, name: str, act: Callable[[], object], done: Callable[[], bool] = lambda: True) -> None:
        """Do something, and note the longest turn until the window is quiet, and it is done."""
        begun = time.thread_time()
        act()
        longest = time.thread_time() - begun
        end, quiet = time.monotonic() + PATIENCE_S, time.monotonic()
        stop = time.monotonic() + MOST_S
        while time.monotonic() < end:
            turn = time.thread_time()
            QApplication.processEvents()
            taken = time.thread_time() - turn
            longest = max(longest, taken)
            now = time.monotonic()
            if taken > 0.002 or self.window.controller.tasks.busy or not done():
                quiet = now
            if done() and (now - quiet > QUIET_S or now > stop):
                break
            time.sleep(0.001)
        self.longest[name] = 1000 * longest
        if 1000 * longest > self.over:
            print(f"{name:34} {1000 * longest:7.0f} ms", flush=True)

    def shut_dialogs(self) -> None:
        """Close what has been opened."""
        for each in QApplication.topLevelWidgets():
            if isinstance(each, QDialog) and each.isVisible():
                each.reject()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def make_file(path: Path, segments: int) -> None:
    """An xliff file of translated segments that differ."""
    units = "".join(
        f'<trans-unit id="{place}" approved="{("no", "yes")[place % 2]}">'
        f"<source>第{place}个账本保存交易，每个节点读取账本{place}。</source>"
        f"<target>Ledger {place} keeps transactions, each node reads it {place}.</target></trans-unit>"
        for place in range(segments)
    )
    head = '<?xml version="1.0" encoding="UTF-8"?><xliff version="1.2"><file source-language="zh" '
    kind = 'target-language="en" datatype="plaintext" original="a"><body>'
    path.write_text(f"{head}{kind}{units}</body></file></xliff>", "utf-8")


def commands(measured: Stretches, only: str) -> None:
    """Each command of the menus."""
    window = measured.window
    for name in window.keymap.names():
        action = window.actions_by_name[name]
        if name in LEFT_OUT or (only and name != only) or not action.isEnabled():
            continue
        measured.of(name, action.trigger)
        measured.of(f"{name} (closed again)", measured.shut_dialogs)


def large_works(measured: Stretches, folder: Path) -> None:
    """What works on all segments."""
    window = measured.window
    controller = window.controller
    out = folder / "out.review.xlsx"
    written: list[Path] = []
    controller.failed.connect(lambda *what: print("failed:", *what, flush=True))
    window.review.service.written.connect(written.append)
    measured.of("review_out to a file", lambda: window.review.write(out), lambda: bool(written))
    change_review(out)
    gc.collect()  # what only this measure has made

    def dialog() -> ReviewDialog | None:
        return window.findChild(ReviewDialog)

    measured.of("review_in of all", lambda: window.review.service.read(out), lambda: dialog() is not None)
    measured.of("review taken over", lambda: dialog().accept())
    measured.of("undo of all", window.actions_by_name["undo"].trigger)
    measured.of("redo of all", window.actions_by_name["redo"].trigger)
    exported: list[Path] = []
    controller.exported.connect(exported.append)
    measured.of("export to a file", lambda: controller.export(folder / "out.xlf"), lambda: bool(exported))
    measured.of("close", controller.close, lambda: controller.session is None)
    measured.of(
        "open again", lambda: controller.open(folder / "a.zh.xlf"), lambda: controller.session is not None
    )


def change_review(path: Path) -> None:
    """As if a reviewer had changed every translation."""
    from openpyxl import load_workbook

    book = load_workbook(path)
    sheet = book.active
    for row in range(2, sheet.max_row + 1):
        sheet.cell(row, 3).value = f"{sheet.cell(row, 3).value} Reviewed."
        if row % 4 == 0:
            sheet.cell(row, 5).value = "Why?"
    book.save(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--segments", type=int, default=20000)
    parser.add_argument("--only", default="", help="this command alone")
    parser.add_argument("--over", type=float, default=100.0, help="milliseconds above which it is printed")
    asked = parser.parse_args()
    application = make_application()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        os.environ["ANAPHORA_DATA"] = str(folder / "data")
        path = folder / "a.zh.xlf"
        make_file(path, asked.segments)
        settings = WindowSettings(folder / "window.ini")
        settings.setValue("say_at_closing", False)
        window = make_window(application, RecordingTranslator, settings)
        window.resize(1400, 900)
        window.show()
        window.services.worker.start()
        let_rest(window, RestingCollector(window))
        measured = Stretches(window, asked.over)
        controller = window.controller
        measured.of("open", lambda: controller.open(path), lambda: controller.session is not None)
        window.services.drafting.set_paused(True)
        if asked.only in ("", "none"):
            large_works(measured, folder)
            window.services.drafting.set_paused(True)
        if asked.only != "none":
            commands(measured, asked.only)
        name = max(measured.longest, key=lambda each: measured.longest[each])
        print(f"{len(measured.longest)} commands, longest: {name}, {measured.longest[name]:.0f} ms")
        sys.stdout.flush()
        os._exit(0)


if __name__ == "__main__":
    main()
