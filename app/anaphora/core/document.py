"""A document in memory: its segments in order, changed only through change sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anaphora.core.edits import ChangeSet
from anaphora.core.segment import Segment


class StaleEditError(Exception):
    """An edit was made against a state that the segment no longer has."""


class Document:
    """Segments in document order, looked up by id or by row.

    Attributes:
        name: what the title bar shows.
    """

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
        """The segment in `row`, counted from 0."""
        return self._segments[row]

    def row(self, segment_id: str) -> int:
        """The row of a segment; KeyError for an unknown id."""
        return self._rows[segment_id]

    def get(self, segment_id: str) -> Segment:
        """The segment with this id; KeyError for an unknown id."""
        return self._segments[self._rows[segment_id]]

    def apply(self, changes: ChangeSet) -> None:
        """Apply all edits or none.

        Raises:
            StaleEditError: a segment is not in its edit's `before` state.
        """
        for edit in changes.edits:
            if self.get(edit.segment).state != edit.before:
                raise StaleEditError(f"segment {edit.segment} has changed in the meantime")
        for edit in changes.edits:
            row = self._rows[edit.segment]
            self._segments[row] = self._segments[row].with_state(edit.after)
