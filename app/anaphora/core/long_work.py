"""Progress reports and cancellation of long work."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from anaphora.core.errors import AnaphoraError

T = TypeVar("T")
Step = Callable[[float], None]
"""A function that receives the finished share of the work, in [0, 1], and may raise CancelledError."""


class CancelledError(AnaphoraError):
    """The user cancelled the work; nothing was changed."""

    def __init__(self) -> None:
        super().__init__("Cancelled.", "Nothing was changed.")


def no_step(_: float) -> None:
    """A `Step` that does nothing."""


def substep(step: Step, start: float, end: float) -> Step:
    """A `Step` for one part of the work: its progress from 0 to 1 counts as `start` to `end` for `step`."""
    return lambda share: step(start + (end - start) * share)


class _Checks:
    """Calls a step at intervals to check for cancellation, even while the share does not change."""

    CALLS_PER_CHECK = 32
    """Number of calls of `count_call` for each check."""

    def __init__(self, step: Step) -> None:
        self._step, self._share, self._left = step, 0.0, self.CALLS_PER_CHECK

    def step(self, share: float) -> None:
        self._share = share
        self._step(share)

    def count_call(self) -> None:
        self._left -= 1
        if not self._left:
            self._left = self.CALLS_PER_CHECK
            self._step(self._share)


_CHECKS: ContextVar[_Checks | None] = ContextVar("checks", default=None)


@contextmanager
def cancellable(step: Step) -> Iterator[Step]:
    """A context in which `check_cancelled` calls `step` at intervals. The work uses the yielded `Step`."""
    checks = _Checks(step)
    token = _CHECKS.set(checks)
    try:
        yield checks.step
    finally:
        _CHECKS.reset(token)


def check_cancelled() -> None:
    """Raise CancelledError if the user has cancelled the work; see `cancellable`."""
    if (checks := _CHECKS.get()) is not None:
        checks.count_call()


def each_of(items: Iterable[T]) -> Iterator[T]:
    for item in items:
        check_cancelled()
        yield item


class LongWork:
    def __init__(self, report: Callable[[int], None] = lambda per_mille: None) -> None:
        """`report` is called in the thread of the work with each new finished share, in per mille."""
        self._report = report
        self._cancelled = threading.Event()
        self._reported = 0

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        self._cancelled.set()

    def step(self, share: float) -> None:
        """A `Step` that reports the finished share; raises CancelledError after `cancel`."""
        if self.is_cancelled:
            raise CancelledError
        if (per_mille := round(1000 * share)) != self._reported:
            self._reported = per_mille
            self._report(per_mille)
