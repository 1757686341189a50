"""Whether a document is unlike what a model was trained on, by its first drafts."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora_nmt.types import DraftQuality

FIRST_DRAFTS = 10
"""A document is judged by so many drafts; one with fewer is not: each of its drafts is marked by itself."""


def is_unlike(drafts: Sequence[DraftQuality], below: float | None) -> bool:
    """Whether the first drafts are expected to be worse, in the mean, than `EngineInfo.unlike_below`."""
    first = drafts[:FIRST_DRAFTS]
    if below is None or len(first) < FIRST_DRAFTS:
        return False
    return sum(draft.expected for draft in first) / FIRST_DRAFTS < below
