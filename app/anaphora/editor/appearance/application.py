"""The Qt application; this module does not import the window."""

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

from anaphora.system.locations import icon, version

SWITCH_INTERVAL_S = 0.0005
"""Seconds after which a thread that runs Python code lets other threads run.

The window's thread waits this long at each call into Qt. With Python's default of 0.005, a key press takes
three times as long while two threads compute.
"""


class Application(QApplication):
    """Opens the files that macOS asks the running program to open."""

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self._waiting: list[Path] = []
        self._open: Callable[[Path], object] = self._waiting.append

    def open_files_by(self, function: Callable[[Path], object]) -> None:
        """Set the function that opens files, and call it for files received earlier."""
        waiting, self._open = self._waiting, function
        for path in waiting:
            function(path)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent):
            self._open(Path(event.file()))
            return True
        return super().event(event)


def make_application() -> Application:
    """Create the Qt application, set up for a responsive window beside computing threads."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    _skip_source_scan()
    application = Application(sys.argv[:1])
    application.setApplicationName("Anaphora")
    application.setOrganizationName("Anaphora")
    application.setApplicationVersion(version())
    application.setWindowIcon(QIcon(str(icon())))
    return application


def _skip_source_scan() -> None:
    """Keep PySide from reading the source of each module that is imported later.

    PySide searches the source for switchable features, which this program does not use. For the engine's
    1,600 modules this takes a second, and their sources stay in memory (55 MB).
    """
    with suppress(ImportError):  # a private module, which a later version may not have
        feature: Any = importlib.import_module("shibokensupport.feature")  # exists after importing QtCore
        if hasattr(feature, "_mod_uses_pyside"):
            feature._mod_uses_pyside = lambda module: False
