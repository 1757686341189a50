"""Cutting what no rule ends: a line of many thousand characters is no sentence that anybody translates."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise

from anaphora.core.shortening import MOST_SOURCE
from anaphora.formats.segmentation.segmenter import (
    BlockOverrides,
    SegmentationOverrides,
    Segmenter,
    Span,
)

_BETTER = re.compile(r"(?<=\s)(?=\S)|(?<=[，、；：,;:])")
"""Where a cut does least harm."""


class CuttingSegmenter:
    """Splits as another segmenter does, and cuts sentences that are longer than a segment may be.

    The cuts are splits like those made by hand: the document keeps them, so that it is written as it was
    read. For reading a document for the first time; see `Segmenter`.

    Attributes:
        cuts: how many were made.
    """

    def __init__(self, inner: Segmenter, most: int = MOST_SOURCE) -> None:
        self.rules, self.language, self.encoding = inner.rules, inner.language, inner.encoding
        self._inner, self._most = inner, most
        self._splits: dict[int, set[int]] = defaultdict(set)
        self._last = 0

    @property
    def overrides(self) -> str:
        """See `Segmenter`."""
        blocks = {number: BlockOverrides(frozenset(places)) for number, places in self._splits.items()}
        return SegmentationOverrides(blocks).to_json()

    @property
    def cuts(self) -> int:
        return sum(map(len, self._splits.values()))

    def spans(self, text: str, block: int, offset: int) -> list[Span]:
        """See `Segmenter.spans`."""
        if block < self._last:
            # The document is read once more, in another encoding.
            self._splits.clear()
        self._last = block
        spans = self._inner.spans(text, block, offset)
        if all(end - start <= self._most for start, end in spans):
            return spans
        return [part for span in spans for part in self._parts(text, span, block, offset)]

    def _parts(self, text: str, span: Span, block: int, offset: int) -> list[Span]:
        start, end = span
        places = [start]
        while end - places[-1] > self._most:
            places.append(_cut(text, places[-1], places[-1] + self._most))
        self._splits[block].update(offset + place for place in places[1:])
        parts = pairwise((*places, end))
        return [_bare(text, first, last) for first, last in parts if text[first:last].strip()]


def _cut(text: str, start: int, most: int) -> int:
    """The last good place for a cut in the second half of a stretch, or its end."""
    places = [match.start() for match in _BETTER.finditer(text, (start + most) // 2, most)]
    return places[-1] if places else most


def _bare(text: str, start: int, end: int) -> Span:
    """A stretch without the white space at its edges."""
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())
