"""Segments whose text has become tags: template syntax and entities that earlier readers took for letters.

Their translations are kept: what was written in letters there stands as the same tags.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import replace

from anaphora.core.segment import Segment, Span
from anaphora.core.tags import MARK
from anaphora.formats.base.pieces import Kept, Piece

_OPENING = re.compile(r"<([A-Za-z][\w:.-]*)")


def retagged(old: Segment, source: str, labels: Mapping[str, str]) -> Segment | None:
    """A segment with its source as it is read now; None if that is another text.

    Args:
        source: as it is read now.
        labels: what its tags stand for; of what was text before, that very text.
    """
    renamed: dict[str, str] = {}
    written: dict[str, deque[str]] = defaultdict(deque)
    place = done = 0
    for mark in MARK.finditer(source):
        literal = source[done : mark.start()]
        if not old.source.startswith(literal, place):
            return None
        place, done = place + len(literal), mark.end()
        known, label = MARK.match(old.source, place), said_by(mark.group(), labels)
        if known is not None:
            renamed[known.group()], place = mark.group(), known.end()
        elif label and old.source.startswith(label, place):
            written[label].append(mark.group())
            place += len(label)
        else:
            return None
    if old.source[place:] != source[done:] or not written:
        return None

    def tag(match: re.Match[str]) -> str:
        marks = written.get(match.group())
        if not marks:
            return renamed.get(match.group(), match.group())
        return marks.popleft() if len(marks) > 1 else marks[0]

    texts = sorted(map(re.escape, written), key=len, reverse=True)
    target = re.sub("|".join((MARK.pattern, *texts)), tag, old.target)
    return replace(old, source=source, state=replace(old.state, target=target))


def said_by(mark: str, labels: Mapping[str, str]) -> str:
    """What a tag was as text; an end of markup has no label of its own."""
    opened = _OPENING.match(labels.get("{" + mark[2:], "")) if mark.startswith("{/") else None
    return f"</{opened[1]}>" if opened else labels.get(mark, "")


def as_text(pieces: Sequence[Piece]) -> list[Piece]:
    """Pieces as they were before their placeholders were tags."""
    return [
        own for piece in pieces for own in (piece.raw.pieces if isinstance(piece.raw, Kept) else (piece,))
    ]


def places_now(pieces: Sequence[Piece], places: Sequence[Span]) -> list[Span]:
    """Where stretches of `as_text` stand among the pieces themselves, whole tags included."""
    edges: list[tuple[int, int, int, int]] = []
    before = now = 0
    for piece in pieces:
        width = sum(own.width for own in as_text((piece,)))
        edges.append((before, before + width, now, now + piece.width))
        before, now = before + width, now + piece.width
    ends = [last for _, last, _, _ in edges]
    return [
        (_moved(edges, bisect_right(ends, start), start), _moved(edges, bisect_left(ends, end), end, True))
        for start, end in places
    ]


def _moved(edges: Sequence[tuple[int, int, int, int]], row: int, place: int, is_end: bool = False) -> int:
    """Where a place is now.

    Args:
        row: of the first piece that ends there or, of a start, behind it.
    """
    if row == len(edges):
        return edges[-1][3] if edges else 0
    first, last, start, end = edges[row]
    if last - first == end - start:
        return start + place - first
    return end if is_end and place > first else start
