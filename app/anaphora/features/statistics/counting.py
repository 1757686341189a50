"""Word counts, repetitions, matches and progress, for each document and in total. Does not use Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields

from anaphora.core.drafts import proposal_of
from anaphora.core.length_limits import WordCount, count_words
from anaphora.core.matching import EXACT, IN_CONTEXT
from anaphora.core.project import DocumentInfo
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import MARK

BANDS = (IN_CONTEXT, EXACT, 95, 85, 75, 0)
"""The lowest percentage of each band of matches; the last band is for lower matches and new text."""


@dataclass(slots=True)
class Statistics:
    """Counts of one document, or of all documents.

    Attributes:
        source, target: see `WordCount`.
        characters: number of characters in the sources, without spaces and tags.
        repeated: number of segments whose source occurs earlier, in this or a previous document.
        repeated_words: number of words of the repeated segments' sources.
        proposed: number of segments with a tentative draft.
        by_band, words_by_band, characters_by_band: segments, source words and characters in each of `BANDS`.
    """

    name: str
    segments: int = 0
    source: WordCount = field(default_factory=WordCount)
    target: WordCount = field(default_factory=WordCount)
    characters: int = 0
    repeated: int = 0
    repeated_words: WordCount = field(default_factory=WordCount)
    by_status: Counter[Status] = field(default_factory=Counter)
    proposed: int = 0
    approved: int = 0
    by_band: Counter[int] = field(default_factory=Counter)
    words_by_band: Counter[int] = field(default_factory=Counter)
    characters_by_band: Counter[int] = field(default_factory=Counter)


def count_documents(
    segments: Sequence[Segment],
    documents: Sequence[DocumentInfo],
    percent: Callable[[int], int] = lambda row: -1,
) -> list[Statistics]:
    """Count the segments of each document, in the order of `documents`.

    `percent` returns the percentage of a row's best match, or -1 to count the row in no band.
    """
    by_id = {document.id: Statistics(document.name) for document in documents}
    seen: set[str] = set()
    for row, segment in enumerate(segments):
        _add_segment(by_id[segment.document], segment, seen, percent(row))
    return list(by_id.values())


def total(parts: Iterable[Statistics], name: str) -> Statistics:
    result = Statistics(name)
    for part in parts:
        for each in fields(Statistics)[1:]:
            setattr(result, each.name, getattr(result, each.name) + getattr(part, each.name))
    return result


def _add_segment(statistics: Statistics, segment: Segment, seen: set[str], percent: int) -> None:
    words = count_words(segment.source)
    statistics.segments += 1
    statistics.source += words
    statistics.target += count_words(segment.target)
    characters = len("".join(MARK.sub("", segment.source).split()))
    statistics.characters += characters
    statistics.by_status[segment.status] += 1
    statistics.proposed += bool(proposal_of(segment.state))
    statistics.approved += segment.state.approved
    for band in [lowest for lowest in BANDS if percent >= lowest][:1]:  # no band for -1
        statistics.by_band[band] += 1
        statistics.words_by_band[band] += words.total
        statistics.characters_by_band[band] += characters
    if segment.source in seen:
        statistics.repeated += 1
        statistics.repeated_words += words
    seen.add(segment.source)
