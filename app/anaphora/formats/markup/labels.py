"""XML files in which a few elements hold a line of text each: package files, properties, contents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from anaphora.formats.markup.dialect import Dialect, Element, Role
from anaphora.formats.markup.tokens import Attribute

_ESCAPED = re.compile(
    r"&lt;/?[A-Za-z](?:(?!&[lg]t;)[^<>]){0,400}&gt;|&amp;(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7});"
)
"""HTML that stands escaped in a book's description."""

_GUIDES = ("reference", "tour", "site")
"""Elements of an EPUB package that lead to places in the book, by their titles."""


class LabelDialect(Dialect):
    """What the elements of such a file are: each with text has a note by its local name."""

    codes = _ESCAPED

    def __init__(self, notes: Mapping[str, str]) -> None:
        self._notes = notes

    def role(self, element: Element) -> Role:
        return Role.BLOCK if element.name.rpartition(":")[2] in self._notes else Role.STRUCTURE

    def note(self, element: Element) -> str:
        return self._notes.get(element.name.rpartition(":")[2], "")

    def texts(self, element: Element) -> Iterable[tuple[Attribute, str]]:
        if element.name.rpartition(":")[2] in _GUIDES and "title" in (found := element.attributes()):
            yield found["title"], "Title in the book's guide"
