"""A source with its translation, as a translation memory stores it."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.core.adapting import TaggedText
from anaphora.core.languages import code_of


@dataclass(frozen=True, slots=True)
class Unit:
    """A translation unit.

    Attributes:
        source: with inline tags as in a segment.
        marks: the source's own tags, in order, without text that only looks like a tag.
        source_language, target_language: their codes in its file; "" if unknown.
        created, changed: seconds since 1970 (UTC); 0 when unknown.
        author: author of the last change.
        origin: the document or file that it came from.
        previous, following: sources of its neighbours, without tags; "" at the ends of a document, None when
            unknown.
        key: identifies the confirmed segment whose changes it follows; "" for an imported unit.
    """

    source: str
    target: str
    marks: tuple[str, ...] = ()
    source_language: str = ""
    target_language: str = ""
    created: int = 0
    changed: int = 0
    author: str = ""
    origin: str = ""
    previous: str | None = None
    following: str | None = None
    key: str = ""

    @property
    def tagged(self) -> TaggedText:
        return TaggedText(self.source, self.marks)

    @property
    def languages(self) -> tuple[str, str]:
        """See `languages_of`."""
        return languages_of(self.source_language, self.target_language)


def languages_of(source: str, target: str) -> tuple[str, str]:
    """The short codes of two languages, without regions and scripts."""
    return code_of(source), code_of(target)
