"""What a format says about its elements, for its texts to be found by `markup_blocks`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from anaphora.core.notes import Note
from anaphora.formats.markup.tokens import Attribute

READINGS = frozenset(("rt", "rp", "rtc", "ruby-text"))
"""Elements that stand above or behind the letters of a ruby, by their local names."""
RUBY_BASES = frozenset(("rb", "rbc", "ruby-base"))
"""Elements around the letters of a ruby."""


class Role(Enum):
    """What an element is to the text around it.

    BLOCK begins and ends texts; STRUCTURE does not show text of its own; INLINE is a pair of tags;
    EMBEDDED stands as one in its text and holds others; PROTECTED stands as one and plays a word;
    STANDING stands as one without playing a word; CLOSED ends texts and is left out with all that it holds;
    BREAK ends a line; SPACE is white space; ANCHOR (a place, a script) is never shown; HIDDEN is a pair of
    tags that nobody would see; RUBY is a text with its reading, which a translation does without.
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
    RUBY = "ruby"


@dataclass(frozen=True, slots=True)
class Element:
    """A tag as a dialect sees it.

    Attributes:
        name: of the element.
        attributes: gives them by name, when asked (most tags never are).
        in_text: whether it stands in a text.
        holder: name of the EMBEDDED element that it stands in; "" for none.
    """

    name: str
    attributes: Callable[[], Mapping[str, Attribute]]
    in_text: bool
    holder: str = ""


class Dialect(Protocol):
    """What a format knows about its elements.

    Attributes:
        is_xml: see `markup.tokens`.
        text_anywhere: text counts outside BLOCK elements, too.
        collapses: see `markup_text.text_pieces`.
    """

    is_xml: bool
    text_anywhere: bool
    collapses: bool

    def codes(self, source: str) -> re.Pattern[str] | None:
        """What finds markup in the texts of a file beside its elements: template syntax, say."""
        ...

    def role(self, element: Element) -> Role:
        """What an element is."""
        ...

    def label(self, element: Element) -> str:
        """What a tag of it is, for a person."""
        ...

    def texts(self, element: Element) -> Iterable[tuple[Attribute, str]]:
        """Attributes that hold text to translate, each with a note on what it is."""
        ...

    def note(self, element: Element) -> str:
        """What the texts in a BLOCK or EMBEDDED element are ("heading", "footnote"); "" for ordinary ones."""
        ...

    def structure(self, element: Element, around: Sequence[str]) -> tuple[Note, ...]:
        """What a BLOCK element is in its document, as a note; none for a plain paragraph.

        Args:
            around: the names of the STRUCTURE elements that hold it, from the outermost on, the nearest 64.
        """
        ...

    def hides(self, element: Element) -> bool:
        """Whether programs show nothing of an element."""
        ...

    def written(self, text: str, spelled: dict[str, str], holder: str) -> str:
        """A translation as source text.

        Args:
            spelled: how the text spells characters as entities (`texts.spellings`).
            holder: name of the BLOCK or EMBEDDED element that the text stands in; "" for none.
        """
        ...


@dataclass(frozen=True, slots=True)
class Span:
    """Markup in the source."""

    start: int
    end: int
