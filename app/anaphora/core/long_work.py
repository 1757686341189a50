"""Progress and cancellation of long work, between its thread and the waiting one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from anaphora.core.errors import AnaphoraError

T = TypeVar("T")
Step = Callable[[float], None]
"""Gets the finished share of some work, in [0, 1]; raises CancelledError to end it."""


class CancelledError(AnaphoraError):
    """The user has given something up; nothing was changed."""

    def __init__(self) -> None:
        super().__init__("Cancelled.", "Nothing was changed.")


def no_step(_: float) -> None:
    """A `Step` of work without a listener."""


def within(step: Step, begin: float, end: float) -> Step:
    """The steps of a part of some work, which takes it from one share to another."""
    return lambda share: step(begin + (end - begin) * share)


class _Asked:
    """Work that checks at intervals if it was cancelled, even during a long step."""

    EACH = 32
    """One check in so many: a check costs as much as the work between two of them."""

    def __init__(self, step: Step) -> None:
        self._step, self._share, self._left = step, 0.0, self.EACH

    def step(self, share: float) -> None:
        self._share = share
        self._step(share)

    def ask(self) -> None:
        self._left -= 1
        if not self._left:
            self._left = self.EACH
            self._step(self._share)


_ASKED: ContextVar[_Asked | None] = ContextVar("asked", default=None)


@contextmanager
def asking(step: Step) -> Iterator[Step]:
    """A context in whose thread `go_on` calls a step; gives the receiver of progress."""
    asked = _Asked(step)
    token = _ASKED.set(asked)
    try:
        yield asked.step
    finally:
        _ASKED.reset(token)


def go_on() -> None:
    """Called for each of many pieces (a line, a tag) of possibly long work.

    Raises:
        CancelledError: that work was given up.
    """
    if (asked := _ASKED.get()) is not None:
        asked.ask()


def each_of(things: Iterable[T]) -> Iterator[T]:
    """Iterate, calling `go_on` for each item."""
    for thing in things:
        go_on()
        yield thing


class LongWork:
    """One piece of work."""

    def __init__(self, report: Callable[[int], None] = lambda per_mille: None) -> None:
        """Args:
        report: called for each per mille of the work, in its thread.
        """
        self._report = report
        self._cancelled = threading.Event()
        self._told = 0

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        self._cancelled.set()

    def step(self, share: float) -> None:
        if self.is_cancelled:
            raise CancelledError
        if (per_mille := round(1000 * share)) != self._told:
            self._told = per_mille
            self._report(per_mille)
