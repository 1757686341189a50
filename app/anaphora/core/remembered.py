"""The remembered words behind an output word, whichever memory they stand in."""

from __future__ import annotations

from anaphora_nmt.types import MemoryUse, TokenTrace

Place = tuple[str, str]
"""A remembered word and the id of the segment that it stands in: where the reader sees it."""


def remembered_words(token: TokenTrace) -> tuple[MemoryUse, ...]:
    """Words of the document's history behind an output word; confirmed words that it follows come first."""
    found = [use for use in token.uses if use.segment]
    return tuple(sorted(found, key=lambda use: not use.confirmed))


def place(use: MemoryUse) -> Place:
    """Word and segment."""
    return use.label, use.segment
