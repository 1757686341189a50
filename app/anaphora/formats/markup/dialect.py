"""A format's definition of its elements; `markup_blocks` uses it to find texts."""

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

    BLOCK begins and ends texts; STRUCTURE shows no text itself; INLINE is a pair of tags;
    EMBEDDED is one tag in its text and contains other texts; PROTECTED is one tag and counts as a word;
    STANDING is one tag and not a word; CLOSED ends texts and is left out with all its contents;
    BREAK ends a line; SPACE is white space; ANCHOR (a place, a script) is never shown; HIDDEN is a pair of
    invisible tags.
    """

    BLOCK = "block"
    STRUCTURE = "structure"
    INLINE = "inline"
    EMBEDDED = "embedded"
    PROTECTED = "protected"
    STANDING = "standing"
    CLOSED = "closed"
    BREAK = "break"
    SPACE = "space"
    ANCHOR = "anchor"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Element:
    """A tag as a dialect sees it.

    Attributes:
        attributes: returns them by name when called (most tags never need them).
        in_text: True if it is in a text.
        holder: name of the EMBEDDED element around it; "" for none.
    """

    name: str
    attributes: Callable[[], Mapping[str, Attribute]]
    in_text: bool
    holder: str = ""


class Dialect:
    """A format's knowledge of its elements.

    Attributes:
        is_xml: see `markup.tokens`.
        text_anywhere: text counts outside BLOCK elements, too.
    """

    is_xml = True
    text_anywhere = False
    codes: re.Pattern[str] | None = None
    """Finds markup other than elements in a file's texts, for example template syntax."""

    def role(self, element: Element) -> Role:
        raise NotImplementedError

    def label(self, element: Element) -> str:
        """The description of its tag, for display."""
        return element.name

    def texts(self, element: Element) -> Iterable[tuple[Attribute, str]]:
        """Attributes that hold text to translate, each with a note on what it is."""
        return ()

    def note(self, element: Element) -> str:
        """The kind of texts in a BLOCK or EMBEDDED element ("footnote"); "" for ordinary ones."""
        return ""

    def structure(self, element: Element, around: Sequence[str]) -> tuple[Note, ...]:
        """The role of a BLOCK element in its document, as a note; none for a plain paragraph.

        Args:
            around: the names of the STRUCTURE elements that hold it, from the outermost on, the nearest 64.
        """
        return ()

    def written(self, text: str, spelled: dict[str, str], holder: str) -> str:
        """A translation as source text.

        Args:
            spelled: how the text spells characters as entities (`texts.spellings`).
            holder: name of the BLOCK or EMBEDDED element that the text stands in; "" for none.
        """
        return escape(" ".join(text.split("\n")), spelled)


_ESCAPED = re.compile(
    r"&lt;/?[A-Za-z](?:(?!&[lg]t;)[^<>]){0,400}&gt;|&amp;(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7});"
)
"""Escaped HTML in a book's description."""

_GUIDES = ("reference", "tour", "site")
"""Elements of an EPUB package that contain titles of places in the book."""


class LabelDialect(Dialect):
    """For XML files in which a few elements contain a line of text each, with a note by its local name."""

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
