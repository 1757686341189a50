"""Runs functions in other threads and delivers their results in the window's thread."""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, QThreadPool, Signal

log = logging.getLogger(__name__)

_WRITING_SECONDS = 60.0
"""Maximum time that the program waits for writing tasks before it ends."""


class _Task:
    """Runs a function once and then drops its references to the function and the receiver. It is not derived
    from QRunnable, because thread pools never released some objects of this kind."""

    def __init__(
        self, work: Callable[[], Any], report: Callable[[Any, Exception | None], None], done: threading.Event
    ) -> None:
        self._parts: list[Any] = [report, done, work]

    def run(self) -> None:
        parts, self._parts = self._parts, []
        report, done = parts[:2]
        try:
            # No variable holds the work, so that its Qt objects are freed before the report. No variable
            # holds the outcome, because an error in it refers to this frame, and the two would form a cycle.
            report(*outcome(parts.pop(), done.set))
        except RuntimeError:
            log.debug("the receiver of a result is gone")


def outcome(
    work: Callable[[], Any], end: Callable[[], object] = lambda: None
) -> tuple[Any, Exception | None]:
    """Call `work`, then `end`; returns (result of `work`, None) or (None, its error). An error that is not an
    `Exception` is logged and returned as a RuntimeError, so that it does not end the thread."""
    try:
        return work(), None
    except Exception as problem:
        return None, problem
    except BaseException as problem:  # a library's SystemExit or Rust panic
        log.exception("a task ended unexpectedly")
        return None, RuntimeError(f"{type(problem).__name__}: {problem}")
    finally:
        end()


class BackgroundTasks(QObject):
    """Runs tasks in thread pools; their results arrive in the thread that owns this object. Tasks that the
    user does not wait for run in a separate thread, so that they never delay other tasks."""

    _finished = Signal(int, object, object)
    """(number of the task, its result, its error), emitted in a pool's thread."""

    def __init__(self, parent: QObject | None = None, threads: int = 2) -> None:
        """If `threads` is 1, awaited tasks run in the order in which they were started."""
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(threads)
        self._unhurried = QThreadPool(self)
        self._unhurried.setMaxThreadCount(1)
        self._must_finish: list[threading.Event] = []
        self._numbers = itertools.count()
        self._waiting: dict[int, tuple[Callable[[Any], None], Callable[[Exception], None]]] = {}
        self._finished.connect(self._answer, Qt.ConnectionType.QueuedConnection)

    def start(
        self,
        work: Callable[[], Any],
        on_result: Callable[[Any], None],
        on_error: Callable[[Exception], None],
        must_finish: bool = False,
        awaited: bool = True,
    ) -> None:
        """Run `work`, which must not use widgets, in a pool.

        Afterwards, `on_result` or `on_error` is called in the thread that owns this object.

        Args:
            must_finish: True if the task writes user data; `finish_writing` then waits for it.
            awaited: True if the user waits for the result; tasks that are not awaited run one at a time.
        """
        number = next(self._numbers)
        self._waiting[number] = (on_result, on_error)
        done = threading.Event()
        if must_finish:
            self._must_finish = [event for event in self._must_finish if not event.is_set()] + [done]
        task = _Task(work, partial(self._finished.emit, number), done)
        (self._pool if awaited else self._unhurried).start(task.run)

    @property
    def is_busy(self) -> bool:
        return bool(self._waiting)

    @property
    def writing(self) -> bool:
        return not all(event.is_set() for event in self._must_finish)

    def release_events(self) -> Sequence[threading.Event]:
        """Events that are set when the tasks that must finish have ended."""
        return tuple(self._must_finish)

    def finish_writing(self) -> None:
        """At the end of the program, wait up to `_WRITING_SECONDS` for the tasks that must finish."""
        end = time.monotonic() + _WRITING_SECONDS
        for event in self._must_finish:
            event.wait(max(end - time.monotonic(), 0.0))

    def finished_event(self) -> threading.Event:
        """An event that is set when all awaited tasks started so far have finished; `threads` must be 1."""
        done = threading.Event()
        self._pool.start(done.set)
        return done

    def finish(self, milliseconds: int = 5000) -> bool:
        """Wait for all tasks; False if time ran out."""
        end = time.monotonic() + milliseconds / 1000
        pools = (self._pool, self._unhurried)
        return all([pool.waitForDone(max(round((end - time.monotonic()) * 1000), 0)) for pool in pools])

    def _answer(self, number: int, result: Any, error: Exception | None) -> None:
        on_result, on_error = self._waiting.pop(number)
        if error is None:
            on_result(result)
        else:
            on_error(error)
