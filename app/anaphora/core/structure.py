"""The structure of a document around a segment, size limits, and shortening of texts for display."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from itertools import takewhile

from anaphora.core.drafts import proposal_of
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment, Status


class Structure(Enum):
    """Kinds of blocks. The values are stored in project files: never rename one."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    LIST_ITEM = "list-item"
    CELL = "cell"
    QUOTE = "quote"
    CUE = "cue"


@dataclass(frozen=True, slots=True)
class BlockStructure:
    """The kind of a block, with the level (from 1; 0 if unknown) or, for a cue, the time."""

    kind: Structure = Structure.PARAGRAPH
    level: int = 0
    time: str = ""


PARAGRAPH = BlockStructure()
_CELL_PLACE = re.compile(r", cell [A-Z]+[0-9]+$")


def structure_note(kind: Structure, level: int = 0) -> Note:
    return Note(NoteKind.STRUCTURE, kind.value, (str(level),) if level else ())


@lru_cache(maxsize=4096)
def _of_notes(notes: tuple[Note, ...]) -> BlockStructure:
    for note in notes:
        if note.kind is NoteKind.STRUCTURE:
            level = int(note.details[0]) if note.details and note.details[0].isdecimal() else 0
            try:
                return BlockStructure(Structure(note.text), level)
            except ValueError:  # a kind from a later version
                return PARAGRAPH
        if note.kind is NoteKind.TIME:
            return BlockStructure(Structure.CUE, time=note.text.split(" ")[0])
        if note.kind is NoteKind.PLACE and _CELL_PLACE.search(note.text):
            return BlockStructure(Structure.CELL)
    return PARAGRAPH


def structure_of(segment: Segment) -> BlockStructure:
    return _of_notes(segment.notes) if segment.notes else PARAGRAPH


_HEADING = re.compile(r"h([1-6])$")
_ITEMS = frozenset(("li", "dd", "dt"))
_CELLS = frozenset(("td", "th", "caption"))


@lru_cache(maxsize=64)
def element_notes(name: str) -> tuple[Note, ...]:
    if heading := _HEADING.match(name):
        return (structure_note(Structure.HEADING, int(heading[1])),)
    if name in _ITEMS:
        return (structure_note(Structure.LIST_ITEM, 1),)
    if name in _CELLS:
        return (structure_note(Structure.CELL),)
    if name == "blockquote":
        return (structure_note(Structure.QUOTE),)
    return ()


MAX_SOURCE_LENGTH = 5_000
"""Maximum number of characters of a segment's source; the import splits a longer one where possible."""
MAX_UNIT_LENGTH = 20_000
"""Maximum number of characters of a source that cannot be split; the import skips a longer source."""
MAX_TARGET_LENGTH = 60_000
"""Maximum number of characters of a target; English needs two to three letters per Chinese character."""
MAX_TAGS = 2_000
"""Maximum number of opening braces in a source or target; each tag begins with one."""
MAX_LISTED = 1_000
ELLIPSIS = "…"


def shortened(text: str, maximum: int = MAX_LISTED) -> str:
    """A text, or the beginning of a long text with "…"; a tag that the cut would split is left out."""
    if len(text) <= maximum:
        return text
    end = text.rfind("{", maximum - 12, maximum)
    is_whole = end < 0 or "}" in text[end:maximum]
    return text[: maximum if is_whole else end] + ELLIPSIS


def shortened_pair(before: str, after: str, maximum: int = MAX_LISTED) -> tuple[str, str]:
    """Two versions of a text; if one is longer than `maximum`, the parts around the first difference."""
    if max(len(before), len(after)) <= maximum:
        return before, after
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))
    start = max(sum(1 for _ in alike) - maximum // 10, 0)
    head = ELLIPSIS if start else ""
    return head + shortened(before[start:], maximum), head + shortened(after[start:], maximum)


def is_editable(segment: Segment) -> bool:
    source, target = segment.source, segment.target or proposal_of(segment.state)
    return (
        len(source) <= MAX_UNIT_LENGTH
        and len(target) <= MAX_TARGET_LENGTH
        and max(source.count("{"), target.count("{")) <= MAX_TAGS
    )


def glimpse(segment: Segment) -> Segment:
    """The segment for display; a segment that is too long to edit is shortened and locked."""
    if is_editable(segment):
        return segment
    state = replace(segment.state, target=shortened(segment.target), status=Status.LOCKED)
    return replace(segment, source=shortened(segment.source), state=state)
