"""Changes to a document: what every command applies, stores, undoes and shows."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.core.segment import SegmentState


@dataclass(frozen=True, slots=True)
class Edit:
    """One segment's change of state.

    Attributes:
        segment: the segment's id.
        before: the state that it must have for the edit to apply.
        after: the state that it has afterwards.
    """

    segment: str
    before: SegmentState
    after: SegmentState

    @property
    def inverse(self) -> Edit:
        return Edit(self.segment, self.after, self.before)


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Edits that are applied, stored and undone together."""

    edits: tuple[Edit, ...]

    @property
    def inverse(self) -> ChangeSet:
        return ChangeSet(tuple(edit.inverse for edit in reversed(self.edits)))

    @property
    def segments(self) -> tuple[str, ...]:
        """Ids of the segments that changed."""
        return tuple(edit.segment for edit in self.edits)
