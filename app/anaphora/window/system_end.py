"""Reactions to signals, to the end of the desktop session, and to files that macOS sends to the program."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QProcess, QTimer
from PySide6.QtGui import QSessionManager
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
SIGNAL_POLL_MS = 250
SAVE_SECONDS = 3.0
"""Maximum time for saving; a desktop waits about five seconds for a program when the session ends."""


class SystemEnd(QObject):
    """Leaves the window when a signal ends the program, and saves before the desktop session ends."""

    def __init__(self, window: MainWindow, application: QApplication) -> None:
        super().__init__(window)
        self._window = window
        application.commitDataRequest.connect(self._save)
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            # Ignored signals stay ignored, as under `nohup`.
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda *_: QTimer.singleShot(0, window, window.leave))
        # Python handles a signal only when it runs code, and Qt's event loop runs none while it waits.
        polling = QTimer(self, interval=SIGNAL_POLL_MS)
        polling.timeout.connect(lambda: None)
        polling.start()

    def _save(self, session: QSessionManager) -> None:
        if not self._window.controller.flush(SAVE_SECONDS) and session.allowsInteraction():
            session.cancel()


def open_sent_file(window: MainWindow, path: Path) -> None:
    """Open a file in this window if no other document is open, otherwise in a new process."""
    if window.session is None or path == window.controller.path:
        window.opener.open(path)
        return
    command = [] if getattr(sys, "frozen", False) else ["-m", "anaphora.main"]
    QProcess.startDetached(sys.executable, [*command, str(path)])
