"""How far long work is, and giving it up: said between the thread that does it and whoever waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from anaphora.core.errors import AnaphoraError

Step = Callable[[float], None]
"""Is told the share of some work that is done, in [0, 1]; raises CancelledError where it is to end."""


class CancelledError(AnaphoraError):
    """The user has given something up; nothing was changed."""

    def __init__(self) -> None:
        super().__init__("It was cancelled.", "Nothing was changed.")


def no_step(_: float) -> None:
    """A `Step` of work that nobody waits for."""


def within(step: Step, begin: float, end: float) -> Step:
    """The steps of a part of some work, which takes it from one share to another."""
    return lambda share: step(begin + (end - begin) * share)


class LongWork:
    """One piece of work.

    Attributes:
        is_cancelled: whether it has been given up.
    """

    def __init__(self, report: Callable[[int], None] = lambda per_mille: None) -> None:
        """
        Args:
            report: is told each new per mille of the work, in its thread.
        """
        self._report = report
        self._cancelled = threading.Event()
        self._told = 0

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Give it up: its next step ends it."""
        self._cancelled.set()

    def step(self, share: float) -> None:
        """See `Step`."""
        if self.is_cancelled:
            raise CancelledError
        if (per_mille := round(1000 * share)) != self._told:
            self._told = per_mille
            self._report(per_mille)
