"""Word counts, repetitions and progress, per document and in all. No Qt."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields

from anaphora.core.counting import WordCount, count_words
from anaphora.core.project import DocumentInfo
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import MARK

_NUMBER = re.compile(r"[-+]?[0-9][0-9.,]*%?")


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


def as_table(rows: Iterable[Sequence[object]], separator: str = ",") -> str:
    """Rows as CSV, or as text to be pasted into a spreadsheet with a tab for a separator.

    A text that a spreadsheet would calculate (a file may be named `=…`) gets an apostrophe in front. Lines
    of a cell end with a line feed: a carriage return alone would not be quoted, and so begin another row.
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerows([_harmless(str(cell)) for cell in row] for row in rows)
    return out.getvalue()


def _harmless(cell: str) -> str:
    cell = cell.replace("\r\n", "\n").replace("\r", "\n")
    is_formula = cell.lstrip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠")) or cell.startswith(
        "\t"
    )
    return f"'{cell}" if is_formula and not _NUMBER.fullmatch(cell) else cell


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
