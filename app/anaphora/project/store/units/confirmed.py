"""Units and queries made from the segments of a project."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.core.document import Document
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.matching import Query, TaggedText, Unit
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import marks_of
from anaphora.core.text import without_marks


@dataclass(frozen=True, slots=True)
class Maker:
    """Data for new units: author, time (seconds since 1970), names of documents by id, and languages."""

    author: str
    now: int
    origins: dict[str, str]
    languages: LanguagePair = CHINESE_TO_ENGLISH


def is_remembered(segment: Segment) -> bool:
    return segment.status is Status.CONFIRMED and bool(segment.target.strip() and segment.source.strip())


def neighbours(document: Document, row: int) -> tuple[str, str]:
    """The sources without tags of the segments before and after a row; "" at the ends of a document."""
    current = document.at(row).document
    before = document.at(row - 1) if row else None
    after = document.at(row + 1) if row + 1 < len(document) else None
    return (
        _plain(before) if before is not None and before.document == current else "",
        _plain(after) if after is not None and after.document == current else "",
    )


def _plain(segment: Segment) -> str:
    return without_marks(segment.source, marks_of(segment)).strip()


def query_of(document: Document, row: int, languages: LanguagePair) -> Query:
    """The query for matches of the segment in a row; the key is the segment's id."""
    segment = document.at(row)
    previous, following = neighbours(document, row)
    return Query(TaggedText.of(segment), previous, following, segment.id, languages)


def unit_of(document: Document, row: int, maker: Maker, key: str) -> Unit:
    """The segment in a row as a unit; `key` is "" for a unit that is not updated with the segment."""
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
    """The codes of a segment's source and target language, judging by letters; "" for an unknown one."""
    if pair.fits(segment.source, segment.target):
        known = pair.needs_translation(segment.source)
        return (pair.source_language.code, pair.target_language.code) if known else ("", "")
    return "", pair.source_language.code
