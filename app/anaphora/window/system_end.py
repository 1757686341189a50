"""What the system tells the program: to end, by signals and with the desktop's session; files on macOS."""

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
HEARING_MS = 250
SAVE_SECONDS = 3.0
"""A desktop waits about five for a program at the end of its session."""


class SystemEnd(QObject):
    """Saves and ends the window when the system wants that.

    Work is saved as it is done, so before the computer sleeps there is nothing left to do.
    """

    def __init__(self, window: MainWindow, application: QApplication) -> None:
        super().__init__(window)
        self._window = window
        self._application = application
        application.commitDataRequest.connect(self._save)
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            # Ignored signals stay ignored: `nohup` sets them so.
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda *_: QTimer.singleShot(0, self, self._end))
        # Qt's loop runs no Python while it waits, which is needed to hear a signal.
        listening = QTimer(self, interval=HEARING_MS)
        listening.timeout.connect(lambda: None)
        listening.start()

    def _end(self) -> None:
        self._window.leave()
        self._application.quit()

    def _save(self, session: QSessionManager) -> None:
        """Everything is on the disk before the session ends; where that cannot be, the session is held."""
        if not self._window.controller.flush(SAVE_SECONDS) and session.allowsInteraction():
            session.cancel()


def open_handed(window: MainWindow, path: Path) -> None:
    """Open a file here if nothing else is open, else in another window."""
    if window.session is None or path == window.controller.path:
        window.opener.open(path)
        return
    command = [] if getattr(sys, "frozen", False) else ["-m", "anaphora.main"]
    QProcess.startDetached(sys.executable, [*command, str(path)])
