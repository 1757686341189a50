"""A reviewer's changes, compared with the exported and the current texts."""

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
        finding: CHANGED by the reviewer alone; CONFLICT if the text also changed here, or the exported
            text is unknown; COMMENT for a comment only; LOCKED, or MISSING in the document.
        segment: its id; "" for one that is missing.
        before: the text here. after: the reviewer's.
        comments: the reviewer's comments, without earlier ones.
    """

    finding: ReviewKind
    segment: str
    number: int
    source: str
    before: str
    after: str
    comments: str = ""
    tags: tuple[tuple[str, str], ...] = ()

    @property
    def can_be_taken(self) -> bool:
        return self.finding not in (ReviewKind.LOCKED, ReviewKind.MISSING)


@dataclass(frozen=True, slots=True)
class Given:
    """The reviewer's text of a segment."""

    segment: str
    target: str
    comments: str


def compare(
    rows: Sequence[ReviewRow], segments: Sequence[Segment], given: Mapping[int, Given]
) -> list[ReviewChange]:
    """Every row that differs, in order; what the reviewer has not touched is left out.

    Args:
        given: what was written, by number; empty if that is not known.
    """
    by_id = {segment.id: segment for segment in segments}
    by_source: dict[str, list[Segment]] = defaultdict(list)
    for segment in segments:
        by_source[_text(segment.source)].append(segment)
    found = []
    for row in rows:
        written = given.get(row.number)
        change = _change(row, written, _segment_of(row, written, segments, by_id, by_source))
        if change is not None:
            found.append(change)
    return found


def _segment_of(
    row: ReviewRow,
    written: Given | None,
    segments: Sequence[Segment],
    by_id: Mapping[str, Segment],
    by_source: Mapping[str, Sequence[Segment]],
) -> Segment | None:
    """Find the segment by what was written there, by the number, or by a source that only one segment has."""
    wanted = _text(row.source)
    candidates = [by_id.get(written.segment)] if written is not None else []
    if 1 <= row.number <= len(segments):
        candidates.append(segments[row.number - 1])
    same = by_source.get(wanted, ())
    candidates += same if len(same) == 1 else []
    return next((each for each in candidates if each is not None and _text(each.source) == wanted), None)


def _change(row: ReviewRow, written: Given | None, segment: Segment | None) -> ReviewChange | None:
    said = _new_comments(row.comments, written.comments if written else "")
    touched = written is None or _text(row.target) != _text(written.target)
    if segment is None:
        if not touched and not said:
            return None
        return ReviewChange(ReviewKind.MISSING, "", row.number, row.source, "", row.target, said)
    differs = touched and _text(row.target) != _text(segment.target)
    if not differs and not said:
        return None
    if not differs:
        finding = ReviewKind.COMMENT
    elif segment.status is Status.LOCKED:
        finding = ReviewKind.LOCKED
    elif written is None or _text(segment.target) != _text(written.target):
        finding = ReviewKind.CONFLICT
    else:
        finding = ReviewKind.CHANGED
    after = row.target if differs else segment.target
    return ReviewChange(
        finding, segment.id, row.number, row.source, segment.target, after, said, segment.tags
    )


def _new_comments(now: str, before: str) -> str:
    old = {line.strip() for line in before.splitlines()}
    return "\n".join(line.strip() for line in now.splitlines() if line.strip() and line.strip() not in old)


def _text(text: str) -> str:
    """Blanks at the ends and the kind of line breaks do not count."""
    return "\n".join(line.strip() for line in text.strip().splitlines())
