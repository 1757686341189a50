"""How long a translation may be, as its file says: in units of XLIFF and memoQ, in comments of programs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK, labels_of

_LIMIT = re.compile(r"(?:\d{1,6}\s*,\s*)?(\d{1,6})(?:\s*(char|character|byte|x-byte)s?)?")
"""Characters or bytes, in XLIFF 2 perhaps with the least number before it. Pixels are not counted: the
fonts of the program or device that shows the text are not here, and others would give other widths."""
_IN_COMMENT = re.compile(
    r"(?i)\bmax(?:imum|imal)?\.?(?:[ _-]?len(?:gth)?|[ _-]?width)?\s*(?:of|is|[:=])?\s*(\d{1,4})\s*char"
    r"|\b(?:char(?:acter)?s?[ _-]?(?:limit|max)|length[ _-]?limit|max[ _-]?len(?:gth)?)\s*[:=]?\s*(\d{1,4})\b"
    r"|(?:不超过|最多|不得超过|限)\s*(\d{1,4})\s*(?:个)?(?:字|字符)"
)
_DIGIT = re.compile(r"\d")
"""Most comments have none, and are done with sooner."""
_COMMENTS = frozenset((
    NoteKind.COMMENT, NoteKind.NOTE, NoteKind.CONTEXT, NoteKind.TRANSLATOR_COMMENT, NoteKind.FLAGS,
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class LengthLimit:
    """The most that a translation may have.

    Attributes:
        most: characters, or bytes in UTF-8.
    """

    most: int
    in_bytes: bool = False

    def length(self, segment: Segment) -> int:
        """What a segment's target has, with what its placeholders stand for and without other tags."""
        labels = labels_of(segment)
        text = MARK.sub(lambda match: _code(labels.get(match.group(), "")), segment.target)
        return self._measured(text)

    def room(self, segment: Segment) -> int:
        """What is left for text beside what the source's placeholders stand for, at least 1."""
        codes = "".join(map(_code, (label for _, label in segment.tags)))
        return max(self.most - self._measured(codes), 1)

    def _measured(self, text: str) -> int:
        return len(text.encode("utf-8", "surrogatepass")) if self.in_bytes else len(text)


def length_limit(segment: Segment) -> LengthLimit | None:
    """The limit that a segment's notes say; None for none, or one that only a program can measure."""
    found = [limit for note in segment.notes if (limit := _of(note)) is not None]
    return min(found, key=lambda limit: limit.most, default=None)


def is_measured(note: Note) -> bool:
    """Whether a translation is checked against the limit that a note says, if it says one."""
    return note.kind is not NoteKind.LENGTH_LIMIT or _of(note) is not None


def _of(note: Note) -> LengthLimit | None:
    if note.kind is NoteKind.LENGTH_LIMIT:
        said = _LIMIT.fullmatch(note.text.strip())
        return None if said is None else LengthLimit(int(said[1]), "byte" in (said[2] or ""))
    if note.kind in _COMMENTS and _DIGIT.search(note.text) and (said := _IN_COMMENT.search(note.text)):
        return LengthLimit(int(said[1] or said[2] or said[3]))
    return None


def _code(label: str) -> str:
    """What a tag shows in the text of a program: a placeholder itself, markup nothing."""
    return label if label[:1] in ("%", "{", "$") else ""
