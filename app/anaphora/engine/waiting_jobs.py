"""The jobs of one rank that wait."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator

from anaphora.engine.jobs import DraftJob, Job, Request


class WaitingJobs:
    """Jobs in the order in which they are done.

    Only the latest draft of a segment waits, and the latest request with a key. To find and to drop one
    costs the same whatever else waits: a confirmation drops some, before thousands.
    """

    def __init__(self, jobs: Iterable[Job] = ()) -> None:
        self._jobs: OrderedDict[Hashable, Job] = OrderedDict()
        for job in jobs:
            self.add(job)

    def __len__(self) -> int:
        return len(self._jobs)

    def __iter__(self) -> Iterator[Job]:
        return iter(self._jobs.values())

    def add(self, job: Job) -> None:
        """Add a job at the end; it replaces what was the same."""
        key = _key_of(job)
        self._jobs.pop(key, None)
        self._jobs[key] = job

    def put_back(self, job: Job, last: bool) -> None:
        """Return a job to the head, or to the end, unless a later one that is the same waits."""
        key = _key_of(job)
        self._jobs.setdefault(key, job)
        self._jobs.move_to_end(key, last)

    def take(self) -> Job:
        return self._jobs.popitem(last=False)[1]

    def drop_draft(self, segment: str) -> None:
        self._jobs.pop((DraftJob, segment), None)

    def drop(self, is_needless: Callable[[Job], bool]) -> None:
        for key in [key for key, job in self._jobs.items() if is_needless(job)]:
            del self._jobs[key]

    def begin_at(self, segments: Collection[str]) -> None:
        """What stands before the first of these segments' drafts comes last, if one of them waits."""
        wanted = {key for each in segments if (key := (DraftJob, each)) in self._jobs}
        while wanted and (first := next(iter(self._jobs))) not in wanted:
            self._jobs.move_to_end(first)

    def clear(self) -> None:
        self._jobs.clear()


def _key_of(job: Job) -> Hashable:
    """What jobs have in common of which the latest counts; a key of its own for any other."""
    if isinstance(job, DraftJob):
        return DraftJob, job.segment
    if isinstance(job, Request) and job.key is not None:
        return Request, job.key
    return object()
