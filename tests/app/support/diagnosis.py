"""The state of windows and threads when a test fails."""

from __future__ import annotations

import faulthandler
import tempfile
from itertools import islice

from PySide6.QtWidgets import QApplication

from anaphora.features.drafting.feature import Drafting
from anaphora.features.explain.feature import Explain
from anaphora.window.main_window import MainWindow


def threads_and_windows() -> str:
    """The stacks of all threads, the jobs of each open window's engine, and what its panels wait for."""
    with tempfile.TemporaryFile("w+") as file:
        faulthandler.dump_traceback(file, all_threads=True)
        file.seek(0)
        lines = [file.read()]
    for window in QApplication.topLevelWidgets():
        if isinstance(window, MainWindow):
            is_made = "features" in vars(window)
            lines += _state(window) if is_made else ["a window that could not be made"]
    return "\n".join(lines)


def _state(window: MainWindow) -> list[str]:
    queue = window.desk.worker.queue
    waiting = {
        urgency.name: (len(jobs), list(islice(jobs, 3))) for urgency, jobs in queue._jobs.items() if jobs
    }
    suggester, inspector = window.of(Drafting).suggester, window.of(Explain).inspector
    return [
        f"window {window.windowTitle()!r}, visible {window.isVisible()}, rail {window.docks.rail_is_seen()}",
        f"  running: {queue._running}, dropped {queue._running_dropped}, paused {queue.paused}",
        f"  waiting: {waiting}",
        f"  drafts: {window.of(Drafting).service.progress}",
        f"  suggestions: of {suggester._segment!r}, asked {suggester._asked}, waiting {suggester._waiting}, "
        f"ticket {suggester._ticket}, timer {suggester._timer.isActive()}, offers {len(suggester.offers)}",
        f"  explanation: of {inspector._segment!r}, ticket {inspector._ticket}, "
        f"timer {inspector._timer.isActive()}, there {inspector.explanation is not None}",
    ]
