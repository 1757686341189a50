"""Notes for the translator from a document's file: context, comments, limits, place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class NoteKind(Enum):
    """The kinds of notes. The values are stored in project files: never rename one."""

    PLACE = "place"
    NOTE = "note"
    COMMENT = "comment"
    TRANSLATOR_COMMENT = "translator-comment"
    CONTEXT = "context"
    NAME = "name"
    PROPERTY = "property"
    REFERENCES = "references"
    FLAGS = "flags"
    LENGTH_LIMIT = "length-limit"
    PLURAL_FORM = "plural-form"
    SINGULAR = "singular"
    PLURAL = "plural"
    TIME = "time"
    SPEAKER = "speaker"
    STYLE = "style"
    STRUCTURE = "structure"


@dataclass(frozen=True, slots=True)
class Note:
    """A note about a segment, from the document's file.

    Attributes:
        text: the text in the file; for a PLACE, English phrases ("Slide 3, notes"), which
            `system.messages` translates.
        details: for a NOTE, its author; for a CONTEXT or PROPERTY, its type; for a STRUCTURE, its level
            (`core.structure`); for a PLURAL_FORM, its number and the count of forms.
    """

    kind: NoteKind
    text: str
    details: tuple[str, ...] = ()


HIDDEN = Note(NoteKind.PLACE, "Hidden text")
"""The note for text that is hidden in the program that made the document."""


def pack(notes: Iterable[Note]) -> list[list[str]]:
    return [[note.kind.value, note.text, *note.details] for note in notes]


def unpack(packed: Iterable[object]) -> tuple[Note, ...]:
    """The inverse of `pack`; raises ValueError or TypeError for values that are not packed notes."""
    notes = []
    for item in packed:
        if not isinstance(item, list) or len(item) < 2 or not all(isinstance(part, str) for part in item):
            raise ValueError("a note is not a list of texts")
        notes.append(Note(NoteKind(item[0]), item[1], tuple(item[2:])))
    return tuple(notes)
