"""What the panel shows of a document, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["name", "pronoun", "subject", "tense", "person"]


@dataclass(frozen=True, slots=True)
class Break:
    """A segment that renders something otherwise than the others, or than its source.

    Attributes:
        about: the name, or the pronoun of the source.
        found: what the target has there.
        usual: what it should have.
    """

    kind: Kind
    segment: str
    about: str
    found: str
    usual: str


@dataclass(frozen=True, slots=True)
class SpokenOf:
    """A name of the document.

    Attributes:
        rendering: what most targets call it; "" if none is common.
        segments: ids of those that hold it.
    """

    name: str
    rendering: str
    segments: tuple[str, ...]
    breaks: tuple[Break, ...]


@dataclass(frozen=True, slots=True)
class Discourse:
    """What a document speaks of.

    Attributes:
        is_whole: the pair of languages is Chinese into English; for others, only names are known.
        tense, person: those of the narration: "past" or "present", "first" or "third"; "" without one.
    """

    names: tuple[SpokenOf, ...] = ()
    is_whole: bool = False
    pronouns: tuple[Break, ...] = ()
    narration: tuple[Break, ...] = ()
    tense: str = ""
    person: str = ""
