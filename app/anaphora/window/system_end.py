"""When the system ends the program: signals, and the end of the desktop's session. Nothing is asked then."""

from __future__ import annotations

import contextlib
import signal
import socket
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtGui import QSessionManager
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
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
        # Qt's loop runs no Python while it waits: a byte that a signal writes wakes it.
        self._woken, self._waker = socket.socketpair()
        for end in (self._woken, self._waker):
            end.setblocking(False)
        signal.set_wakeup_fd(self._waker.fileno(), warn_on_full_buffer=False)
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            # What is ignored stays so: `nohup` asks for that.
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda *_: None)
        notifier = QSocketNotifier(self._woken.fileno(), QSocketNotifier.Type.Read, self)
        notifier.activated.connect(self._end)

    def _end(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._woken.recv(64)
        self._window.leave()
        self._application.quit()

    def _save(self, session: QSessionManager) -> None:
        """Everything is on the disk before the session ends; where that cannot be, the session is held."""
        if not self._window.controller.flush(SAVE_SECONDS) and session.allowsInteraction():
            session.cancel()
