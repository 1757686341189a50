"""The state of windows and threads when a test fails."""

from __future__ import annotations

import faulthandler
import tempfile

from PySide6.QtWidgets import QApplication

from anaphora.features.drafting.feature import Drafting
from anaphora.features.explain.feature import Explain
from anaphora.window.main_window import MainWindow


def threads_and_windows() -> str:
    """The stacks of all threads, and the state of the engine and panels of each open window."""
    with tempfile.TemporaryFile("w+") as file:
        faulthandler.dump_traceback(file, all_threads=True)
        file.seek(0)
        lines = [file.read()]
    for window in QApplication.topLevelWidgets():
        if isinstance(window, MainWindow):
            is_complete = "features" in vars(window)
            lines += _state(window) if is_complete else ["a window that could not be constructed"]
    return "\n".join(lines)


def _state(window: MainWindow) -> list[str]:
    suggester, inspector = window.of(Drafting).suggester, window.of(Explain).inspector
    return [
        f"window {window.windowTitle()!r}, visible {window.isVisible()}, rail {window.docks.is_rail_seen()}",
        f"  engine paused: {window.desk.worker.queue.paused}, drafts: {window.of(Drafting).service.progress}",
        f"  offers: {len(suggester.offers)}, explanation: {inspector.explanation is not None}",
    ]
