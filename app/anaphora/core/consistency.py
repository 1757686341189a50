"""How each recurring source term was rendered: grouping only, no language models."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A source term that recurs in a document.

    Attributes:
        text: the term as it stands in the source.
        segments: ids of the segments that hold it, in document order.
        count: how often it occurs altogether.
    """

    text: str
    segments: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One rendering of a term in one segment's target.

    Attributes:
        segment: the segment's id.
        text: the target words, as they stand there.
    """

    segment: str
    text: str


@dataclass(frozen=True, slots=True)
class Rendering:
    """One way in which a term was rendered.

    Attributes:
        text: its most frequent surface form ("cache" and "Caches" are one rendering).
        segments: ids of the segments that use it, in document order, each once.
        forms: every surface form, most frequent first.
    """

    text: str
    segments: tuple[str, ...]
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TermReport:
    """A term and its renderings, most frequent first.

    Attributes:
        term: the source term.
        renderings: see `Rendering`.
        count: occurrences of the term in the source.
    """

    term: str
    renderings: tuple[Rendering, ...]
    count: int

    @property
    def consistent(self) -> bool:
        """Whether the term has at most one rendering."""
        return len(self.renderings) <= 1


def normal_form(text: str) -> str:
    """What two renderings must share to count as one: case and a simple plural are ignored."""
    raise NotImplementedError


def group_renderings(term: Term, occurrences: Iterable[Occurrence]) -> TermReport:
    """Group the occurrences of a term by the normal form of their words."""
    raise NotImplementedError


def sort_reports(reports: Iterable[TermReport]) -> tuple[TermReport, ...]:
    """Terms with more than one rendering first, then by frequency."""
    raise NotImplementedError
