"""The interface by which a format defines its elements for `blocks`, and a dialect for labels in XML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from anaphora.core.notes import Note
from anaphora.formats.markup.texts import escape
from anaphora.formats.markup.tokens import Attribute


class Role(Enum):
    """The role of an element in the text around it.

    BLOCK begins and ends texts; STRUCTURE contains blocks but no text of its own; INLINE is a pair of tags;
    EMBEDDED is one tag in its text and contains other texts; PROTECTED is one tag and counts as a word;
    STANDALONE is one tag and not a word; CLOSED ends a text, and all its content stays untranslated;
    BREAK ends a line; SPACE is white space; ANCHOR (a bookmark, a script) is never shown; HIDDEN is a pair
    of invisible tags.
    """

    BLOCK = "block"
    STRUCTURE = "structure"
    INLINE = "inline"
    EMBEDDED = "embedded"
    PROTECTED = "protected"
    STANDALONE = "standalone"
    CLOSED = "closed"
    BREAK = "break"
    SPACE = "space"
    ANCHOR = "anchor"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Element:
    """A tag and its context.

    Attributes:
        attributes: returns the attributes by name; a function, because most tags never need them.
        in_text: True if the tag is in a text, or a text may begin with it.
        holder: name of the EMBEDDED element around the tag; "" without one.
    """

    name: str
    attributes: Callable[[], Mapping[str, Attribute]]
    in_text: bool
    holder: str = ""


class Dialect:
    """A format's definition of the elements in its files.

    Attributes:
        is_xml: True for XML, False for HTML.
        text_anywhere: True if text outside BLOCK elements is also translated.
    """

    is_xml = True
    text_anywhere = False
    codes: re.Pattern[str] | None = None
    """Finds markup other than elements in a file's texts, for example template syntax."""

    def role(self, element: Element) -> Role:
        raise NotImplementedError

    def label(self, element: Element) -> str:
        """The description of an element's tag, for display."""
        return element.name

    def attribute_texts(self, element: Element) -> Iterable[tuple[Attribute, str]]:
        """The translatable attributes of an element, each with a note that describes it."""
        return ()

    def note(self, element: Element) -> str:
        """A description of the texts in a BLOCK or EMBEDDED element ("Footnote"); "" for ordinary texts."""
        return ""

    def structure(self, element: Element, ancestors: Sequence[str]) -> tuple[Note, ...]:
        """A note on the role of a BLOCK element in its document; empty for a plain paragraph.

        Args:
            ancestors: the names of the nearest STRUCTURE elements around the element, from the outermost.
        """
        return ()

    def to_source(self, text: str, entities: dict[str, str], holder: str) -> str:
        """A translation as source text.

        Args:
            entities: the references that the text uses for characters (`texts.entities_in`).
            holder: name of the BLOCK or EMBEDDED element around the text; "" without one.
        """
        return escape(" ".join(text.split("\n")), entities)


_ESCAPED = re.compile(
    r"&lt;/?[A-Za-z](?:(?!&[lg]t;)[^<>]){0,400}&gt;|&amp;(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7});"
)
"""Escaped HTML in a book's description."""

_GUIDES = ("reference", "tour", "site")
"""Elements of an EPUB package whose attribute `title` is the title of a part of the book."""


class LabelDialect(Dialect):
    """A dialect for XML with few texts; `notes` has descriptions by local names of elements with texts."""

    codes = _ESCAPED

    def __init__(self, notes: Mapping[str, str]) -> None:
        self._notes = notes

    def role(self, element: Element) -> Role:
        return Role.BLOCK if element.name.rpartition(":")[2] in self._notes else Role.STRUCTURE

    def note(self, element: Element) -> str:
        return self._notes.get(element.name.rpartition(":")[2], "")

    def attribute_texts(self, element: Element) -> Iterable[tuple[Attribute, str]]:
        if element.name.rpartition(":")[2] in _GUIDES and "title" in (values := element.attributes()):
            yield values["title"], "Title in the book's navigation"
