"""Size limits of segments, and shortened texts for display."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from anaphora.core.drafts import proposal_of
from anaphora.core.segment import Segment, Status

MOST_SOURCE = 5_000
"""Maximum characters of a segment's source; the import splits a longer one where possible."""
MOST_UNIT = 20_000
"""Maximum characters of a source that cannot be split; the import skips a longer one."""
MOST_TARGET = 60_000
"""Maximum characters of a target; English needs two to three letters for a Chinese character."""
MOST_TAGS = 2_000
"""Maximum tags in a source or target; a pair counts as two."""
GLANCE = 1_000
"""Maximum characters of a text shown in lists."""
ELLIPSIS = "…"


def shortened(text: str, most: int = GLANCE) -> str:
    """A text, or the beginning of a long one; a tag at its end is left out, not cut."""
    if len(text) <= most:
        return text
    end = text.rfind("{", most - 12, most)
    whole = end < 0 or "}" in text[end:most]
    return text[: most if whole else end] + ELLIPSIS


def shortened_pair(before: str, after: str, most: int = GLANCE) -> tuple[str, str]:
    """Two versions of a text; long ones are cut around the first difference."""
    if max(len(before), len(after)) <= most:
        return before, after
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))
    start = max(sum(1 for _ in alike) - most // 10, 0)
    head = ELLIPSIS if start else ""
    return head + shortened(before[start:], most), head + shortened(after[start:], most)


def is_editable(segment: Segment) -> bool:
    """True if a segment is within the size limits."""
    source, target = segment.source, segment.target or proposal_of(segment.state)
    return (
        len(source) <= MOST_UNIT
        and len(target) <= MOST_TARGET
        and max(source.count("{"), target.count("{")) <= MOST_TAGS
    )


def glimpse(segment: Segment) -> Segment:
    """The segment for display; one that is too long to edit is shortened and locked."""
    if is_editable(segment):
        return segment
    state = replace(segment.state, target=shortened(segment.target), status=Status.LOCKED)
    return replace(segment, source=shortened(segment.source), state=state)
