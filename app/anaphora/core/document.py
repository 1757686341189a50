"""The segments of open documents, and a document as read from its file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.reading_choices import AS_SUGGESTED, ReadingChoices
from anaphora.core.segment import Segment


class StaleEditError(Exception):
    """The segments to change are no longer in the state, or the place, that a change assumes."""


class Document:
    """The segments of one or more files in order, looked up by id or by row; each id occurs once."""

    def __init__(self, name: str, segments: Sequence[Segment]) -> None:
        self.name = name
        self._segments = list(segments)
        self._rows = {segment.id: row for row, segment in enumerate(self._segments)}
        if len(self._rows) != len(self._segments):
            raise ValueError("segment ids must be unique in a document")

    def __len__(self) -> int:
        return len(self._segments)

    def __iter__(self) -> Iterator[Segment]:
        return iter(self._segments)

    def at(self, row: int) -> Segment:
        return self._segments[row]

    def row(self, segment_id: str) -> int:
        """The row of a segment; KeyError for an unknown id."""
        return self._rows[segment_id]

    def has(self, segment_id: str) -> bool:
        return segment_id in self._rows

    def find(self, segment_id: str) -> Segment | None:
        return self._segments[self._rows[segment_id]] if segment_id in self._rows else None

    def get(self, segment_id: str) -> Segment:
        """The segment with this id; KeyError for an unknown id."""
        return self._segments[self._rows[segment_id]]

    def apply(self, changes: ChangeSet) -> None:
        """Apply all edits or none.

        Raises:
            KeyError: a segment is unknown.
            StaleEditError: a segment is not in the `before` state of its edit.
        """
        for edit in changes.edits:
            if self.get(edit.segment).state != edit.before:
                raise StaleEditError(f"segment {edit.segment} has changed in the meantime")
        for edit in changes.edits:
            row = self._rows[edit.segment]
            self._segments[row] = self._segments[row].with_state(edit.after)

    def check_resegmentation(self, change: Resegmentation) -> int:
        """Check that neighbouring segments can be replaced by others.

        Returns:
            the row of the first segment.
        Raises:
            StaleEditError: the old segments have changed or moved, or `change.before` is empty.
            ValueError: a new id occurs twice, or belongs to a segment that is not replaced.
        """
        first = self._rows.get(change.before[0].id) if change.before else None
        if first is None or tuple(self._segments[first : first + len(change.before)]) != change.before:
            raise StaleEditError("the segments have changed in the meantime")
        replaced = {segment.id for segment in change.before}
        new = [segment.id for segment in change.after]
        if len(set(new)) != len(new) or any(key in self._rows and key not in replaced for key in new):
            raise ValueError("segment ids must be unique in a document")
        return first

    def resegment(self, change: Resegmentation) -> None:
        """Replace neighbouring segments by others; raises the same errors as `check_resegmentation`."""
        first = self.check_resegmentation(change)
        self._segments[first : first + len(change.before)] = change.after
        self._rows = {segment.id: row for row, segment in enumerate(self._segments)}


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document as read from its file: enough to translate it and to write it back.

    Attributes:
        path: None for bytes without a file.
        encoding: the encoding of a text file ("utf-8-sig", "gb18030", …); "" for a package such as .docx.
        notes: sentences for the user ("2 passages stay as they are").
        modified: time of the file's last change, in nanoseconds since 1970; 0 if unknown.
        language: code of the language whose rules segmented the document; "" for Chinese or unknown.
        shapes: the shapes of blocks whose segments can be joined and split, by the block's address; see
            `formats.base.segments`.
    """

    name: str
    path: Path | None
    format: str
    encoding: str
    data: bytes
    segments: tuple[Segment, ...]
    notes: tuple[str, ...] = ()
    modified: int = 0
    language: str = ""
    shapes: Mapping[str, str] = field(default_factory=dict)
    choices: ReadingChoices = AS_SUGGESTED

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()
