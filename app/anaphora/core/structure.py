"""The role of a segment in its document: a heading, an item of a list, a cell, a cue."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment


class Structure(Enum):
    """Kinds of blocks. The values are stored in project files: never rename one."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    LIST_ITEM = "list-item"
    CELL = "cell"
    QUOTE = "quote"
    CUE = "cue"


@dataclass(frozen=True, slots=True)
class Structured:
    """A block's kind.

    Attributes:
        level: level of a heading or a list item, from 1; 0 for all others.
        time: time at which a cue is shown; empty for all others.
    """

    kind: Structure = Structure.PARAGRAPH
    level: int = 0
    time: str = ""


PARAGRAPH = Structured()
_CELL_PLACE = re.compile(r", cell [A-Z]+[0-9]+$")


def structure_note(kind: Structure, level: int = 0) -> Note:
    return Note(NoteKind.STRUCTURE, kind.value, (str(level),) if level else ())


@lru_cache(maxsize=4096)
def _of_notes(notes: tuple[Note, ...]) -> Structured:
    for note in notes:
        if note.kind is NoteKind.STRUCTURE:
            level = int(note.details[0]) if note.details and note.details[0].isdecimal() else 0
            try:
                return Structured(Structure(note.text), level)
            except ValueError:  # a kind from a later version
                return PARAGRAPH
        if note.kind is NoteKind.TIME:
            return Structured(Structure.CUE, time=note.text.split(" ")[0])
        if note.kind is NoteKind.PLACE and _CELL_PLACE.search(note.text):
            return Structured(Structure.CELL)
    return PARAGRAPH


def structure_of(segment: Segment) -> Structured:
    """The role of a segment, from its file's notes; a paragraph without such a note."""
    return _of_notes(segment.notes) if segment.notes else PARAGRAPH


_HEADING = re.compile(r"h([1-6])$")
_ITEMS = frozenset(("li", "dd", "dt"))
_CELLS = frozenset(("td", "th", "caption"))


@lru_cache(maxsize=64)
def of_element(name: str) -> tuple[Note, ...]:
    """The note for text directly in an HTML element; none for a paragraph."""
    if heading := _HEADING.match(name):
        return (structure_note(Structure.HEADING, int(heading[1])),)
    if name in _ITEMS:
        return (structure_note(Structure.LIST_ITEM, 1),)
    if name in _CELLS:
        return (structure_note(Structure.CELL),)
    if name == "blockquote":
        return (structure_note(Structure.QUOTE),)
    return ()
