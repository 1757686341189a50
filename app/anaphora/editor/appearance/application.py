"""The Qt application; loads nothing of the window."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication

from anaphora.system.shipped import icon, version

SWITCH_INTERVAL_S = 0.0005
"""After so many seconds a thread that computes in Python lets the others run.

The window's thread waits for it at each of its many calls into Qt; with Python's own 0.005 a key takes three
times as long while two threads compute.
"""


class Application(QApplication):
    """Takes the files that macOS hands to a program that runs, as other systems name them to a new one."""

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self._waiting: list[Path] = []
        self._open: Callable[[Path], object] = self._waiting.append

    def open_files_by(self, function: Callable[[Path], object]) -> None:
        """Give such files to a function, those that have come already first."""
        waiting, self._open = self._waiting, function
        for path in waiting:
            function(path)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent):
            self._open(Path(event.file()))
            return True
        return super().event(event)


def make_application() -> Application:
    """The Qt application with its names and icon; its window comes before threads that compute."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    _look_at_no_sources()
    application = Application(sys.argv[:1])
    application.setApplicationName("Anaphora")
    application.setOrganizationName("Anaphora")
    application.setApplicationVersion(version())
    application.setWindowIcon(QIcon(str(icon())))
    return application


def _look_at_no_sources() -> None:
    """Keep PySide from reading the source of each module that is imported from now on.

    It looks there for the use of its switchable features, which this program does not use. The engine's 1,600
    modules would take a second longer, and their sources stay in memory (55 MB).
    """
    with suppress(ImportError):  # not of its public interface: a later version may do without
        feature: Any = importlib.import_module("shibokensupport.feature")  # is there once QtCore is
        if hasattr(feature, "_mod_uses_pyside"):
            feature._mod_uses_pyside = lambda module: False
