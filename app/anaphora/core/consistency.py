"""Recurring source terms, their renderings and inconsistencies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from anaphora_text.punctuation import AROUND_WORDS
from anaphora_text.word_forms import stem

_ARTICLES = frozenset(("the", "a", "an"))


@dataclass(frozen=True, slots=True)
class Term:
    """A source term that recurs in a document.

    Attributes:
        segments: ids of the segments that contain the term, in document order.
    """

    text: str
    segments: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Occurrence:
    """The rendering of a term, as written, in the target of the segment with the id `segment`."""

    segment: str
    text: str


@dataclass(frozen=True, slots=True)
class Rendering:
    """A translation of a term, in all its surface forms.

    Attributes:
        text: the rendering's most frequent surface form ("cache" and "Caches" are one rendering).
        segments: ids of the segments that use the rendering, in document order, each once.
    """

    text: str
    segments: tuple[str, ...]
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Inconsistency:
    """A term that a segment contains and that has several renderings in the project.

    Attributes:
        segment_forms: surface forms of the term's rendering in this segment.
        renderings: the texts of all renderings of the term.
        chosen: the rendering that the term should have everywhere; "" if none is chosen.
    """

    term: str
    segment_forms: tuple[str, ...]
    renderings: tuple[str, ...]
    chosen: str = ""


class Origin(Enum):
    """The origin of the rendering chosen for a term; NONE if none is chosen."""

    NONE = "none"
    TERM_BASE = "term base"
    CONFIRMED = "confirmed"
    DRAFT = "draft"


@dataclass(frozen=True, slots=True)
class TermReport:
    """A term and its renderings, most frequent first.

    Attributes:
        renderings: empty if no segment with the term is translated yet.
        accepted: True if the user has accepted the different renderings.
    """

    term: str
    renderings: tuple[Rendering, ...]
    count: int
    segments: tuple[str, ...] = ()
    chosen: str = ""
    origin: Origin = Origin.NONE
    accepted: bool = False

    @property
    def is_consistent(self) -> bool:
        return self.accepted or len(self.renderings) <= 1


def normal_form(text: str) -> str:
    """The form that two renderings must share to count as the same: "operates" and "operations" share one.

    Words are reduced to stems in lower case, without the punctuation around them, and hyphens become spaces.
    Leading articles are left out, unless nothing else is left.
    """
    words = [word.strip(AROUND_WORDS) for word in text.replace("-", " ").split()]
    words = [word.lower() for word in words if any(char.isalnum() for char in word)]
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    return " ".join(map(stem, words))


def inconsistencies(reports: Iterable[TermReport]) -> dict[str, tuple[Inconsistency, ...]]:
    """The inconsistencies by segment id, for all segments with a rendering of an inconsistent term."""
    by_segment: dict[str, list[Inconsistency]] = {}
    for report in reports:
        renderings = () if report.is_consistent else report.renderings
        texts = tuple(rendering.text for rendering in renderings)
        for rendering in renderings:
            for segment_id in rendering.segments:
                by_segment.setdefault(segment_id, []).append(
                    Inconsistency(report.term, rendering.forms, texts, report.chosen)
                )
    return {segment_id: tuple(found) for segment_id, found in by_segment.items()}
