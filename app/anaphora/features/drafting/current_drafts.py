"""Tracks the drafts in the engine's memory, and estimates the time that waiting drafts will take."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from statistics import median

from anaphora.core.segment import Segment, Status

FIXED_COST = 8
"""Additional cost of each draft, as a number of source characters."""
MIN_DRAFTS = 8
"""Minimum number of timed drafts for an estimate."""
MAX_RECENT = 200


def cost_of(source: str) -> int:
    return len(source) + FIXED_COST


class DraftingPace:
    """Estimates drafting times by the median time per unit of cost in the latest drafts."""

    def __init__(self) -> None:
        self._recent: deque[float] = deque(maxlen=MAX_RECENT)

    def add(self, source: str, seconds: float) -> None:
        self._recent.append(seconds / cost_of(source))

    def seconds_left(self, cost: int) -> float | None:
        """The seconds for drafts of total cost `cost`; None if `cost` is 0 or too few drafts were timed."""
        return cost * median(self._recent) if cost and len(self._recent) >= MIN_DRAFTS else None


class CurrentDrafts:
    """The engine's drafts by segment id. A draft counts in the engine's memory unless it is withdrawn."""

    def __init__(self) -> None:
        self._drafts: dict[str, str] = {}
        self._withdrawn: set[str] = set()

    def begin(self, targets: Iterable[tuple[str, str, bool]]) -> None:
        """Start with the unconfirmed ones of the targets that the engine received.

        Args:
            targets: (segment id, text, True if confirmed).
        """
        self._drafts = {segment: target for segment, target, confirmed in targets if not confirmed}
        self._withdrawn = set()

    def add(self, segment: str, text: str, counts: bool = True) -> bool:
        """Store a draft, and return True unless it counted before; `counts` is False if it is unusable."""
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
        """Update after a join or split. Targets of unconfirmed segments without a draft then count as drafts.

        Args:
            segments: all current segments of the document.
            removed_ids: ids that no longer exist or that now belong to another segment.
            new_ids: new ids of unchanged segments, by their old ids.
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
        """Update whether a draft counts; returns True if it counts now, False if not, None without a change.

        A draft counts while it equals the segment's target. For a confirmed segment, nothing changes.
        """
        draft = self._drafts.get(segment.id)
        if draft is None or segment.status is Status.CONFIRMED:
            return None
        counts = segment.target == draft
        if counts is (segment.id not in self._withdrawn):
            return None
        (self._withdrawn.discard if counts else self._withdrawn.add)(segment.id)
        return counts
