"""Confirmed segments as units."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.core.adapting import TaggedText
from anaphora.core.document import Document
from anaphora.core.folding import without_marks
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import marks_of
from anaphora.translation_memory.matching import Query
from anaphora.translation_memory.units import Unit


@dataclass(frozen=True, slots=True)
class Maker:
    """Who confirms, and when.

    Attributes:
        author: the user.
        now: seconds since 1970.
        origins: names of the project's documents by their ids.
        languages: those of the project.
    """

    author: str
    now: int
    origins: dict[str, str]
    languages: LanguagePair = CHINESE_TO_ENGLISH


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


def query_of(document: Document, row: int, languages: LanguagePair) -> Query:
    """What is asked for a segment of a project in these languages; its key is the segment's id."""
    segment = document.at(row)
    previous, following = neighbours(document, row)
    return Query(TaggedText.of(segment), previous, following, segment.id, languages)


def unit_of(document: Document, row: int, maker: Maker, key: str) -> Unit:
    """A translated segment as a unit.

    Args:
        key: see `Unit.key`.
    """
    segment = document.at(row)
    previous, following = neighbours(document, row)
    return Unit(
        segment.source,
        segment.target,
        marks_of(segment),
        *_languages_of(segment, maker.languages),
        maker.now,
        maker.now,
        maker.author,
        maker.origins.get(segment.document, ""),
        previous,
        following,
        key,
    )


def _languages_of(segment: Segment, pair: LanguagePair) -> tuple[str, str]:
    """The languages of source and target; "" for one that the pair does not tell."""
    if pair.fits(segment.source, segment.target):
        known = pair.needs_translation(segment.source)
        return (pair.source_language.code, pair.target_language.code) if known else ("", "")
    return "", pair.source_language.code
