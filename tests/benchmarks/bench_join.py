"""What a join costs the window's thread in a large document.

    python tests/benchmarks/bench_join.py [--segments 50000] [--joins 12]

The real window on a double of the engine, offscreen, drafting paused. Each time the current segment is joined
with the next one, and the longest event that the window's thread handles until two seconds later is noted, in
its processor time: that long no key is answered.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1] / "app" / "support"))

from PySide6.QtWidgets import QApplication
from recording_translator import RecordingTranslator

from anaphora.application.window_settings import WindowSettings
from anaphora.composition import make_window
from anaphora.views.appearance.application import make_application


def longest_event(seconds: float) -> float:
    """Milliseconds of processor time of the longest of the next events of the window's thread."""
    longest, end = 0.0, time.monotonic() + seconds
    while time.monotonic() < end:
        begun = time.thread_time()
        QApplication.processEvents()
        longest = max(longest, time.thread_time() - begun)
        time.sleep(0.001)
    return 1000 * longest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--segments", type=int, default=50000)
    parser.add_argument("--joins", type=int, default=12)
    asked = parser.parse_args()
    application = make_application()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANAPHORA_DATA"] = folder
        path = Path(folder) / "a.zh.txt"
        pairs = (
            f"第{place}个账本保存交易。每个节点读取账本{place}。\n" for place in range(asked.segments // 2)
        )
        path.write_text("".join(pairs), "utf-8")
        settings = WindowSettings(Path(folder) / "window.ini")
        settings.setValue("say_at_closing", False)
        window = make_window(application, RecordingTranslator, settings)
        window.resize(1400, 900)
        window.show()
        window.services.worker.start()
        window.controller.open(path)
        while window.session is None:
            longest_event(0.1)
        window.services.drafting.set_paused(True)
        longest_event(8.0)
        times, row = [], asked.segments // 2
        for number in range(asked.joins):
            window.table.go_to_row(row + number)
            longest_event(0.5)
            before = window.model.rowCount()
            window.resegmentation.merge()
            times.append(longest_event(2.0))
            assert window.model.rowCount() == before - 1
        print(
            f"{before + asked.joins - 1} segments: longest event at a join, p50 {median(times):.0f} ms, ",
            end="",
        )
        print(f"longest {max(times):.0f} ms")
        window.close()
        window.services.worker.stop(2.0)


if __name__ == "__main__":
    main()
