"""The Qt application; loads nothing of the window."""

from __future__ import annotations

import sys

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from anaphora.shipped import icon, version

SWITCH_INTERVAL_S = 0.0005
"""After so many seconds a thread that computes in Python lets the others run.

The window's thread waits for it at each of its many calls into Qt; with Python's own 0.005 a key takes three
times as long while two threads compute (`tests/benchmarks/bench_busy_window.py`).
"""


def make_application() -> QApplication:
    """The Qt application with its names and icon; its window comes before threads that compute."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    application = QApplication(sys.argv[:1])
    application.setApplicationName("Anaphora")
    application.setOrganizationName("Anaphora")
    application.setApplicationVersion(version())
    application.setWindowIcon(QIcon(str(icon())))
    return application
