"""The engine's jobs, and the context in which they run. In all classes, `document` and `segment` are ids."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar

from anaphora.core.language_pair import LanguagePair
from anaphora.core.length_limits import length_limit
from anaphora.core.segment import Segment, Status
from anaphora_nmt.types import (
    BroughtIn,
    Correction,
    Explanation,
    MemoryRule,
    SearchOptions,
    SourceSegment,
    SourceTerm,
    Suggestion,
    WhatIf,
)

if TYPE_CHECKING:
    from anaphora_nmt.api import Translator

TermsOf = Callable[[str], Sequence[SourceTerm]]
"""A function that returns the terms of the segment with this id; called in the engine's thread."""


class EngineContext:
    """The loaded engine with options, terms and hints for the open document.

    Attributes:
        options: the options of drafts, which explanations of these drafts use, too.
        stop: returns True if the running job must stop.
        hints: dictionary words that a segment's last draft had to use, by (document id, segment id).
        plain_drafts: drafts without memory, by (document id, segment id, explained target, terms). They are
            deleted when the memory changes, because even such drafts may contain newly confirmed words.
    """

    def __init__(self, options: SearchOptions, terms: TermsOf, stop: Callable[[], bool]) -> None:
        self.loaded: Translator | None = None
        self.options = options
        self.stop = stop
        self.terms = terms
        self.hints: dict[tuple[str, str], tuple[SourceTerm, ...]] = {}
        self.plain_drafts: dict[tuple[str, str, str, tuple[SourceTerm, ...]], str] = {}

    @property
    def translator(self) -> Translator:
        """The loaded engine. Only jobs may use it, because they run only while an engine is loaded."""
        assert self.loaded is not None
        return self.loaded

    @property
    def memoryless_options(self) -> SearchOptions:
        return replace(self.options, memories=None)

    def all_terms(
        self, document: str, segment: str, terms: Sequence[SourceTerm] | None = None
    ) -> tuple[SourceTerm, ...]:
        """The terms (by default, those of the segment), and those hints of the segment's last draft that
        overlap with none of the terms."""
        known = tuple(self.terms(segment) if terms is None else terms)
        return (*known, *without_overlaps(self.hints.get((document, segment), ()), known))

    def draft_as_if(
        self,
        document: str,
        segments: Sequence[str],
        question: WhatIf,
        options: SearchOptions | None = None,
        terms: Sequence[SourceTerm] | None = None,
    ) -> tuple[Suggestion, ...]:
        """Draft segments as if `question` had changed the memory. The memory itself stays as it is.

        By default, the options and terms are those of ordinary drafts. The words in `hints` count as terms.
        """
        known = {segment: self.all_terms(document, segment, terms) for segment in segments}
        return self.translator.preview(
            document, tuple(segments), question, options or self.options, self.stop, known
        )

    def explain(self, document: str, segment: str, target: str, influence: bool = True) -> Explanation:
        """Explain a target with the options of drafts and, if `influence`, measure the effect of memories."""
        return self.translator.explain(document, segment, target, influence, self.stop, self.options)


def without_overlaps(words: Iterable[SourceTerm], terms: Sequence[SourceTerm]) -> tuple[SourceTerm, ...]:
    return tuple(
        word for word in words if not any(word.start < term.end and term.start < word.end for term in terms)
    )


class Urgency(IntEnum):
    """Rank of a job; a job with a lower value goes first and interrupts one with a higher value."""

    MEMORY = 0  # changes of the memory (`MemoryChange`), in the order in which they were requested
    COMPLETE = 1  # completions of typed text, which take a tenth of a second; only the latest counts
    PROMPT = 2  # the draft that the user is waiting for
    PREVIEW = 3  # hypothetical drafts with another memory; only the latest counts
    INSPECT = 4  # explanations and memory views; only the latest counts
    SUGGEST = 5  # alternatives for the current segment; only the latest counts
    FOLLOW_UP = 6  # drafts made again because the memory has changed
    BATCH = 7  # the first drafts of the document's segments
    MARK = 8  # the memory's influence on the drafts in view
    ALIGN = 9  # word alignments for the table of terms


class MemoryChange:
    """A job that changes the engine's memory of a document. Later jobs depend on that memory."""

    urgency: ClassVar[Urgency] = Urgency.MEMORY


@dataclass(frozen=True, slots=True)
class OpenJob(MemoryChange):
    """Open a document and rebuild its memory from `targets`: (segment id, target text, is confirmed)."""

    document: str
    segments: tuple[Segment, ...]
    targets: tuple[tuple[str, str, bool], ...] = ()


def source_segment(segment: Segment) -> SourceSegment:
    """The engine's copy of a segment; its length limit is in characters, 0 for none."""
    limit = length_limit(segment)
    return SourceSegment(segment.id, segment.source, limit.room(segment) if limit else 0)


def open_job(document: str, segments: Sequence[Segment], pair: LanguagePair) -> OpenJob:
    """The job that opens a document with its targets, except blank ones and those in a wrong language."""
    targets = []
    for each in segments:
        state = each.state  # read once, because a document may have thousands of segments
        if state.target and not state.target.isspace() and pair.fits(each.source, state.target):
            targets.append((each.id, state.target, state.status is Status.CONFIRMED))
    return OpenJob(document, tuple(segments), tuple(targets))


@dataclass(frozen=True, slots=True)
class ResegmentJob(MemoryChange):
    """Replace a document's segments after some were joined or split.

    Attributes:
        segments: all segments of the document; the engine keeps its state for unchanged segments.
        pair: the languages; targets in a wrong language do not enter the memory.
        new: ids of the segments that replaced others.
        renamed: (old id, new id) of each new segment that equals an old segment.
    """

    document: str
    segments: tuple[Segment, ...]
    pair: LanguagePair
    new: frozenset[str] = frozenset()
    renamed: tuple[tuple[str, str], ...] = ()

    def kept_ids(self) -> dict[str, str]:
        return {each.id: each.id for each in self.segments if each.id not in self.new} | dict(self.renamed)


@dataclass(frozen=True, slots=True)
class CloseJob(MemoryChange):
    document: str


@dataclass(frozen=True, slots=True)
class RememberJob(MemoryChange):
    """Enter a segment's confirmed translation into the memory, or remove it if `target` is None. `draft` is
    the draft that the user edited; None for the engine's last draft of the segment."""

    document: str
    segment: str
    target: str | None
    draft: str | None = None


@dataclass(frozen=True, slots=True)
class CountDraftJob(MemoryChange):
    """Include a draft in the memory (`counts`) or exclude it. A draft counts while it is the target."""

    document: str
    segment: str
    counts: bool


@dataclass(frozen=True, slots=True)
class SteerJob(MemoryChange):
    """Replace the user's rules for the memory."""

    document: str
    rules: tuple[MemoryRule, ...]


@dataclass(frozen=True, slots=True)
class PackJob(MemoryChange):
    """Replace the packs and matches in the memory. Their pairs come before the document's own pairs."""

    document: str
    packs: tuple[BroughtIn, ...]


@dataclass(frozen=True, slots=True)
class CorrectJob(MemoryChange):
    document: str
    removed: tuple[Correction, ...] = ()
    added: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftJob:
    """Draft a segment.

    Attributes:
        revision: the number of changes to the segment when the job was created; the window ignores the draft
            if the segment has changed since.
        requested: True if the user requested this draft; it may then replace the user's own text.
        cause: id of the segment whose confirmation, or withdrawn confirmation, led to this job; "" if none.
        is_revoked: True if the confirmation of `cause` was withdrawn.
    """

    document: str
    segment: str
    revision: int
    urgency: Urgency = Urgency.BATCH
    requested: bool = False
    cause: str = ""
    is_revoked: bool = False


Receiver = Callable[[Any], None]


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """A query to the engine, which does not change the memory.

    Attributes:
        run: computes the answer in the engine's thread and passes it, whole or in parts, to its second
            argument. If `run` is interrupted, it raises `Cancelled` and is called again later.
        receive: receives the answer in the window's thread.
        key: among requests with the same rank and key, only the latest is answered. A request without a key
            is not replaced by others.
        fail: receives the error message in the window's thread, after `EngineWorker.failed` was emitted.
    """

    document: str
    urgency: Urgency
    run: Callable[[EngineContext, Receiver], None]
    receive: Receiver
    key: Hashable | None = None
    fail: Callable[[str], None] | None = None

    def replaces(self, job: Job | None) -> bool:
        if not isinstance(job, Request) or self.key is None:
            return False
        return job.urgency is self.urgency and job.key == self.key

    @property
    def is_awaited(self) -> bool:
        return self.urgency < Urgency.FOLLOW_UP


Job = MemoryChange | DraftJob | Request
