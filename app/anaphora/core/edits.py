"""Changes to a document, in the form that all commands apply, store and undo, and previews of changes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from anaphora.core.segment import Segment, SegmentState


@dataclass(frozen=True, slots=True)
class Edit:
    """One segment's change of state.

    Attributes:
        segment: the segment's id.
    """

    segment: str
    before: SegmentState
    after: SegmentState

    @property
    def is_approval(self) -> bool:
        """True if the edit only approves a text, or withdraws its approval."""
        return self.before == replace(self.after, approved=self.before.approved) != self.after


@dataclass(frozen=True, slots=True)
class Resegmentation:
    """Neighbouring segments of one block replaced by others: a merge, a split, or their inverse.

    Attributes:
        document: id of the document in the project.
    """

    document: str
    before: tuple[Segment, ...]
    after: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Edits that are applied, stored and undone together.

    Attributes:
        anew: the edits replace drafts by those of another model.
    """

    edits: tuple[Edit, ...]
    anew: bool = False

    @property
    def segments(self) -> tuple[str, ...]:
        return tuple(edit.segment for edit in self.edits)


@dataclass(frozen=True, slots=True)
class Preview:
    """A proposed change of one segment's target.

    Attributes:
        is_written: a person wrote or confirmed the target, so it changes only if the user selects it.
        in_place: only words were exchanged, so a confirmed segment stays confirmed.
        tags: as in `Segment`.
    """

    segment: str
    before: str
    after: str
    tags: tuple[tuple[str, str], ...] = ()
    is_written: bool = False
    in_place: bool = False
