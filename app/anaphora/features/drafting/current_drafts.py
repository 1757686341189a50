"""Tracks the drafts in the engine's memory, and estimates the time that waiting drafts will take."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from statistics import median

from anaphora.core.segment import Segment, Status

FIXED_COST = 8
"""Fixed cost of a draft, in characters of source."""
MIN_DRAFTS = 8
"""Minimum number of drafts for an estimate."""
MAX_RECENT = 200
"""Maximum number of drafts, the latest ones, used for the estimate."""


def work_of(source: str) -> int:
    """The cost of a draft, in characters."""
    return len(source) + FIXED_COST


class DraftingPace:
    """The median of the seconds per character of the latest drafts, so that outliers do not matter."""

    def __init__(self) -> None:
        self._recent: deque[float] = deque(maxlen=MAX_RECENT)

    def add(self, source: str, seconds: float) -> None:
        self._recent.append(seconds / work_of(source))

    def seconds_left(self, work: int) -> float | None:
        """The seconds for `work` characters; None if `work` is 0 or there were too few drafts."""
        return work * median(self._recent) if work and len(self._recent) >= MIN_DRAFTS else None


class CurrentDrafts:
    """The drafts in the engine, by segment; each counts in the memory until it is withdrawn."""

    def __init__(self) -> None:
        self._drafts: dict[str, str] = {}
        self._withdrawn: set[str] = set()

    def begin(self, targets: Iterable[tuple[str, str, bool]]) -> None:
        """Start with the targets that the engine received, as (segment id, target, is confirmed)."""
        self._drafts = {segment: target for segment, target, confirmed in targets if not confirmed}
        self._withdrawn = set()

    def add(self, segment: str, text: str, counts: bool = True) -> bool:
        """Note a new draft of the engine.

        Args:
            counts: False for an unusable draft.
        Returns:
            True if another draft, or no draft, counted before.
        """
        is_new = self._drafts.get(segment) != text or segment in self._withdrawn
        self._drafts[segment] = text
        (self._withdrawn.discard if counts else self._withdrawn.add)(segment)
        return is_new

    def move(
        self,
        segments: Iterable[Segment],
        removed_ids: Collection[str],
        new_ids: Mapping[str, str],
        fits: Callable[[str, str], bool],
    ) -> None:
        """Follow a join or split, after which the targets of other unconfirmed segments count as drafts too.

        Args:
            segments: all current segments of the document.
            gone: ids that no longer exist or now belong to another segment.
            renamed: new ids of unchanged segments, by their old ids.
            fits: True if a source and a target are in the engine's languages.
        """
        drafts, counts = self._drafts, self._drafts.keys() - self._withdrawn
        counting = {new: drafts[old] for old, new in new_ids.items() if old in counts}
        for segment_id in (*removed_ids, *self._withdrawn):
            drafts.pop(segment_id, None)
        drafts.update(counting)
        self._withdrawn.clear()
        for each in segments:
            if each.id in drafts or each.status is Status.CONFIRMED or not each.target.strip():
                continue
            if fits(each.source, each.target):
                drafts[each.id] = each.target

    def update(self, segment: Segment) -> bool | None:
        """Compare a segment's draft with its text; True if it counts again, False if no longer, else None.

        A draft counts while it is the segment's text; it does not matter in a confirmed segment.
        """
        draft = self._drafts.get(segment.id)
        if draft is None or segment.status is Status.CONFIRMED:
            return None
        counts = segment.target == draft
        if counts is (segment.id not in self._withdrawn):
            return None
        (self._withdrawn.discard if counts else self._withdrawn.add)(segment.id)
        return counts
