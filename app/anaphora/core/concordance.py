"""Concordance: earlier uses of words in a document, with their translations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from anaphora.core.search import SearchQuery, compile_query
from anaphora.core.segment import Segment, Status

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A segment that holds the words.

    Attributes:
        source_spans: offsets (start, end) of the hits in its source.
    """

    segment: Segment
    source_spans: Spans
    target_spans: Spans


@dataclass(frozen=True, slots=True)
class Concordance:
    """The result of a search."""

    total: int
    occurrences: tuple[Occurrence, ...]


def find_occurrences(segments: Iterable[Segment], text: str, limit: int = 200) -> Concordance:
    """Translated segments (drafts included) that hold `text` in source or target, upper or lower case."""
    text = text.strip()
    if not text:
        return Concordance(0, ())
    pattern = compile_query(SearchQuery(text))
    cased, lowered = text.lower() != text.upper(), text.lower()
    total = 0
    found = []
    for segment in segments:
        if segment.status is Status.NOT_STARTED or not segment.target:
            continue
        # Quicker than the pattern, which is left to say where the words stand.
        texts = (segment.source, segment.target)
        if not any(lowered in (held.lower() if cased else held) for held in texts):
            continue
        total += 1
        if total <= limit:
            source = tuple(hit.span() for hit in pattern.finditer(segment.source))
            target = tuple(hit.span() for hit in pattern.finditer(segment.target))
            found.append(Occurrence(segment, source, target))
    return Concordance(total, tuple(found))
