"""The queue of the engine's jobs, and retries if the computer lacks memory. Imports neither Qt nor torch."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Hashable, Sequence
from enum import Enum, auto

from anaphora.engine.jobs import DraftJob, Job, Request, ResegmentJob, Urgency

REST_SECONDS = 5.0
"""Seconds between two attempts to run a job while the computer lacks memory."""


class Fate(Enum):
    """The decision about a job that failed because the computer lacked memory."""

    RETRY = auto()  # at once, in another thread
    RETRY_LATER = auto()  # after `REST_SECONDS`
    DROP = auto()


class Shortages:
    """Decides whether to retry jobs that failed because the computer lacked memory.

    A job that the user waits for is retried once. From its third failure on, any other job is dropped if jobs
    have succeeded meanwhile, because it is probably too large. A `MemoryChange` is never dropped.

    Attributes:
        is_lasting: True while jobs wait until the computer has free memory.
    """

    def __init__(self) -> None:
        self.is_lasting = False
        self._succeeded = 0
        self._failed: dict[int, tuple[Job, int, int]] = {}

    def decide(self, job: Job) -> Fate:
        _, failures, succeeded = self._failed.pop(id(job), (job, 0, self._succeeded))
        is_awaited = (isinstance(job, Request) and job.is_awaited) or (
            isinstance(job, DraftJob) and job.requested
        )
        if failures and is_awaited:
            return Fate.DROP
        # If a MEMORY job were dropped, the engine's memory would not match the document.
        if failures > 1 and self._succeeded > succeeded and job.urgency is not Urgency.MEMORY:
            return Fate.DROP
        self._failed[id(job)] = job, failures + 1, succeeded
        self.is_lasting |= failures > 0
        return Fate.RETRY_LATER if failures else Fate.RETRY

    def begin(self) -> None:
        """Note a shortage that was not caused by a job, but by the loading of a model."""
        self.is_lasting = True

    def end(self) -> bool:
        """Note that memory is available; returns False if there was no lasting shortage."""
        ended, self.is_lasting = self.is_lasting, False
        return ended

    def note_success(self, job: Job) -> None:
        self._failed.pop(id(job), None)
        self._succeeded += 1

    def clear_failures(self) -> None:
        self._failed.clear()


_BACKGROUND_DRAFTS = (Urgency.FOLLOW_UP, Urgency.BATCH)
_DRAFTS = (Urgency.PROMPT, *_BACKGROUND_DRAFTS)
_PAUSABLE = (*_BACKGROUND_DRAFTS, Urgency.MARK, Urgency.ALIGN)
_DROPPED_IF_OUTDATED = tuple(urgency for urgency in Urgency if urgency not in (Urgency.MEMORY, *_DRAFTS))
"""The ranks of requests that are dropped when segments of their document are joined or split."""


class JobQueue:
    """A queue of jobs by urgency. The window adds jobs, and the engine's thread takes them. Segments and
    documents are given by their ids. A job's rank is its urgency."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._jobs: dict[Urgency, OrderedDict[Hashable, Job]] = {each: OrderedDict() for each in Urgency}
        self._running: Job | None = None
        self._running_dropped = False
        self.paused = False
        self.closed = False

    def put(self, *jobs: Job) -> None:
        """Add jobs at the end of their rank.

        A request with a key replaces a waiting or running request with the same rank and key. A BATCH draft
        replaces a waiting BATCH draft of its segment; a draft of another rank replaces all waiting and
        running drafts of its segment. A ResegmentJob drops earlier requests about its document.
        """
        with self._changed:
            for job in jobs:
                if isinstance(job, ResegmentJob):
                    self._drop_outdated(job.document)
                elif isinstance(job, DraftJob) and job.urgency is not Urgency.BATCH:
                    self._drop_drafts((job.segment,))
                elif isinstance(job, Request):
                    self._running_dropped |= job.replaces(self._running)
                self._add(job)
            self._changed.notify_all()

    def put_only(self, urgency: Urgency, requests: Sequence[Request]) -> None:
        """Replace the waiting requests of a rank. A running request of the rank stops, unless a new request
        has the same key. In that case, the running request continues, and that new request is left out."""
        with self._changed:
            running = self._running if isinstance(self._running, Request) else None
            if running is not None and running.urgency is urgency:
                self._running_dropped |= not any(request.replaces(running) for request in requests)
            self._jobs[urgency].clear()
            for request in requests:
                if not request.replaces(running):
                    self._add(request)
            self._changed.notify_all()

    def put_back(self, job: Job, at_end: bool = False) -> None:
        """Return an interrupted job to the head or the end of its rank, unless it was dropped while running.
        If a newer job with the same key is waiting, that one moves, and `job` is dropped."""
        with self._changed:
            if not self._running_dropped:
                key, waiting = _key_of(job), self._jobs[job.urgency]
                waiting.setdefault(key, job)
                waiting.move_to_end(key, at_end)
            self._running = None
            self._changed.notify_all()

    def rest(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self.closed, seconds)

    def take(self) -> Job | None:
        """Wait for a job, and return the first one of the most urgent rank; None if the queue is closed."""
        with self._changed:
            self._running = None
            while True:
                if self.closed:
                    return None
                for urgency, waiting in self._jobs.items():
                    if waiting and not (self.paused and urgency in _PAUSABLE):
                        self._running = waiting.popitem(last=False)[1]
                        self._running_dropped = False
                        return self._running
                self._changed.wait()

    def should_stop(self) -> bool:
        """True if the running job must stop. Called at every decoding step."""
        job = self._running
        if job is None or self.closed or self._running_dropped:
            return self.closed or self._running_dropped
        if self.paused and job.urgency in _PAUSABLE:
            return True
        return any(self._jobs[urgency] for urgency in Urgency if urgency < job.urgency)

    def set_paused(self, paused: bool) -> None:
        """Pause or continue the jobs of the ranks in `_PAUSABLE`, for which the user does not wait."""
        with self._changed:
            self.paused = paused
            self._changed.notify_all()

    def discard_drafts(self, segments: Collection[str]) -> None:
        with self._changed:
            self._drop_drafts(segments)

    def begin_at(self, segments: Sequence[str]) -> None:
        """Start the BATCH drafts at the first one of these segments; earlier drafts move to the end."""
        with self._changed:
            waiting = self._jobs[Urgency.BATCH]
            wanted = {key for each in segments if (key := (DraftJob, each)) in waiting}
            while wanted and (first := next(iter(waiting))) not in wanted:
                waiting.move_to_end(first)

    def clear(self) -> None:
        with self._changed:
            for jobs in self._jobs.values():
                jobs.clear()
            self._running_dropped |= self._running is not None
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self.closed = True
            self._changed.notify_all()

    def has_drafts(self) -> bool:
        with self._changed:
            waiting = any(
                isinstance(job, DraftJob) for urgency in _DRAFTS for job in self._jobs[urgency].values()
            )
            return waiting or isinstance(self._running, DraftJob)

    def _add(self, job: Job) -> None:
        key, waiting = _key_of(job), self._jobs[job.urgency]
        waiting.pop(key, None)
        waiting[key] = job

    def _drop_outdated(self, document: str) -> None:
        for urgency in _DROPPED_IF_OUTDATED:
            waiting = self._jobs[urgency]
            for key in [key for key, job in waiting.items() if _is_about(job, document)]:
                del waiting[key]
        if self._running is not None and self._running.urgency in _DROPPED_IF_OUTDATED:
            self._running_dropped |= _is_about(self._running, document)

    def _drop_drafts(self, segments: Collection[str]) -> None:
        for urgency in _DRAFTS:
            for segment in segments:
                self._jobs[urgency].pop((DraftJob, segment), None)
        if isinstance(self._running, DraftJob):
            # If the running draft were not dropped, it would be interrupted, start again and be made twice.
            self._running_dropped |= self._running.segment in segments


def _is_about(job: Job, document: str) -> bool:
    return isinstance(job, Request) and job.document == document


def _key_of(job: Job) -> Hashable:
    """A key that a job shares with the jobs that it replaces, or a unique key if it replaces none."""
    if isinstance(job, DraftJob):
        return DraftJob, job.segment
    if isinstance(job, Request) and job.key is not None:
        return Request, job.key
    return object()
