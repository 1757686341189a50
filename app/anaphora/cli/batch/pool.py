"""Several processes that translate side by side; one that dies takes nothing along but its document."""

from __future__ import annotations

import gc
import multiprocessing
import signal
import sys
import time
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import TYPE_CHECKING, Any

from anaphora.cli.batch.plan import Job
from anaphora.cli.batch.translating import Load, Settings, serve
from anaphora.cli.outcome import FAILED, Outcome

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext, SpawnContext

ENDING = (signal.SIGINT, signal.SIGTERM)
"""The signals that end a run."""


class Interrupts:
    """Keeps a signal until the main loop reads it. A second one raises `KeyboardInterrupt` anywhere.

    An exception raised by a handler is lost in a `__del__` and becomes another error while pickle imports, so
    the run would continue, or end with a false error. Use as a context manager, in the main thread.
    """

    def __init__(self) -> None:
        self.sign, self._bell = multiprocessing.Pipe(duplex=False)
        """`sign` is ready to be read once a signal has come: to be waited for with what else is."""
        self._has_come = self._is_ending = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interrupts:
        for number in ENDING:
            # A shell makes background processes ignore Ctrl+C; None: a handler not set by Python.
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


ATTEMPTS = 2
"""Attempts at a document: other documents may have caused the end of its process."""
_STOP_SECONDS = 5.0


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    channel: Connection
    job: Job | None = None


class Pool:
    """Processes with a model each. Where processes can be forked, they share the memory of its weights.

    Use it as a context: at its end no process is left. Signals that end a run raise `KeyboardInterrupt` where
    `outcomes` waits.
    """

    def __init__(self, settings: Settings, load: Load | None, size: int) -> None:
        """
        Args:
            load: gives the model; where processes are forked, one that is loaded already.
            size: how many processes.
        """
        self._settings, self._load, self._size = settings, load, size
        self._workers: list[_Worker] = []
        self._interrupts = Interrupts()

    def __enter__(self) -> Pool:
        self._interrupts.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._interrupts.end()
        for worker in self._workers:
            worker.channel.close()
            if worker.job is not None:
                worker.process.terminate()
        end = time.monotonic() + _STOP_SECONDS
        for worker in self._workers:
            worker.process.join(max(0.0, end - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
        self._workers.clear()
        self._interrupts.__exit__()

    def outcomes(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Outcome]]:
        """Translate documents, in this order as processes become free; each as soon as it is done."""
        waiting = deque(jobs)
        begun: dict[str, int] = {}
        while waiting or any(worker.job for worker in self._workers):
            self._give(waiting, begun)
            busy = {worker.channel: worker for worker in self._workers if worker.job is not None}
            for channel in self._ready(busy):
                worker, job = busy[channel], busy[channel].job
                assert job is not None
                try:
                    outcome = channel.recv()
                    worker.job = None
                except (EOFError, OSError):
                    exit_status = self._bury(worker)
                    if begun[job.name] < ATTEMPTS:
                        waiting.appendleft(job)
                        continue
                    outcome = Outcome(job.name, FAILED, _ended(exit_status))
                yield job, outcome

    def _ready(self, busy: Collection[Connection]) -> list[Connection]:
        """Wait for answers; raises `KeyboardInterrupt` once a signal has come."""
        ready: list[Any] = []
        # A Windows console ends the wait with an `InterruptedError`.
        with suppress(InterruptedError):
            ready = wait([*busy, self._interrupts.sign])
        self._interrupts.check()
        return ready

    def _give(self, waiting: deque[Job], begun: dict[str, int]) -> None:
        for worker in self._workers:
            if waiting and worker.job is None:
                self._hand(worker, waiting.popleft(), begun)
        while waiting and len(self._workers) < self._size:
            self._hand(self._start(), waiting.popleft(), begun)

    def _hand(self, worker: _Worker, job: Job, begun: dict[str, int]) -> None:
        begun[job.name] = begun.get(job.name, 0) + 1
        worker.job = job
        # One that died while it was idle takes nothing: `outcomes` reads the end of its channel.
        with suppress(OSError):
            worker.channel.send(job)

    def _start(self) -> _Worker:
        is_forked = self._settings.shares_weights
        context: ForkContext | SpawnContext = (
            multiprocessing.get_context("fork") if is_forked else multiprocessing.get_context("spawn")
        )
        ours, theirs = context.Pipe()
        inherited = (ours, *(worker.channel for worker in self._workers)) if is_forked else ()
        process = context.Process(target=_begin, args=(self._settings, self._load, theirs, inherited))
        # Collecting garbage writes to each object that it looks at, and what is written to is shared no more:
        # what a process is forked with is not looked at there. What was left out here before, stays so.
        is_frozen = gc.get_freeze_count() > 0
        gc.freeze()
        try:
            with _blocked_signals():
                process.start()
                self._workers.append(_Worker(process, ours))
        finally:
            if not is_frozen:
                gc.unfreeze()
        theirs.close()
        return self._workers[-1]

    def _bury(self, worker: _Worker) -> int:
        """Forget a process that ended; returns its exit status."""
        self._workers.remove(worker)
        worker.channel.close()
        worker.process.join(_STOP_SECONDS)
        return worker.process.exitcode or 0


@contextmanager
def _blocked_signals() -> Iterator[None]:
    """Keep signals from a process that begins until it has its own handlers."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(
    settings: Settings, load: Load | None, channel: Connection, inherited: Sequence[Connection]
) -> None:
    """In a process: Ctrl+C is for the one that gave the work, which ends this one by SIGTERM.

    Closes the copies of the other ends; otherwise the children would not notice that the parent is gone.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
    for other in inherited:
        other.close()
    serve(settings, load, channel)


def _ended(exit_status: int) -> str:
    reason = f"signal {-exit_status}" if exit_status < 0 else f"exit status {exit_status}"
    return (
        f"The process that translated it ended unexpectedly, {ATTEMPTS} times ({reason}). Often there is too "
        "little memory: use fewer processes, or translate it alone."
    )
