"""Ctrl+C and SIGTERM while processes are at work: noticed where their parent waits, not in mid-step."""

from __future__ import annotations

import multiprocessing
import signal
from types import FrameType
from typing import Any

ENDING = (signal.SIGINT, signal.SIGTERM)
"""The signals that end a run."""


class Interrupts:
    """Keeps a signal until it is asked for. A second one raises `KeyboardInterrupt` wherever it comes.

    What a handler raises is lost in a `__del__`, and becomes another error while pickle imports something: a
    run would go on, or end as if something were wrong. Used as a context, in the main thread.
    """

    def __init__(self) -> None:
        self.sign, self._bell = multiprocessing.Pipe(duplex=False)
        """`sign` is ready to be read once a signal has come: to be waited for with what else is."""
        self._has_come = self._is_ending = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interrupts:
        for number in ENDING:
            # A shell has what it runs in the background ignore Ctrl+C; None: somebody else's, not Python's.
            if signal.getsignal(number) not in (signal.SIG_IGN, None):
                self._before[number] = signal.signal(number, self._come)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self.sign.close()
        self._bell.close()

    def end(self) -> None:
        """From now on signals change nothing: what they ask for is being done."""
        self._is_ending = True

    def check(self) -> None:
        """Raises `KeyboardInterrupt` once a signal has come."""
        if self._has_come:
            raise KeyboardInterrupt

    def _come(self, number: int, frame: FrameType | None) -> None:
        if self._is_ending:
            return
        if self._has_come:
            raise KeyboardInterrupt
        self._has_come = True
        self._bell.send_bytes(b"!")
