"""The jobs of the engine thread and their order. No Qt, no torch."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import groupby
from typing import Any

from anaphora.core.language_pair import LanguagePair
from anaphora.core.length_limits import length_limit
from anaphora.core.segment import Segment, Status
from anaphora.engine.context import EngineContext
from anaphora_nmt.types import MemoryPack, MemoryRule, SourceSegment


class Urgency(IntEnum):
    """Rank of a job: a lower value goes first, and interrupts a higher one."""

    MEMORY = 0  # what later jobs depend on: open, close, remember, forget, in the order of asking
    COMPLETE = 1  # how the text goes on that is being typed: a tenth of a second; the latest wins
    PROMPT = 2  # the draft that the user is waiting for
    PREVIEW = 3  # what drafts would read with another memory; the latest wins
    INSPECT = 4  # explanations and memory views; the latest wins
    SOURCE = 5  # what each source word did for the word that is looked at; the latest wins
    SUGGEST = 6  # other ways to translate the current segment; the latest wins
    FOLLOW_UP = 7  # drafts redone because the memory has learned
    BATCH = 8  # the first draft of the whole document
    MARK = 9  # what the memory did for the drafts in view
    ALIGN = 10  # word alignments for the table of terms


@dataclass(frozen=True, slots=True)
class OpenJob:
    """Begin a document; `targets` rebuilds the memory of a reopened one."""

    document: str
    segments: tuple[Segment, ...]
    targets: tuple[tuple[str, str, bool], ...] = ()
    urgency: Urgency = Urgency.MEMORY


def source_segment(segment: Segment) -> SourceSegment:
    """A segment as the engine sees it."""
    limit = length_limit(segment)
    return SourceSegment(segment.id, segment.source, limit.room(segment) if limit else 0)


def open_job(document: str, segments: Sequence[Segment], pair: LanguagePair) -> OpenJob:
    """A whole document with the targets that stand in it, as confirmed or as drafts.

    What a translator has written and not confirmed counts as a draft from here on, but not while he writes.
    """
    targets = tuple(
        (each.id, each.target, each.status is Status.CONFIRMED)
        for each in segments
        if each.target.strip() and pair.fits(each.source, each.target)
    )
    return OpenJob(document, tuple(segments), targets)


@dataclass(frozen=True, slots=True)
class ResegmentJob:
    """Replace a document's segments after some were joined or split.

    Attributes:
        segments: all of the document; what the engine still holds of them is not restored.
        pair: the languages between which it is translated.
        new: ids of those that took the place of others.
        renamed: (old id, new id) of those among them that are the same as before.
    """

    document: str
    segments: tuple[Segment, ...]
    pair: LanguagePair
    new: frozenset[str] = frozenset()
    renamed: tuple[tuple[str, str], ...] = ()
    urgency: Urgency = Urgency.MEMORY

    def kept(self) -> dict[str, str]:
        """The id of each segment that is the same, by its old one."""
        return {each.id: each.id for each in self.segments if each.id not in self.new} | dict(self.renamed)


@dataclass(frozen=True, slots=True)
class CloseJob:
    """Drop a document's memory."""

    document: str
    urgency: Urgency = Urgency.MEMORY


@dataclass(frozen=True, slots=True)
class RememberJob:
    """Enter a confirmed translation into the memory, or take it out (`target` None)."""

    document: str
    segment: str
    target: str | None
    urgency: Urgency = Urgency.MEMORY


@dataclass(frozen=True, slots=True)
class StandJob:
    """Let a segment's draft count, or not, because it stands there again, or no longer."""

    document: str
    segment: str
    stands: bool
    urgency: Urgency = Urgency.MEMORY


@dataclass(frozen=True, slots=True)
class SteerJob:
    """Put the translator's rules for the memory in force, in place of those that were."""

    document: str
    rules: tuple[MemoryRule, ...]
    urgency: Urgency = Urgency.MEMORY


@dataclass(frozen=True, slots=True)
class PackJob:
    """Let the confirmed segments of packs come before the document's first, in place of those that did."""

    document: str
    packs: tuple[MemoryPack, ...]
    urgency: Urgency = Urgency.MEMORY


@dataclass(frozen=True, slots=True)
class DraftJob:
    """Translate a segment as it was at `revision`.

    Attributes:
        requested: the user asked for this very draft, so it may replace the user's own text.
        cause: id of the segment whose confirmation, or its taking back, led to it; empty where none did.
        taken_back: whether the confirmation was taken back.
    """

    document: str
    segment: str
    revision: int
    urgency: Urgency = Urgency.BATCH
    requested: bool = False
    cause: str = ""
    taken_back: bool = False


Answer = Callable[[Any], None]
"""Takes an answer."""


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """A question to the engine, which changes nothing: how it is worked out, and who gets the answer.

    Attributes:
        document: of whose memory it is asked.
        run: works it out in the engine's thread and passes what it finds to `Answer`, once or more often. It
            raises `Cancelled` where it is interrupted, and is run again.
        take: gets the answers, in the window's thread.
        key: of the requests of one rank with the same key the latest counts; None: each is answered.
        fail: is told in the window's thread that it could not be worked out, and why; the user has been told.
    """

    document: str
    urgency: Urgency
    run: Callable[[EngineContext, Answer], None]
    take: Answer
    key: Hashable | None = None
    fail: Callable[[str], None] | None = None

    def replaces(self, job: Job | None) -> bool:
        """Whether a job that was put before need not be done any more."""
        return isinstance(job, Request) and self.key is not None and job.is_same(self.urgency, self.key)

    def is_same(self, urgency: Urgency, key: Hashable) -> bool:
        """Whether it has this rank and key."""
        return self.urgency is urgency and self.key == key

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits for the answer."""
        return self.urgency < Urgency.FOLLOW_UP


Job = OpenJob | ResegmentJob | CloseJob | RememberJob | StandJob | SteerJob | PackJob | DraftJob | Request
_BACKGROUND_DRAFTS = (Urgency.FOLLOW_UP, Urgency.BATCH)
_DRAFTS = (Urgency.PROMPT, *_BACKGROUND_DRAFTS)
_HELD_BY_PAUSE = (*_BACKGROUND_DRAFTS, Urgency.MARK, Urgency.ALIGN)
_DROPPED_IF_OUTDATED = tuple(urgency for urgency in Urgency if urgency not in (Urgency.MEMORY, *_DRAFTS))
"""Questions about segments as they are: dropped when segments are joined or split."""


class JobQueue:
    """A queue by urgency, shared by the window (which puts) and the engine thread (which takes)."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._jobs: dict[Urgency, deque[Job]] = {urgency: deque() for urgency in Urgency}
        self._running: Job | None = None
        self._running_dropped = False
        self._paused = False
        self._closed = False

    def put(self, *jobs: Job) -> None:
        """Add jobs at the end of their rank.

        A request replaces the one with its key, whether that waits or runs. What was asked about a document
        before it was resegmented is dropped. Many at once look through what waits once.
        """
        with self._changed:
            for kind, some in groupby(jobs, type):
                if kind is Request:
                    self._put_requests([job for job in some if isinstance(job, Request)])
                elif kind is DraftJob:
                    self._put_drafts([job for job in some if isinstance(job, DraftJob)])
                else:
                    for job in some:
                        if isinstance(job, ResegmentJob):
                            self._drop_outdated(job.document)
                        self._jobs[job.urgency].append(job)
            self._changed.notify_all()

    def _put_requests(self, requests: Sequence[Request]) -> None:
        """Of those with the same rank and key the last counts."""
        last = {(each.urgency, each.key): each for each in requests if each.key is not None}
        for urgency in {urgency for urgency, _ in last}:
            waiting = self._jobs[urgency]
            self._jobs[urgency] = deque(
                job for job in waiting if not (isinstance(job, Request) and (urgency, job.key) in last)
            )
        if isinstance(self._running, Request):
            self._running_dropped |= (self._running.urgency, self._running.key) in last
        for each in requests:
            if each.key is None or last[each.urgency, each.key] is each:
                self._jobs[each.urgency].append(each)

    def _put_drafts(self, drafts: Sequence[DraftJob]) -> None:
        """One that is urgent replaces what was asked of its segment before."""
        urgent: set[str] = set()
        kept = []
        for draft in reversed(drafts):
            if draft.segment not in urgent:
                kept.append(draft)
            if draft.urgency is not Urgency.BATCH:
                urgent.add(draft.segment)
        if urgent:
            self._drop_drafts(urgent)
        for draft in reversed(kept):
            self._jobs[draft.urgency].append(draft)

    def put_only(self, urgency: Urgency, requests: Sequence[Request]) -> None:
        """Put these in the place of those of a rank; the one that runs goes on if its key is among them."""
        with self._changed:
            running = self._running if isinstance(self._running, Request) else None
            if running is not None and running.urgency is urgency:
                self._running_dropped |= not any(request.replaces(running) for request in requests)
            self._jobs[urgency] = deque(request for request in requests if not request.replaces(running))
            self._changed.notify_all()

    def put_back(self, job: Job, last: bool = False) -> None:
        """Return an interrupted job to the head of its rank, or its end, unless it was dropped meanwhile."""
        with self._changed:
            if not self._running_dropped:
                jobs = self._jobs[job.urgency]
                (jobs.append if last else jobs.appendleft)(job)
            self._running = None
            self._changed.notify_all()

    def rest(self, seconds: float) -> None:
        """Wait, unless the queue is closed meanwhile."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed, seconds)

    def take(self) -> Job | None:
        """Wait for the most urgent job; None when the queue has been closed."""
        with self._changed:
            self._running = None
            while True:
                if self._closed:
                    return None
                for urgency in Urgency:
                    if self._jobs[urgency] and not (self._paused and urgency in _HELD_BY_PAUSE):
                        self._running = self._jobs[urgency].popleft()
                        self._running_dropped = False
                        return self._running
                self._changed.wait()

    def should_stop(self) -> bool:
        """Whether the running job is to be given up now: asked at every decoding step."""
        job = self._running
        if job is None or self._closed or self._running_dropped:
            return self._closed or self._running_dropped
        if self._paused and job.urgency in _HELD_BY_PAUSE:
            return True
        return any(self._jobs[urgency] for urgency in Urgency if urgency < job.urgency)

    def set_paused(self, paused: bool) -> None:
        """Hold or resume background drafts; a draft that the user requested goes on."""
        with self._changed:
            self._paused = paused
            self._changed.notify_all()

    @property
    def closed(self) -> bool:
        return self._closed

    @property
    def paused(self) -> bool:
        return self._paused

    def cancel_drafts(self) -> None:
        """Drop every waiting draft and the running one."""
        with self._changed:
            for urgency in _DRAFTS:
                self._jobs[urgency].clear()
            self._running_dropped |= isinstance(self._running, DraftJob)
            self._changed.notify_all()

    def discard_drafts(self, segments: Collection[str]) -> None:
        """Drop the drafts, waiting or running, of segments that the user has taken over."""
        with self._changed:
            self._drop_drafts(segments)

    def begin_at(self, segments: Sequence[str]) -> None:
        """Draft the document from the first of these segments on that waits; what stands before comes last.

        Args:
            segments: ids of the segments where the translator is, in order.
        """
        near = frozenset(segments)
        with self._changed:
            jobs = self._jobs[Urgency.BATCH]
            for place, job in enumerate(jobs):
                if isinstance(job, DraftJob) and job.segment in near:
                    jobs.rotate(-place)
                    return

    def drop_document(self) -> None:
        """Drop everything that concerns the document being left."""
        with self._changed:
            for jobs in self._jobs.values():
                jobs.clear()
            self._running_dropped |= self._running is not None
            self._changed.notify_all()

    def close(self) -> None:
        """Let `take` return None and the running job stop."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def waiting_drafts(self) -> int:
        """Drafts that wait or run."""
        with self._changed:
            waiting = sum(isinstance(job, DraftJob) for urgency in _DRAFTS for job in self._jobs[urgency])
            return waiting + isinstance(self._running, DraftJob)

    def _drop_outdated(self, document: str) -> None:
        """Drop questions about a document's former segments; the caller discards drafts itself."""
        for urgency in _DROPPED_IF_OUTDATED:
            jobs = self._jobs[urgency]
            self._jobs[urgency] = deque(job for job in jobs if not _is_about(job, document))
        if self._running is not None and self._running.urgency in _DROPPED_IF_OUTDATED:
            self._running_dropped |= _is_about(self._running, document)

    def _drop_drafts(self, segments: Collection[str]) -> None:
        for urgency in _DRAFTS:
            jobs = self._jobs[urgency]
            kept = [job for job in jobs if not (isinstance(job, DraftJob) and job.segment in segments)]
            if len(kept) != len(jobs):
                self._jobs[urgency] = deque(kept)
        if isinstance(self._running, DraftJob):
            # Interrupted, it would otherwise begin again and be made twice.
            self._running_dropped |= self._running.segment in segments


def _is_about(job: Job, document: str) -> bool:
    """Whether a job is a request about a document."""
    return isinstance(job, Request) and job.document == document
