"""The results of the discourse checks, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["name", "pronoun", "subject", "tense", "person"]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A target that contradicts its source or the other targets.

    Attributes:
        about: the name or pronoun in the source; "" for an omitted subject or a tense.
        found: the wording, tense or person of the target.
        usual: the expected wording, tense or person of the target.
    """

    kind: Kind
    segment: str
    about: str
    found: str
    usual: str


@dataclass(frozen=True, slots=True)
class RenderedName:
    """A name in the document's sources, with its usual translation; "" if it has none."""

    name: str
    rendering: str
    segments: tuple[str, ...]
    mismatches: tuple[Mismatch, ...]


@dataclass(frozen=True, slots=True)
class Discourse:
    """The results for a document.

    Attributes:
        is_whole: False if only names were checked, because the languages are not Chinese into English.
        tense: the narration's tense, "past" or "present"; "" without a narration.
        person: the narration's person, "first" or "third"; "" without a narration.
    """

    names: tuple[RenderedName, ...] = ()
    is_whole: bool = False
    pronouns: tuple[Mismatch, ...] = ()
    narration: tuple[Mismatch, ...] = ()
    tense: str = ""
    person: str = ""
