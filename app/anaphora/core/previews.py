"""Proposed changes of targets, shown before anything happens."""

from __future__ import annotations

from dataclasses import dataclass


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
