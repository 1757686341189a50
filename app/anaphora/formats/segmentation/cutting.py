"""Cutting what no rule ends: a line of many thousand characters is no sentence that anybody translates."""

from __future__ import annotations

import re
from itertools import pairwise

from anaphora.core.segment import Span
from anaphora.core.shortening import MOST_SOURCE
from anaphora.formats.segmentation.segmenter import Segmenter
from anaphora_text.punctuation import PAUSES, WIDE_PAUSES, one_of

_BETTER = re.compile(rf"(?<=\s)(?=\S)|(?<={one_of(PAUSES + WIDE_PAUSES)})")
"""Where a cut does least harm."""


class CuttingSegmenter:
    """Splits as another segmenter does, and cuts sentences that are longer than a segment may be.

    Attributes:
        cuts: how many were made.
    """

    def __init__(self, inner: Segmenter, most: int = MOST_SOURCE) -> None:
        self.language = inner.language
        self._inner, self._most = inner, most
        self.cuts = 0

    def spans(self, text: str) -> list[Span]:
        """See `Segmenter.spans`."""
        spans = self._inner.spans(text)
        if all(end - start <= self._most for start, end in spans):
            return spans
        return [part for span in spans for part in self._parts(text, span)]

    def _parts(self, text: str, span: Span) -> list[Span]:
        start, end = span
        places = [start]
        while end - places[-1] > self._most:
            places.append(_cut(text, places[-1], places[-1] + self._most))
        self.cuts += len(places) - 1
        parts = pairwise((*places, end))
        return [_bare(text, first, last) for first, last in parts if text[first:last].strip()]


def _cut(text: str, start: int, most: int) -> int:
    """The last good place for a cut in the second half of a stretch, or its end.

    A letter more is looked at: whether a word begins behind the stretch.
    """
    found = (match.start() for match in _BETTER.finditer(text, (start + most) // 2, most + 1))
    places = [place for place in found if place <= most]
    return places[-1] if places else most


def _bare(text: str, start: int, end: int) -> Span:
    """A stretch without the white space at its edges."""
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())
