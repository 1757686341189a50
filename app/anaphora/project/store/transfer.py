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
        lost: segments of the old version with human work that match no new one.
    """

    segments: tuple[Segment, ...]
    lost: tuple[Segment, ...]


def match_segments(old: Sequence[tuple[str, str]], new: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The segment of an old version for each segment of a new one; see `transfer_translations`.

    Args:
        old: (id, source) in order. new: likewise.
    Returns:
        ids of the old ones by those of the new ones.
    """
    left = dict(old)
    matched = {key: key for key, source in new if left.get(key) == source}
    by_source: dict[str, deque[str]] = defaultdict(deque)
    for key, source in old:
        if key not in matched:
            by_source[source].append(key)
    for key, source in new:
        if key not in matched and by_source.get(source):
            matched[key] = by_source[source].popleft()
    return matched


def transfer_translations(old: Sequence[Segment], new: Sequence[Segment]) -> Transfer:
    """Give equal segments the translations that they had.

    A segment takes the state of the old one with its id and the same source; what is left, of those with
    the same source, in order.

    Args:
        old: the segments as worked on, ids as in the file.
    """
    by_id = {segment.id: segment for segment in old}
    matched = {
        segment: by_id.pop(before)
        for segment, before in match_segments(
            [(segment.id, segment.source) for segment in old],
            [(segment.id, segment.source) for segment in new],
        ).items()
    }
    result = []
    for segment in new:
        before = matched.get(segment.id)
        if before is not None and before.status is not Status.NOT_STARTED:
            segment = segment.with_state(before.state)
        result.append(segment)
    lost = tuple(s for s in old if s.id in by_id and s.status in (Status.EDITED, Status.CONFIRMED))
    return Transfer(tuple(result), lost)
