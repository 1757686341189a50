"""How good drafts are expected to be: unsure ones, and documents that a model does not know."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora_nmt.types import DraftQuality

FIRST_DRAFTS = 10
"""A document is judged by so many drafts; one with fewer is not: each of its drafts is marked by itself."""


def is_unsure(draft: DraftQuality | None) -> bool:
    """Whether a draft is likely to be poor, or has an invented word."""
    return draft is not None and (draft.doubtful or any(word.invented for word in draft.words))


def is_unlike(drafts: Sequence[DraftQuality], below: float | None) -> bool:
    """Whether the first drafts are expected to be worse, in the mean, than `EngineInfo.unlike_below`."""
    first = drafts[:FIRST_DRAFTS]
    if below is None or len(first) < FIRST_DRAFTS:
        return False
    return sum(draft.expected for draft in first) / FIRST_DRAFTS < below
