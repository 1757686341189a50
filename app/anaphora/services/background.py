"""Running a function off the user interface's thread and getting its result back on it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

log = logging.getLogger(__name__)


class _Relay(QObject):
    """Carries a result from a pool thread to the thread that asked."""

    finished = Signal(object, object)


class _Task(QRunnable):
    def __init__(self, work: Callable[[], Any], relay: _Relay, done: threading.Event) -> None:
        super().__init__()
        self._work = work
        self._relay = relay
        self._done = done

    def run(self) -> None:
        result: Any = None
        error: Exception | None = None
        try:
            result = self._work()
        except Exception as problem:
            # Every failure is handed to the asker, who shows it; none may end the pool thread.
            error = problem
        self._done.set()
        try:
            self._relay.finished.emit(result, error)
        except RuntimeError:
            log.debug("the asker is gone; its result is dropped")


class BackgroundTasks(QObject):
    """Tasks in thread pools, answered on the thread that owns this object.

    What nobody waits for has one thread of its own, so that it never stands before what the user asked for.
    """

    def __init__(self, parent: QObject | None = None, threads: int = 2) -> None:
        """With one thread, tasks run in the order in which they were started."""
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(threads)
        self._unhurried = QThreadPool(self)
        self._unhurried.setMaxThreadCount(1)
        self._must_finish: list[threading.Event] = []
        self._waiting: dict[_Relay, tuple[Callable[[Any], None], Callable[[Exception], None]]] = {}

    def start(
        self,
        work: Callable[[], Any],
        on_result: Callable[[Any], None],
        on_error: Callable[[Exception], None],
        must_finish: bool = False,
        awaited: bool = True,
    ) -> None:
        """Run `work` in a pool; then call one of the other two here.

        Args:
            work: touches no widget.
            on_result: gets what `work` returned.
            on_error: gets what `work` raised.
            must_finish: the program waits for it at its end: it writes something for the user.
            awaited: somebody waits for the result; other tasks run one after the other behind these.
        """
        relay = _Relay(self)
        self._waiting[relay] = (on_result, on_error)
        relay.finished.connect(self._answer)
        done = threading.Event()
        if must_finish:
            self._must_finish = [event for event in self._must_finish if not event.is_set()] + [done]
        (self._pool if awaited else self._unhurried).start(_Task(work, relay, done))

    @property
    def busy(self) -> bool:
        """Whether an answer is still awaited."""
        return bool(self._waiting)

    @property
    def writing(self) -> bool:
        """Whether a task is under way, or waits, that must not be cut off."""
        return not all(event.is_set() for event in self._must_finish)

    def finish_writing(self, seconds: float = 10.0) -> None:
        """Wait for the tasks that must not be cut off, at the end of the program."""
        end = time.monotonic() + seconds
        for event in self._must_finish:
            event.wait(max(end - time.monotonic(), 0.0))

    def finish(self, milliseconds: int = 5000) -> bool:
        """Wait for running tasks, at the end of the program."""
        end = time.monotonic() + milliseconds / 1000
        pools = (self._pool, self._unhurried)
        return all([pool.waitForDone(max(round((end - time.monotonic()) * 1000), 0)) for pool in pools])

    def _answer(self, result: Any, error: Exception | None) -> None:
        relay = self.sender()
        waiting = self._waiting.pop(relay, None) if isinstance(relay, _Relay) else None
        if isinstance(relay, _Relay):
            relay.deleteLater()
        if waiting is None:
            return
        on_result, on_error = waiting
        if error is None:
            on_result(result)
        else:
            on_error(error)
