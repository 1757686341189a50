"""The jobs of the engine thread and their order. No Qt, no torch."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar

from anaphora.core.language_pair import LanguagePair
from anaphora.core.length_limits import length_limit
from anaphora.core.segment import Segment, Status
from anaphora.engine.context import EngineContext
from anaphora_nmt.types import BroughtIn, Correction, MemoryRule, SourceSegment


class Urgency(IntEnum):
    """Rank of a job: a lower value goes first, and interrupts a higher one."""

    MEMORY = 0  # what later jobs depend on: open, close, remember, forget, in the order of asking
    COMPLETE = 1  # how the text goes on that is being typed: a tenth of a second; the latest wins
    PROMPT = 2  # the draft that the user is waiting for
    PREVIEW = 3  # what drafts would read with another memory; the latest wins
    INSPECT = 4  # explanations and memory views; the latest wins
    SUGGEST = 5  # other ways to translate the current segment; the latest wins
    FOLLOW_UP = 6  # drafts redone because the memory has learned
    BATCH = 7  # the first draft of the whole document
    MARK = 8  # what the memory did for the drafts in view
    ALIGN = 9  # word alignments for the table of terms


class MemoryChange:
    """A job that affects later requests."""

    urgency: ClassVar[Urgency] = Urgency.MEMORY


@dataclass(frozen=True, slots=True)
class OpenJob(MemoryChange):
    """Begin a document; `targets` rebuilds the memory of a reopened one."""

    document: str
    segments: tuple[Segment, ...]
    targets: tuple[tuple[str, str, bool], ...] = ()


def source_segment(segment: Segment) -> SourceSegment:
    limit = length_limit(segment)
    return SourceSegment(segment.id, segment.source, limit.room(segment) if limit else 0)


def open_job(document: str, segments: Sequence[Segment], pair: LanguagePair) -> OpenJob:
    """A whole document with the targets that stand in it, as confirmed or as drafts.

    Unconfirmed text of a translator counts as a draft from here on, but not while it is being typed.
    """
    targets = []
    for each in segments:
        state = each.state  # of thousands in the window's thread
        if state.target and not state.target.isspace() and pair.fits(each.source, state.target):
            targets.append((each.id, state.target, state.status is Status.CONFIRMED))
    return OpenJob(document, tuple(segments), tuple(targets))


@dataclass(frozen=True, slots=True)
class ResegmentJob(MemoryChange):
    """Replace a document's segments after some were joined or split.

    Attributes:
        segments: all of the document; what the engine still holds of them is not restored.
        new: ids of those that took the place of others.
        renamed: (old id, new id) of those among them that are the same as before.
    """

    document: str
    segments: tuple[Segment, ...]
    pair: LanguagePair
    new: frozenset[str] = frozenset()
    renamed: tuple[tuple[str, str], ...] = ()

    def kept(self) -> dict[str, str]:
        """The id of each segment that is the same, by its old one."""
        return {each.id: each.id for each in self.segments if each.id not in self.new} | dict(self.renamed)


@dataclass(frozen=True, slots=True)
class CloseJob(MemoryChange):
    """Drop a document's memory."""

    document: str


@dataclass(frozen=True, slots=True)
class RememberJob(MemoryChange):
    """Enter a confirmed translation into the memory, or take it out (`target` None).
    `draft`: that was edited; None: not known, the engine takes its own."""

    document: str
    segment: str
    target: str | None
    draft: str | None = None


@dataclass(frozen=True, slots=True)
class StandJob(MemoryChange):
    """Let a segment's draft count, or not, because it stands there again, or no longer."""

    document: str
    segment: str
    stands: bool


@dataclass(frozen=True, slots=True)
class SteerJob(MemoryChange):
    """Put the translator's rules for the memory in force instead of the old ones."""

    document: str
    rules: tuple[MemoryRule, ...]


@dataclass(frozen=True, slots=True)
class PackJob(MemoryChange):
    """Let the pairs of packs, and matches, come before the document's first, in place of those that did."""

    document: str
    packs: tuple[BroughtIn, ...]


@dataclass(frozen=True, slots=True)
class CorrectJob(MemoryChange):
    """Remove corrections and add others."""

    document: str
    removed: tuple[Correction, ...] = ()
    added: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftJob:
    """Translate a segment as it was at `revision`.

    Attributes:
        requested: the user requested this very draft, so it may replace the user's own text.
        cause: id of the segment whose confirmation, or its taking back, led to it; empty if none did.
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
        run: works it out in the engine's thread and passes what it finds to `Answer`, once or more often. It
            raises `Cancelled` where it is interrupted, and is run again.
        key: of the requests of one rank with the same key the latest counts; None: each is answered.
        fail: receives the failure in the window's thread, after the user has been informed.
    """

    document: str
    urgency: Urgency
    run: Callable[[EngineContext, Answer], None]
    take: Answer
    key: Hashable | None = None
    fail: Callable[[str], None] | None = None

    def replaces(self, job: Job | None) -> bool:
        """True if an earlier job became superfluous."""
        if not isinstance(job, Request) or self.key is None:
            return False
        return job.urgency is self.urgency and job.key == self.key

    @property
    def is_awaited(self) -> bool:
        return self.urgency < Urgency.FOLLOW_UP


Job = MemoryChange | DraftJob | Request
