"""Proposed changes of targets, shown before anything happens."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preview:
    """A proposed change of one segment's target, to be shown before anything happens.

    Attributes:
        is_written: a person wrote or confirmed the target: it stays as it is unless the user asks for the
            change.
        in_place: nothing but words was exchanged: a confirmation stays.
        tags: what its tags stand for, as in `Segment`.
    """

    segment: str
    before: str
    after: str
    tags: tuple[tuple[str, str], ...] = ()
    is_written: bool = False
    in_place: bool = False
