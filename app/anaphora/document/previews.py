"""Proposed changes of targets, shown before anything happens, and the edits that the accepted ones become."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.segment import Segment, SegmentState, Status


@dataclass(frozen=True, slots=True)
class Preview:
    """A proposed change of one segment's target, to be shown before anything happens.

    Attributes:
        confirmed: the target is confirmed, and stays as it is unless the user asks for the change.
        tags: what its tags stand for, as in `Segment`.
    """

    segment: str
    before: str
    after: str
    confirmed: bool = False
    tags: tuple[tuple[str, str], ...] = ()


def changes_of(previews: Iterable[Preview], segments: Iterable[Segment]) -> ChangeSet:
    """The accepted previews as edits (status EDITED); segments that changed since then are left out."""
    by_id = {segment.id: segment for segment in segments}
    edits = []
    for preview in previews:
        segment = by_id.get(preview.segment)
        if segment is None or segment.target != preview.before or segment.status is Status.LOCKED:
            continue
        if preview.confirmed or segment.status is not Status.CONFIRMED:
            edits.append(Edit(segment.id, segment.state, SegmentState(preview.after, Status.EDITED)))
    return ChangeSet(tuple(edits))
