"""Expected quality of drafts: doubtful drafts and words, and documents unlike the training texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from anaphora.core.drafts import proposal_of
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora_nmt.types import DraftQuality

FIRST_DRAFTS = 10
"""Number of first drafts whose mean quality decides whether a document is unlike the training texts."""
MIN_PROPOSALS, MIN_SHARE = 5, 0.25
"""A document is unlike the training texts if it has at least this number and share of tentative drafts."""


def is_unsure(draft: DraftQuality | None) -> bool:
    """True if a draft is probably poor or has an invented word; False without a draft."""
    return draft is not None and (draft.doubtful or any(word.invented for word in draft.words))


def quality_of(state: SegmentState) -> DraftQuality | None:
    """The quality of an unedited or tentative draft; None if it is unknown, and for any other state."""
    if state.report is None or not (state.status is Status.DRAFT or proposal_of(state)):
        return None
    return state.report.quality


def confirmed_text(segments: Iterable[Segment]) -> str:
    """All confirmed targets in lower case, as one text for `doubts`."""
    return "\n".join(each.target.lower() for each in segments if each.status is Status.CONFIRMED)


def invented_words(draft: DraftQuality | None) -> frozenset[str]:
    """The words of a draft, in lower case, that the engine marked as invented; none without a draft."""
    words = draft.words if draft is not None else ()
    return frozenset(word.word.lower() for word in words if word.invented)


def doubts(draft: DraftQuality | None, confirmed: str) -> DraftQuality | None:
    """A draft's quality with only its doubtful words; invented words in `confirmed` are not doubtful."""
    if draft is None:
        return None
    known = {word for word in invented_words(draft) if word in confirmed}
    words = tuple(word for word in draft.words if word.doubtful and word.word.lower() not in known)
    return replace(draft, words=words) if draft.doubtful or words else None


def mean_of_first(drafts: Sequence[DraftQuality]) -> float | None:
    """The mean expected quality of the first `FIRST_DRAFTS` drafts; None if there are fewer."""
    first = drafts[:FIRST_DRAFTS]
    return sum(draft.expected for draft in first) / FIRST_DRAFTS if len(first) == FIRST_DRAFTS else None


def is_unlike(mean: float | None, min_mean: float | None, proposals: int = 0, segments: int = 0) -> bool:
    """True if a document differs from the model's training texts; `min_mean` is `EngineInfo.unlike_below`."""
    has_poor_drafts = mean is not None and min_mean is not None and mean < min_mean
    return has_poor_drafts or proposals >= max(MIN_PROPOSALS, MIN_SHARE * segments)
