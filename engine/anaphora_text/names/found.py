"""A name where it stands in a text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProperName:
    """A name in a text, where it stands and as English writes it."""

    start: int
    end: int
    rendering: str
