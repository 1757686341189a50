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
"""Seconds after which a thread that runs Python code must let another thread run.

After each call into Qt, the window's thread waits this long for a computing thread. With Python's default of
0.005, a key press takes three times as long while two threads compute.
"""


class Application(QApplication):
    """The Qt application. It opens the files that macOS sends to the running program."""

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self._waiting: list[Path] = []
        self._open: Callable[[Path], object] = self._waiting.append

    def set_file_opener(self, function: Callable[[Path], object]) -> None:
        """Set the function that opens files, and pass it the files that were received earlier."""
        waiting, self._open = self._waiting, function
        for path in waiting:
            function(path)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent):
            self._open(Path(event.file()))
            return True
        return super().event(event)


def make_application() -> Application:
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    _skip_source_scan()
    application = Application(sys.argv[:1])
    application.setApplicationName("Anaphora")
    application.setOrganizationName("Anaphora")
    application.setApplicationVersion(version())
    application.setWindowIcon(QIcon(str(icon())))
    return application


def _skip_source_scan() -> None:
    """Keep PySide from reading the source of later modules, which takes a second and 55 MB of memory."""
    with suppress(ImportError):  # a private module, which a later version may not have
        feature: Any = importlib.import_module("shibokensupport.feature")  # exists after importing QtCore
        if hasattr(feature, "_mod_uses_pyside"):
            feature._mod_uses_pyside = lambda module: False
