"""Handling of the engine's jobs while the computer is out of memory.

oneDNN keeps a failure to allocate a kernel for the thread that met it, and then refuses that thread every
kernel that it does not hold yet, however much memory there is again. So after a shortage the work goes on in
another thread.
"""

from __future__ import annotations

from enum import Enum, auto

from anaphora.engine.jobs import DraftJob, Job, Request, Urgency

REST_SECONDS = 5.0
"""Between one trial and the next, as long as nothing else is to be done."""


class Fate(Enum):
    """The fate of a job that lacked memory."""

    AGAIN = auto()  # at once, in another thread
    LATER = auto()  # after a rest
    GIVEN_UP = auto()


class Shortages:
    """Judges jobs that lacked memory.

    A job is retried once. If it fails again, a user waiting for its answer gets an error; other jobs
    wait for memory. A job that still fails when others succeed is too large and is dropped.

    Attributes:
        lasting: whether jobs wait for memory.
    """

    def __init__(self) -> None:
        self.lasting = False
        self._succeeded = 0
        self._failed: dict[int, tuple[Job, int, int]] = {}

    def fate_of(self, job: Job) -> Fate:
        """Decide about a job that has just failed."""
        _, times, since = self._failed.pop(id(job), (job, 0, self._succeeded))
        is_asked = (isinstance(job, Request) and job.is_awaited) or (
            isinstance(job, DraftJob) and job.requested
        )
        if times and is_asked:
            return Fate.GIVEN_UP
        # Nothing succeeds before the memories match the document again.
        if times > 1 and self._succeeded > since and job.urgency is not Urgency.MEMORY:
            return Fate.GIVEN_UP
        self._failed[id(job)] = job, times + 1, since
        self.lasting |= times > 0
        return Fate.LATER if times else Fate.AGAIN

    def begin(self) -> None:
        self.lasting = True

    def end(self) -> bool:
        """There is memory again. Returns True if there was a shortage before."""
        ended, self.lasting = self.lasting, False
        return ended

    def note_success(self, job: Job) -> None:
        self._failed.pop(id(job), None)
        self._succeeded += 1

    def forget(self) -> None:
        """Another document begins: nothing of the last one will be tried again."""
        self._failed.clear()
