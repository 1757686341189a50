"""Requests of the system: to end the program (by a signal, or when the session ends), and to open a file."""

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
    """Saves and closes the window when the system ends the program.

    Every change is saved at once, so nothing needs to be done before the computer sleeps.
    """

    def __init__(self, window: MainWindow, application: QApplication) -> None:
        super().__init__(window)
        self._window = window
        self._application = application
        application.commitDataRequest.connect(self._save)
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            # Ignored signals stay ignored, as under `nohup`.
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda *_: QTimer.singleShot(0, self, self._end))
        # Python handles signals only while it runs, and Qt's event loop runs no Python while it waits.
        listening = QTimer(self, interval=SIGNAL_POLL_MS)
        listening.timeout.connect(lambda: None)
        listening.start()

    def _end(self) -> None:
        self._window.leave()
        self._application.quit()

    def _save(self, session: QSessionManager) -> None:
        """Save before the session ends; if saving fails, ask the desktop to continue the session."""
        if not self._window.controller.flush(SAVE_SECONDS) and session.allowsInteraction():
            session.cancel()


def open_sent_file(window: MainWindow, path: Path) -> None:
    """Open a file in this window if no other document is open, otherwise in another window."""
    if window.session is None or path == window.controller.path:
        window.opener.open(path)
        return
    command = [] if getattr(sys, "frozen", False) else ["-m", "anaphora.main"]
    QProcess.startDetached(sys.executable, [*command, str(path)])
