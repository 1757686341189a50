"""Confirmed segments as units."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.core.adapting import TaggedText
from anaphora.core.document import Document
from anaphora.core.folding import without_marks
from anaphora.core.language_pair import CHINESE_TO_ENGLISH
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import marks_of
from anaphora.core.text import has_han
from anaphora.translation_memory.matching import Query
from anaphora.translation_memory.units import Unit


@dataclass(frozen=True, slots=True)
class Maker:
    """Who confirms, and when.

    Attributes:
        author: the user.
        now: seconds since 1970.
        origins: names of the project's documents by their ids.
    """

    author: str
    now: int
    origins: dict[str, str]


def is_remembered(segment: Segment) -> bool:
    """Whether a segment's translation belongs in the memory."""
    return segment.status is Status.CONFIRMED and bool(segment.target.strip() and segment.source.strip())


def neighbours(document: Document, row: int) -> tuple[str, str]:
    """Sources, without tags, of the segments before and after one in its document; "" at its ends."""
    here = document.at(row)
    beside = []
    for other in (row - 1, row + 1):
        segment = document.at(other) if 0 <= other < len(document) else None
        same = segment is not None and segment.document == here.document
        beside.append(
            without_marks(segment.source, marks_of(segment)).strip() if segment is not None and same else ""
        )
    return beside[0], beside[1]


def query_of(document: Document, row: int) -> Query:
    """What is asked for a segment; its key is its id."""
    segment = document.at(row)
    previous, following = neighbours(document, row)
    return Query(TaggedText.of(segment), previous, following, segment.id)


def unit_of(document: Document, row: int, maker: Maker, key: str) -> Unit:
    """A translated segment as a unit.

    Args:
        key: see `Unit.key`.
    """
    segment = document.at(row)
    previous, following = neighbours(document, row)
    languages = ("zh", "en") if CHINESE_TO_ENGLISH.fits(segment.source, segment.target) else ("", "zh")
    return Unit(
        segment.source,
        segment.target,
        marks_of(segment),
        *languages if has_han(segment.source) or has_han(segment.target) else ("", ""),
        maker.now,
        maker.now,
        maker.author,
        maker.origins.get(segment.document, ""),
        previous,
        following,
        key,
    )
