"""Joining and splitting in real files of every format whose texts are cut into sentences."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from anaphora.core.source import SourceDocument
from anaphora.formats.registry import parse, read, render
from anaphora.formats.segmentation.segmenter import make_segmenter
from anaphora.resegmentation.plan import (
    ResegmentationError,
    ResegmentationPlan,
    StoredFile,
    plan_merge,
    plan_split,
)

GOLDEN = Path(__file__).parents[2] / "golden"
FILES = [
    path
    for kind in ("docx", "odt", "pptx", "xlsx", "html", "epub")
    for path in sorted(GOLDEN.glob(f"{kind}/*.{kind}"))
]
ONE_SENTENCE_A_CELL = ("project-plan.xlsx", "project-plan-calc.xlsx")  # nothing in them can be joined
CASES = [
    pytest.param(path, join, id=f"{'join' if join else 'split'}-{path.name}")
    for path in FILES
    for join in (True, False)
    if not (join and path.name in ONE_SENTENCE_A_CELL)
]
FIXED = [path for kind in ("po", "srt", "tmx") for path in sorted(GOLDEN.glob(f"{kind}/*.{kind}"))[:1]]


def stored(source: SourceDocument) -> StoredFile:
    return StoredFile(
        "", source.format, source.segmentation, source.overrides, source.encoding, lambda: source.data
    )


def first_plan(source: SourceDocument, join: bool) -> ResegmentationPlan:
    """The first join, or split in the middle, that the file allows."""
    file = stored(source)
    if join:
        pairs = [(a, b) for a, b in pairwise(source.segments) if a.block and a.block == b.block]
        tries = [partial(plan_merge, file, a.id, b.id) for a, b in pairs]
    else:
        long = [segment for segment in source.segments if len(segment.source) > 12]
        tries = [partial(plan_split, file, s.id, len(s.source) // 2) for s in long]
    for attempt in tries[:12]:
        try:
            return attempt()
        except ResegmentationError:
            continue
    raise AssertionError("nothing in this file can be joined or split")


@pytest.mark.parametrize(("path", "join"), CASES)
@pytest.mark.slow
def test_a_resegmented_file_is_the_same_until_it_is_translated_and_takes_translations(
    path: Path, join: bool
) -> None:
    source = read(path)
    plan = first_plan(source, join)
    assert len(plan.after) == len(plan.before) + (-1 if join else 1)
    segmenter = make_segmenter(source.segmentation, plan.overrides)
    segments = parse(source.data, source.format, segmenter).segments
    kept = {segment.id for segment in plan.before}
    assert [s.id for s in segments if s.id not in {a.id for a in plan.after}] == [
        s.id for s in source.segments if s.id not in kept
    ]
    assert render(source.data, source.format, {}, segmenter) == source.data
    targets = {segment.id: f"Translation {number}." for number, segment in enumerate(plan.after)}
    written = render(source.data, source.format, targets, segmenter)
    plain = make_segmenter(source.segmentation, "")
    again = " ".join(segment.source for segment in parse(written, source.format, plain).segments)
    assert all(text.rstrip(".") in again for text in targets.values())


@pytest.mark.parametrize("path", FIXED, ids=lambda path: path.name)
def test_units_of_bilingual_files_are_fixed(path: Path) -> None:
    source = read(path)
    first, second, *_ = source.segments
    with pytest.raises(ResegmentationError, match="fixed"):
        plan_merge(stored(source), first.id, second.id)
    with pytest.raises(ResegmentationError, match="fixed"):
        plan_split(stored(source), first.id, 1)
