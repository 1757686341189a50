"""A source with its translation, as the memory keeps it."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.core.adapting import TaggedText
from anaphora.core.languages import code_of


@dataclass(frozen=True, slots=True)
class Unit:
    """A translation unit.

    Attributes:
        source: source text, inline tags as in a segment.
        target: its translation.
        marks: the source's own tags, in order; what only looks like one is text.
        source_language: as its file spells it, "" where unknown.
        target_language: the same for the target.
        created: seconds since 1970 (UTC); 0 when unknown.
        changed: the same for its last change.
        author: who changed it last, "" when unknown.
        origin: the document, or the file, that it came from.
        previous: source of the segment before it, without tags; "" at the beginning of a document, None when
            unknown.
        following: the same for the segment after it.
        key: names the confirmed segment that it follows; "" for an imported unit, which nothing follows.
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
        """The source as what a translation is adapted from."""
        return TaggedText(self.source, self.marks)

    @property
    def languages(self) -> tuple[str, str]:
        """See `languages_of`."""
        return languages_of(self.source_language, self.target_language)


def languages_of(source: str, target: str) -> tuple[str, str]:
    """The short codes of two languages as files spell them, without regions and scripts."""
    return code_of(source), code_of(target)
