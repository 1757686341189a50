"""Word counts, repetitions and progress, per document and in all. No Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields

from anaphora.core.counting import WordCount, count_words
from anaphora.core.project import DocumentInfo
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import MARK


@dataclass(slots=True)
class Statistics:
    """Counts of one document, or of all.

    Attributes:
        source: characters and words of the sources.
        repeated: segments whose source stood before, in the same document or in one before.
        repeated_words: characters and words in repeated segments.
        words_by_status: characters and words of the sources by status.
    """

    name: str
    segments: int = 0
    source: WordCount = field(default_factory=WordCount)
    target: WordCount = field(default_factory=WordCount)
    characters: int = 0
    repeated: int = 0
    repeated_across: int = 0
    repeated_words: WordCount = field(default_factory=WordCount)
    by_status: Counter[Status] = field(default_factory=Counter)
    words_by_status: Counter[Status] = field(default_factory=Counter)

    @property
    def confirmed_share(self) -> float:
        """The share of the words that is confirmed (or locked), in [0, 1]."""
        done = self.words_by_status[Status.CONFIRMED] + self.words_by_status[Status.LOCKED]
        return done / self.source.total if self.source.total else 0.0


def count_documents(segments: Iterable[Segment], documents: Sequence[DocumentInfo]) -> list[Statistics]:
    """Statistics of each document, in order; `total` adds them up.

    Args:
        documents: for their names and order; one without segments is counted, too.
    """
    found = {document.id: Statistics(document.name) for document in documents}
    first_in: dict[str, str] = {}
    for segment in segments:
        _count(found[segment.document], segment, first_in)
    return list(found.values())


def total(parts: Iterable[Statistics], name: str) -> Statistics:
    whole = Statistics(name)
    for part in parts:
        for each in fields(Statistics)[1:]:
            setattr(whole, each.name, getattr(whole, each.name) + getattr(part, each.name))
    return whole


def _count(counted: Statistics, segment: Segment, first_in: dict[str, str]) -> None:
    words = count_words(segment.source)
    counted.segments += 1
    counted.source += words
    counted.target += count_words(segment.target)
    counted.characters += len("".join(MARK.sub("", segment.source).split()))
    counted.by_status[segment.status] += 1
    counted.words_by_status[segment.status] += words.total
    if segment.source in first_in:
        counted.repeated += 1
        counted.repeated_across += first_in[segment.source] != segment.document
        counted.repeated_words += words
    else:
        first_in[segment.source] = segment.document
