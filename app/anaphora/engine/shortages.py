"""Handling of the engine's jobs when the computer is out of memory.

After oneDNN has failed to allocate a kernel, it refuses every new kernel to that thread, even if there is
memory again. So after a shortage the work continues in another thread.
"""

from __future__ import annotations

from enum import Enum, auto

from anaphora.engine.jobs import DraftJob, Job, Request, Urgency

REST_SECONDS = 5.0
"""Time between two tries while there are no other jobs."""


class Fate(Enum):
    """The decision about a job that lacked memory."""

    AGAIN = auto()  # at once, in another thread
    LATER = auto()  # after a rest
    GIVEN_UP = auto()


class Shortages:
    """Decides about jobs that lacked memory.

    A job is retried once. If it fails again, a user who waits for its answer gets an error; other jobs wait
    for memory. A job that still fails after others have succeeded is too large and is dropped.

    Attributes:
        lasting: True if jobs wait for memory.
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
        # Other jobs cannot succeed before the memory matches the document again.
        if times > 1 and self._succeeded > since and job.urgency is not Urgency.MEMORY:
            return Fate.GIVEN_UP
        self._failed[id(job)] = job, times + 1, since
        self.lasting |= times > 0
        return Fate.LATER if times else Fate.AGAIN

    def begin(self) -> None:
        self.lasting = True

    def end(self) -> bool:
        """End a shortage; returns False if there was none."""
        ended, self.lasting = self.lasting, False
        return ended

    def note_success(self, job: Job) -> None:
        self._failed.pop(id(job), None)
        self._succeeded += 1

    def forget(self) -> None:
        """Forget the failed jobs of the last document."""
        self._failed.clear()
