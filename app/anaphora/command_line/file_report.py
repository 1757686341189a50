"""What became of one document without a window."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from anaphora.core.counting import count_words
from anaphora.core.segment import Segment


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of a document.

    Attributes:
        translated: those that the engine drafted.
        copied: the others, left as they stand: without text in the source language, or translated already.
        warnings: (number of the segment, from 1, plain sentence): what a reader should check.
        doubtful: numbers of segments whose drafts the window marks: likely to be poor, or with an invented
            word.
        proposed: numbers of segments whose drafts the window only proposes: they are likely to be worse than
            none. A translated file has them as drafts, a bilingual one does not.
        words: of the sources that were translated, characters of scripts without spaces and words of others.
        expected: the mean expected chrF2 of the drafts, between 0 and 1; None where it is not known.
    """

    segments: int
    translated: int
    copied: int
    warnings: tuple[tuple[int, str], ...]
    notes: tuple[str, ...]
    doubtful: tuple[int, ...] = ()
    proposed: tuple[int, ...] = ()
    remembered: int = 0
    words: int = 0
    expected: float | None = None


def words_of(segments: Iterable[Segment]) -> int:
    """How much text sources are: characters of scripts without spaces and words of others."""
    return sum(count_words(segment.source).total for segment in segments)
