"""Compares a reviewed table with the exported texts and with the current texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from anaphora.core.segment import Segment, Status
from anaphora.features.review.files import ReviewRow


class ReviewKind(Enum):
    CHANGED = "changed"
    CONFLICT = "conflict"
    COMMENT = "comment"
    LOCKED = "locked"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class ReviewChange:
    """A row that differs from the document.

    Attributes:
        kind: CHANGED if only the reviewer changed the text. CONFLICT if the user changed it too, or if the
            exported text is unknown. COMMENT if there are only comments. LOCKED if the text of a locked
            segment changed. MISSING if the document has no such segment.
        segment: id of the segment; "" if the document lacks it.
        before, after: the current and the reviewed target; equal for COMMENT.
        comments: the reviewer's comments, without the exported comments.
    """

    kind: ReviewKind
    segment: str
    number: int
    source: str
    before: str
    after: str
    comments: str = ""
    tags: tuple[tuple[str, str], ...] = ()

    @property
    def is_applicable(self) -> bool:
        return self.kind not in (ReviewKind.LOCKED, ReviewKind.MISSING)


@dataclass(frozen=True, slots=True)
class Exported:
    """A segment as it was exported for review; `segment` is its id."""

    segment: str
    target: str
    comments: str


def compare(
    rows: Sequence[ReviewRow], segments: Sequence[Segment], exported: Mapping[int, Exported]
) -> list[ReviewChange]:
    """The rows' new comments and texts. `exported` has segments by row number, or is empty if unknown."""
    by_id = {segment.id: segment for segment in segments}
    by_source: dict[str, list[Segment]] = defaultdict(list)
    for segment in segments:
        by_source[_plain(segment.source)].append(segment)
    changes = []
    for row in rows:
        original = exported.get(row.number)
        change = _change(row, original, _segment_of(row, original, segments, by_id, by_source))
        if change is not None:
            changes.append(change)
    return changes


def _segment_of(
    row: ReviewRow,
    original: Exported | None,
    segments: Sequence[Segment],
    by_id: Mapping[str, Segment],
    by_source: Mapping[str, Sequence[Segment]],
) -> Segment | None:
    """The segment with the row's source: the exported one, else the one at its number, else a unique one."""
    source = _plain(row.source)
    candidates = [by_id.get(original.segment)] if original is not None else []
    if 1 <= row.number <= len(segments):
        candidates.append(segments[row.number - 1])
    with_same_source = by_source.get(source, ())
    candidates += with_same_source if len(with_same_source) == 1 else []
    return next((each for each in candidates if each is not None and _plain(each.source) == source), None)


def _change(row: ReviewRow, original: Exported | None, segment: Segment | None) -> ReviewChange | None:
    comments = _new_comments(row.comments, original.comments if original else "")
    is_changed = original is None or _plain(row.target) != _plain(original.target)
    if segment is None:
        if not is_changed and not comments:
            return None
        return ReviewChange(ReviewKind.MISSING, "", row.number, row.source, "", row.target, comments)
    has_new_target = is_changed and _plain(row.target) != _plain(segment.target)
    if not has_new_target and not comments:
        return None
    if not has_new_target:
        kind = ReviewKind.COMMENT
    elif segment.status is Status.LOCKED:
        kind = ReviewKind.LOCKED
    elif original is None or _plain(segment.target) != _plain(original.target):
        kind = ReviewKind.CONFLICT
    else:
        kind = ReviewKind.CHANGED
    after = row.target if has_new_target else segment.target
    return ReviewChange(
        kind, segment.id, row.number, row.source, segment.target, after, comments, segment.tags
    )


def _new_comments(text: str, before: str) -> str:
    old = {line.strip() for line in before.splitlines()}
    return "\n".join(line.strip() for line in text.splitlines() if line.strip() and line.strip() not in old)


def _plain(text: str) -> str:
    """The text with normalised line breaks, without spaces around the lines."""
    return "\n".join(line.strip() for line in text.strip().splitlines())
