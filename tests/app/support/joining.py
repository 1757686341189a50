"""Data for tests of joining and splitting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from anaphora.core.segment import Segment
from anaphora.formats.base.segments import pieces_of_shape
from anaphora.formats.segmentation.segmenter import DEFAULT_SEGMENTER
from anaphora.project.document.resegmentation_plan import BlockText


def block_text(segments: Iterable[Segment], shapes: Mapping[str, str], segment_id: str) -> BlockText:
    """The block of a segment, for joining and splitting."""
    listed = list(segments)
    block = next(segment.block for segment in listed if segment.id == segment_id)
    own = tuple(segment for segment in listed if segment.block == block)
    return BlockText(pieces_of_shape(shapes[block]), own, DEFAULT_SEGMENTER)
