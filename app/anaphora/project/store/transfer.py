"""Transfer of translations to a new version of a document."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

from anaphora.core.segment import Segment, Status


@dataclass(frozen=True, slots=True)
class Transfer:
    """A new version of a document with the translations of the old one.

    Attributes:
        lost: old segments with a person's work that match no new segment.
    """

    segments: tuple[Segment, ...]
    lost: tuple[Segment, ...]


def match_segments(old: Sequence[tuple[str, str]], new: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Match the segments of a new version with those of an old one; see `transfer_translations`.

    Args:
        old, new: pairs (id, source) of the segments, in order.
    Returns:
        the old id for each new id.
    """
    old_sources = dict(old)
    matched = {key: key for key, source in new if old_sources.get(key) == source}
    by_source: dict[str, deque[str]] = defaultdict(deque)
    for key, source in old:
        if key not in matched:
            by_source[source].append(key)
    for key, source in new:
        if key not in matched and by_source.get(source):
            matched[key] = by_source[source].popleft()
    return matched


def transfer_translations(old: Sequence[Segment], new: Sequence[Segment]) -> Transfer:
    """Copy the translations of old segments to equal new ones.

    A new segment gets the state of the old segment with the same id and source, or else of the next old
    segment with the same source that is not matched yet. A segment whose old one is not started gets the
    state of an unmatched old segment with the same source.

    Args:
        old: the translated segments, with their ids in the file.
    """
    by_id = {segment.id: segment for segment in old}
    matched = {
        segment: by_id.pop(before)
        for segment, before in match_segments(
            [(segment.id, segment.source) for segment in old],
            [(segment.id, segment.source) for segment in new],
        ).items()
    }
    unmatched: dict[str, deque[Segment]] = defaultdict(deque)
    for segment in by_id.values():
        if segment.status is not Status.NOT_STARTED:
            unmatched[segment.source].append(segment)
    result = []
    for segment in new:
        before = matched.get(segment.id)
        if before is not None and before.status is Status.NOT_STARTED and unmatched[segment.source]:
            before = by_id.pop(unmatched[segment.source].popleft().id)
        if before is not None and before.status is not Status.NOT_STARTED:
            segment = segment.with_state(before.state)
        result.append(segment)
    lost = tuple(s for s in old if s.id in by_id and s.status in (Status.EDITED, Status.CONFIRMED))
    return Transfer(tuple(result), lost)
