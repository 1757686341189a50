"""Several processes that translate in parallel; if a process dies, only its document is affected."""

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

END_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """A context manager for the main thread; it stores a signal until `check` raises KeyboardInterrupt.

    If a signal handler raises an exception, Python ignores it inside `__del__`, and turns it into another
    error while pickle imports modules. So only a second signal raises KeyboardInterrupt at once.
    """

    def __init__(self) -> None:
        self.received, self._sender = multiprocessing.Pipe(duplex=False)
        """`received` becomes readable after a signal, so that signals and answers can be awaited together."""
        self._has_signal = self._is_ending = False
        self._old_handlers: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interrupts:
        for number in END_SIGNALS:
            # Background processes may ignore Ctrl+C. None means a handler that Python did not set.
            if signal.getsignal(number) not in (signal.SIG_IGN, None):
                self._old_handlers[number] = signal.signal(number, self._note_signal)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._old_handlers.items():
            signal.signal(number, handler)
        self.received.close()
        self._sender.close()

    def end(self) -> None:
        self._is_ending = True

    def check(self) -> None:
        if self._has_signal:
            raise KeyboardInterrupt

    def _note_signal(self, number: int, frame: FrameType | None) -> None:
        if self._is_ending:
            return
        if self._has_signal:
            raise KeyboardInterrupt
        self._has_signal = True
        self._sender.send_bytes(b"!")


MAX_ATTEMPTS = 2
"""Maximum number of attempts per document. An earlier document in the process may make an attempt fail."""
_STOP_SECONDS = 5.0


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    channel: Connection
    job: Job | None = None


class Pool:
    """Processes, each with a model; forked processes share the memory of the model's weights.

    Use it as a context manager, which ends all processes on exit. After a signal, `outcomes` raises
    `KeyboardInterrupt`.
    """

    def __init__(self, settings: Settings, load: Load | None, size: int) -> None:
        """
        Args:
            load: returns the model, which is already loaded if processes are forked; None for no model.
            size: maximum number of processes.
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
        """Yield each document and its outcome once it is done; retry a document whose process dies."""
        waiting = deque(jobs)
        attempts: dict[str, int] = {}
        while waiting or any(worker.job for worker in self._workers):
            self._assign(waiting, attempts)
            worker_by_channel = {worker.channel: worker for worker in self._workers if worker.job is not None}
            for channel in self._ready(worker_by_channel):
                worker, job = worker_by_channel[channel], worker_by_channel[channel].job
                assert job is not None
                try:
                    outcome = channel.recv()
                    worker.job = None
                except (EOFError, OSError):
                    exit_status = self._remove(worker)
                    if attempts[job.name] < MAX_ATTEMPTS:
                        waiting.appendleft(job)
                        continue
                    outcome = Outcome(job.name, FAILED, _death_message(exit_status))
                yield job, outcome

    def _ready(self, channels: Collection[Connection]) -> list[Connection]:
        ready: list[Any] = []
        # On Windows, Ctrl+C ends the wait with an `InterruptedError`.
        with suppress(InterruptedError):
            ready = wait([*channels, self._interrupts.received])
        self._interrupts.check()
        return ready

    def _assign(self, waiting: deque[Job], attempts: dict[str, int]) -> None:
        for worker in self._workers:
            if waiting and worker.job is None:
                self._send(worker, waiting.popleft(), attempts)
        while waiting and len(self._workers) < self._size:
            self._send(self._start(), waiting.popleft(), attempts)

    def _send(self, worker: _Worker, job: Job, attempts: dict[str, int]) -> None:
        attempts[job.name] = attempts.get(job.name, 0) + 1
        worker.job = job
        # If the process died while it was idle, `outcomes` notices that the channel is closed.
        with suppress(OSError):
            worker.channel.send(job)

    def _start(self) -> _Worker:
        is_forked = self._settings.shares_weights
        context: ForkContext | SpawnContext = (
            multiprocessing.get_context("fork") if is_forked else multiprocessing.get_context("spawn")
        )
        parent_end, child_end = context.Pipe()
        inherited = (parent_end, *(worker.channel for worker in self._workers)) if is_forked else ()
        process = context.Process(target=_run_child, args=(self._settings, self._load, child_end, inherited))
        # A garbage collection writes to all objects, and forked processes would no longer share their memory.
        # So the objects are frozen for the fork. Objects that were already frozen stay frozen.
        is_frozen = gc.get_freeze_count() > 0
        gc.freeze()
        try:
            with _blocked_signals():
                process.start()
                self._workers.append(_Worker(process, parent_end))
        finally:
            if not is_frozen:
                gc.unfreeze()
        child_end.close()
        return self._workers[-1]

    def _remove(self, worker: _Worker) -> int:
        self._workers.remove(worker)
        worker.channel.close()
        worker.process.join(_STOP_SECONDS)
        return worker.process.exitcode or 0


@contextmanager
def _blocked_signals() -> Iterator[None]:
    """Block signals while a process starts; the new process unblocks them when it has its own handlers."""
    if sys.platform == "win32":
        yield
        return
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


def _run_child(
    settings: Settings, load: Load | None, channel: Connection, inherited: Sequence[Connection]
) -> None:
    """The main function of a child process, which ignores Ctrl+C; the parent ends the child by SIGTERM.

    The child closes inherited connections; otherwise the other children would not notice that the parent
    has died.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS)
    for connection in inherited:
        connection.close()
    serve(settings, load, channel)


def _death_message(exit_status: int) -> str:
    reason = f"signal {-exit_status}" if exit_status < 0 else f"exit status {exit_status}"
    return (
        f"The process that translated this document ended unexpectedly, {MAX_ATTEMPTS} times ({reason}). "
        "Often there is too little memory: use fewer processes, or translate it alone."
    )
