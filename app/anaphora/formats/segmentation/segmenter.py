"""Splitting texts into sentences by editable rules, when a document is read for the first time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from anaphora.core.segment import Span
from anaphora.core.text import has_han
from anaphora.formats.segmentation.srx import breaker, default_rules
from anaphora_text.punctuation import PAUSES, WIDE_PAUSES, one_of

_GOOD_PLACE = re.compile(rf"(?<=\s)(?=\S)|(?<={one_of(PAUSES + WIDE_PAUSES)})")
"""Preferred positions for cutting sentences that are too long."""


class Segmenter:
    """Splits by SRX rules.

    Attributes:
        language: code of the texts' language; "" if unknown.
        cuts: the number of cuts in sentences that were too long.
    """

    def __init__(self, rules: str, language: str = "", most: int | None = None) -> None:
        """
        Args:
            rules: an SRX file's text.
            most: maximum number of characters in a sentence; None for no limit.
        Raises:
            SegmentationError: a rule is not valid; the message names its line.
        """
        self._rules, self._most = rules, most
        self.language, self.cuts = language, 0
        if rules != default_rules():  # these are valid, and compiling their patterns takes half a second
            breaker(self._rules, self.language or "zh")

    def spans(self, text: str) -> list[Span]:
        """Spans of the sentences of a text, in order; together they cover everything but white space."""
        places = breaker(self._rules, language_of_rules(self.language, text)).breaks(text)
        if self._most is not None and len(text) > self._most:
            places = list(self._with_cuts(text, places, self._most))
        spans = []
        for start, end in pairwise((0, *places, len(text))):
            part = text[start:end]
            if stripped := part.strip():
                begin = start + len(part) - len(part.lstrip())
                spans.append((begin, begin + len(stripped)))
        return spans

    def _with_cuts(self, text: str, places: Iterable[int], most: int) -> Iterable[int]:
        """Positions where sentences end, and cuts in sentences that are too long."""
        begin = 0
        for end in (*places, len(text)):
            begin = end - len(text[begin:end].lstrip())
            last = begin + len(text[begin:end].rstrip())
            while last - begin > most:
                begin = _cut(text, begin, begin + most)
                self.cuts += 1
                yield begin
            begin = end
            if end < len(text):
                yield end


def language_of_rules(language: str, text: str) -> str:
    """The language whose rules split a text; letters distinguish Chinese and English if it is unknown."""
    if language in ("", "en"):
        return "zh" if has_han(text) else "en"
    return language


def _cut(text: str, start: int, most: int) -> int:
    """The last preferred position in the second half of the text from `start` to `most`, or `most`."""
    found = (match.start() for match in _GOOD_PLACE.finditer(text, (start + most) // 2, most + 1))
    places = [place for place in found if place <= most]
    return places[-1] if places else most


DEFAULT_SEGMENTER = Segmenter(default_rules())
"""The segmenter for new documents until the rules are changed."""
