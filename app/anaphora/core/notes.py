"""What a file says about a segment to the translator: its context, comments, limits, place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class NoteKind(Enum):
    """What a note tells. The values are stored in project files: never rename one."""

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
    """One thing that a file says about a segment.

    Attributes:
        kind: what it tells.
        text: what it says, as the file has it; of PLACE an English phrase ("Header").
        details: what belongs to the kind: who wrote a NOTE, the type of a CONTEXT or PROPERTY, the number of
            a PLURAL_FORM and how many there are, how deep a STRUCTURE lies (`core/structure.py`).
    """

    kind: NoteKind
    text: str
    details: tuple[str, ...] = ()


HIDDEN = Note(NoteKind.PLACE, "Hidden text")
"""The note on a text that the document's program does not show."""


def pack(notes: Iterable[Note]) -> list[list[str]]:
    """Notes as lists of texts, for JSON."""
    return [[note.kind.value, note.text, *note.details] for note in notes]


def unpack(packed: Iterable[object]) -> tuple[Note, ...]:
    """What `pack` made, or the "Label: text" lines of projects of version 0.4 and before.

    Raises:
        ValueError, TypeError: it is neither.
    """
    return tuple(_unpacked(item) for item in packed)


def _unpacked(item: object) -> Note:
    if isinstance(item, str):
        return _of_line(item)
    if not isinstance(item, list) or len(item) < 2 or not all(isinstance(part, str) for part in item):
        raise ValueError("a note is no list of texts")
    return Note(NoteKind(item[0]), item[1], tuple(item[2:]))


_LABELS = {
    "Context": NoteKind.CONTEXT,
    "Name": NoteKind.NAME,
    "Note": NoteKind.NOTE,
    "Comment": NoteKind.COMMENT,
    "Translator's comment": NoteKind.TRANSLATOR_COMMENT,
    "Where it stands": NoteKind.REFERENCES,
    "Flags": NoteKind.FLAGS,
    "Length limit": NoteKind.LENGTH_LIMIT,
    "Singular": NoteKind.SINGULAR,
    "Plural": NoteKind.PLURAL,
    "Speaker": NoteKind.SPEAKER,
    "Style": NoteKind.STYLE,
}
_LINE = re.compile(rf"({'|'.join(_LABELS)})(?: \(([^)]{{1,60}})\))?: (.*)", re.DOTALL)
_FORM = re.compile(r"Plural form (\d+) of (\d+)(?:: (.*))?", re.DOTALL)
_TIME = re.compile(r"[\d:.,]+ → [\d:.,]+")


def _of_line(line: str) -> Note:
    """A note as the projects of version 0.4 and before keep it."""
    form = _FORM.fullmatch(line)
    if form is not None:
        return Note(NoteKind.PLURAL_FORM, form[3] or "", (form[1], form[2]))
    labelled = _LINE.fullmatch(line)
    if labelled is not None:
        details = (labelled[2],) if labelled[2] else ()
        return Note(_LABELS[labelled[1]], labelled[3], details)
    return Note(NoteKind.TIME if _TIME.fullmatch(line) else NoteKind.PLACE, line)
