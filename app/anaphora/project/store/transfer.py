"""Transfer of translations to a new version of a document."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

from anaphora.core.segment import Segment, Status


@dataclass(frozen=True, slots=True)
class Transfer:
    """A new version with the old translations; `lost` is a person's work that matches no new segment."""

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

    A new segment gets the state of the old segment with the same id and source or, if there is none, of the
    next unmatched old segment with the same source. Old segments that are not started have no effect.

    Args:
        old, new: the segments of both versions, with their ids in the file.
    """
    by_id = {segment.id: segment for segment in old if segment.status is not Status.NOT_STARTED}
    matched = {
        new_id: by_id.pop(old_id)
        for new_id, old_id in match_segments(
            [(segment.id, segment.source) for segment in by_id.values()],
            [(segment.id, segment.source) for segment in new],
        ).items()
    }
    segments = (
        segment.with_state(matched[segment.id].state) if segment.id in matched else segment for segment in new
    )
    lost = (each for each in by_id.values() if each.status in (Status.EDITED, Status.CONFIRMED))
    return Transfer(tuple(segments), tuple(lost))
