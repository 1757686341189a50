"""Questions about the disk that a dialog asks: a folder on a network may take minutes to answer."""

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
"""Longest wait of a user for a disk after opening a dialog; a sleeping drive wakes up in this time."""


class DiskLooks(QObject):
    """Looks in threads that nothing waits for, nor does the end of the program; the newest is answered."""

    _found = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = itertools.count(1)
        self._newest = 0
        self._take: Callable[[Any], None] | None = None
        self._found.connect(self._answer, Qt.ConnectionType.QueuedConnection)

    def ask(self, look: Callable[[], Any], take: Callable[[Any], None], instead: Any = None) -> None:
        """Call `take` here with the result of `look`, unless another request comes meanwhile.

        Args:
            look: touches no widget, and raises nothing.
            instead: passed to `take` without an answer in two seconds; with None it waits.
        """
        self._newest, self._take = next(self._numbers), take
        if instead is not None:
            QTimer.singleShot(PATIENCE_MS, self, partial(self._answer, self._newest, instead))
        arguments = self._newest, look
        threading.Thread(target=self._look, args=arguments, name="anaphora-look", daemon=True).start()

    def forget(self) -> None:
        self._take = None

    def _look(self, number: int, look: Callable[[], Any]) -> None:
        found = look()
        try:
            self._found.emit(number, found)
        except RuntimeError:
            log.debug("the dialog that asked is gone")

    def _answer(self, number: int, found: Any) -> None:
        if number == self._newest and self._take is not None:
            take, self._take = self._take, None
            take(found)
