"""Disk access in other threads for dialogs, because a network folder may take minutes to respond."""

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
    """Runs queries in daemon threads; only the newest query gets its answer."""

    _found = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = itertools.count(1)
        self._newest = 0
        self._receive: Callable[[Any], None] | None = None
        self._found.connect(self._answer, Qt.ConnectionType.QueuedConnection)

    def ask(self, look: Callable[[], Any], receive: Callable[[Any], None], fallback: Any = None) -> None:
        """Call `receive` in this thread with the result of `look`.

        `receive` is not called if another query starts or `forget` is called before the result arrives.

        Args:
            look: must not use widgets or raise errors.
            fallback: passed to `receive` if `look` takes longer than `PATIENCE_MS`; None for no time limit.
        """
        self._newest, self._receive = next(self._numbers), receive
        if fallback is not None:
            QTimer.singleShot(PATIENCE_MS, self, partial(self._answer, self._newest, fallback))
        arguments = self._newest, look
        threading.Thread(target=self._look, args=arguments, name="anaphora-look", daemon=True).start()

    def forget(self) -> None:
        """Ignore the result of the running query."""
        self._receive = None

    def _look(self, number: int, look: Callable[[], Any]) -> None:
        answer = look()
        try:
            self._found.emit(number, answer)
        except RuntimeError:
            log.debug("the dialog of a query is gone")

    def _answer(self, number: int, answer: Any) -> None:
        if number == self._newest and self._receive is not None:
            receive, self._receive = self._receive, None
            receive(answer)
