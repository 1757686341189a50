"""Recurring terms of a document, how they were rendered, and settling on one rendering."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from anaphora.core.consistency import Rendering, Term, TermReport
from anaphora.core.edits import ChangeSet
from anaphora.core.segment import Segment
from anaphora_nmt.types import Explanation


@dataclass(frozen=True, slots=True)
class Preview:
    """A proposed change of one segment's target, to be shown before anything happens."""

    segment: str
    before: str
    after: str


def recurring_terms(
    segments: Iterable[Segment], min_count: int = 3, min_segments: int = 2
) -> tuple[Term, ...]:
    """Terms that recur in the source texts, most frequent first. Slow at first (loads jieba): not for the UI
    thread."""
    raise NotImplementedError


def find_renderings(
    terms: Iterable[Term], segments: Iterable[Segment], explanations: Mapping[str, Explanation]
) -> tuple[TermReport, ...]:
    """Renderings of each term, read off the word alignments; terms with several renderings first.

    Args:
        explanations: by segment id; one whose text is no longer the segment's target is ignored.
    """
    raise NotImplementedError


def propose_rendering(
    report: TermReport, rendering: Rendering, segments: Iterable[Segment]
) -> tuple[Preview, ...]:
    """Where the other renderings of a term would give way to `rendering`: unconfirmed segments only."""
    raise NotImplementedError


def changes_of(previews: Iterable[Preview], segments: Iterable[Segment]) -> ChangeSet:
    """The accepted previews as edits (status EDITED); a segment that changed since its preview is left out."""
    raise NotImplementedError
