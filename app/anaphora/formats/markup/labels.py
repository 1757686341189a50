"""XML files in which a few elements hold a line of text each: package files, properties, contents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from anaphora.core.notes import Note
from anaphora.formats.markup.dialect import Element, Role
from anaphora.formats.markup.texts import escape
from anaphora.formats.markup.tokens import Attribute

_ESCAPED = re.compile(
    r"&lt;/?[A-Za-z](?:(?!&[lg]t;)[^<>]){0,400}&gt;|&amp;(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7});"
)

GUIDES = ("reference", "tour", "site")
"""Elements of an EPUB package that lead to places in the book, by their titles."""


class LabelDialect:
    """What the elements of such a file are.

    Attributes: see `markup_dialect.Dialect`.
    """

    is_xml = True
    text_anywhere = False
    collapses = True

    def __init__(self, notes: Mapping[str, str]) -> None:
        """Make a dialect.

        Args:
            notes: a note by the local name of each element that holds text.
        """
        self._notes = notes

    def codes(self, source: str) -> re.Pattern[str]:
        """See `Dialect.codes`: HTML that stands escaped in a book's description."""
        return _ESCAPED

    def role(self, element: Element) -> Role:
        """See `Dialect.role`."""
        return Role.BLOCK if element.name.rpartition(":")[2] in self._notes else Role.STRUCTURE

    def label(self, element: Element) -> str:
        """See `Dialect.label`."""
        return element.name

    def note(self, element: Element) -> str:
        """See `Dialect.note`."""
        return self._notes.get(element.name.rpartition(":")[2], "")

    def texts(self, element: Element) -> Iterable[tuple[Attribute, str]]:
        """See `Dialect.texts`: the titles of an EPUB package's guide and tours."""
        if element.name.rpartition(":")[2] in GUIDES and "title" in (found := element.attributes()):
            yield found["title"], "Title in the book's guide"

    def structure(self, element: Element, around: Sequence[str]) -> tuple[Note, ...]:
        """See `Dialect.structure`."""
        return ()

    def hides(self, element: Element) -> bool:
        """See `Dialect.hides`."""
        return False

    def written(self, text: str, spelled: dict[str, str], holder: str) -> str:
        """See `Dialect.written`."""
        return escape(" ".join(text.split("\n")), spelled)
