"""Lets dialogs access disks in other threads, because a network folder may take minutes to respond."""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

log = logging.getLogger(__name__)

PATIENCE_MS = 2000
"""Maximum time that a dialog waits for a disk; a sleeping drive wakes up in this time."""


class DiskQueries(QObject):
    """Runs queries in daemon threads; only the newest query is answered."""

    _answered = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = itertools.count(1)
        self._newest = 0
        self._receive: Callable[[Any], None] | None = None
        self._answered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def ask(self, look: Callable[[], Any], receive: Callable[[Any], None], fallback: Any = None) -> None:
        """Call `look` in another thread, and `receive` with its result in the thread of this object.

        If another query starts or `ignore_answer` is called first, `receive` is not called.

        Args:
            look: must not use widgets or raise errors.
            fallback: passed to `receive` if `look` takes longer than `PATIENCE_MS`; None for no time limit.
        """
        self._newest, self._receive = next(self._numbers), receive
        if fallback is not None:
            QTimer.singleShot(PATIENCE_MS, self, partial(self._deliver, self._newest, fallback))
        arguments = self._newest, look
        threading.Thread(target=self._look, args=arguments, name="anaphora-look", daemon=True).start()

    def ignore_answer(self) -> None:
        self._receive = None

    def _look(self, number: int, look: Callable[[], Any]) -> None:
        answer = look()
        try:
            self._answered.emit(number, answer)
        except RuntimeError:
            log.debug("the dialog of a query is gone")

    def _deliver(self, number: int, answer: Any) -> None:
        if number == self._newest and self._receive is not None:
            receive, self._receive = self._receive, None
            receive(answer)
