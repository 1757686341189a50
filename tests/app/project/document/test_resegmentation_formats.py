"""Joins and splits in real files of every format with sentences."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from joining import block_text

from anaphora.core.document import SourceDocument
from anaphora.core.segment import Segment, SegmentState
from anaphora.formats.registry import fill, read, read_bytes
from anaphora.project.document.resegmentation_plan import (
    BlockText,
    ResegmentationError,
    ResegmentationPlan,
    plan_merge,
    plan_split,
)

GOLDEN = Path(__file__).parents[3] / "golden"
FILES = [
    path
    for kind in ("docx", "odt", "pptx", "xlsx", "html", "epub")
    for path in sorted(GOLDEN.glob(f"{kind}/*.{kind}"))
]
ONE_SENTENCE_A_CELL = ("project-plan.xlsx", "project-plan-calc.xlsx")  # their segments cannot be joined
CASES = [
    pytest.param(path, join, id=f"{'join' if join else 'split'}-{path.name}")
    for path in FILES
    for join in (True, False)
    if not (join and path.name in ONE_SENTENCE_A_CELL)
]


def first_plan(source: SourceDocument, join: bool) -> ResegmentationPlan:
    """The first join, or split in the middle, that the file allows."""

    def block(segment: Segment) -> BlockText:
        return block_text(source.segments, source.shapes, segment.id)

    if join:
        firsts = [a for a, b in pairwise(source.segments) if a.span is not None and a.block == b.block]
        tries = [partial(plan_merge, block(a), a.id) for a in firsts[:12]]
    else:
        long = [segment for segment in source.segments if len(segment.source) > 12]
        tries = [partial(plan_split, block(s), s.id, len(s.source) // 2) for s in long[:12]]
    for attempt in tries:
        try:
            return attempt()
        except ResegmentationError:
            continue
    raise AssertionError("nothing in this file can be joined or split")


@pytest.mark.parametrize(("path", "join"), CASES)
@pytest.mark.slow
def test_resegmented_file_is_unchanged_until_translated(path: Path, join: bool) -> None:
    source = read(path)
    plan = first_plan(source, join)
    assert len(plan.after) == len(plan.before) + (-1 if join else 1)
    changed = {segment.id for segment in plan.before}
    segments = [segment for segment in source.segments if segment.id not in changed]
    assert fill(source.data, source.format, [*segments, *plan.after]) == source.data
    targets = [f"Translation {number}." for number in range(len(plan.after))]
    after = [
        segment.with_state(SegmentState(target)) for segment, target in zip(plan.after, targets, strict=True)
    ]
    # The segments of a block are given in their order.
    filled = sorted([*segments, *after], key=lambda segment: segment.span or (0, 0))
    written = fill(source.data, source.format, filled)
    again = " ".join(segment.source for segment in read_bytes(written, path.name).segments)
    assert all(text.rstrip(".") in again for text in targets)
