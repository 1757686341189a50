"""A source with its translation, as the memory keeps it."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.core.adapting import TaggedText
from anaphora.core.languages import code_of


@dataclass(frozen=True, slots=True)
class Unit:
    """A translation unit.

    Attributes:
        source: with inline tags as in a segment.
        marks: the source's own tags, in order; what only looks like one is text.
        source_language, target_language: as its file spells them, "" if unknown.
        created, changed: seconds since 1970 (UTC); 0 when unknown.
        author: who changed it last.
        origin: the document, or the file, that it came from.
        previous, following: sources of its neighbours, without tags; "" at the ends of a document, None when
            unknown.
        key: names the confirmed segment that it follows; "" for an imported unit, which follows none.
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
    """The short codes of two languages as files spell them, without regions and scripts."""
    return code_of(source), code_of(target)
