"""Splitting texts into sentences by editable rules, when a document is read for the first time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from anaphora.core.segment import Span
from anaphora.core.text import has_han
from anaphora.formats.segmentation.srx import breaker, default_rules


class Segmenter(Protocol):
    """Finds sentences.

    Attributes:
        language: code of the texts' language; "" where nobody says.
    """

    language: str

    def spans(self, text: str) -> list[Span]:
        """Split a text, tags left out.

        Returns:
            spans of `text`, in order; together they cover all that is not white space.
        """
        ...


class RuleSegmenter:
    """Splits by SRX rules.

    Attributes:
        language: see `Segmenter` and `language_of_rules`.
    """

    def __init__(self, rules: str, language: str = "") -> None:
        """By the text of an SRX file.

        Raises:
            SegmentationError: a rule makes no sense; the line is named.
        """
        self._rules, self.language = rules, language
        if rules != default_rules():  # those make sense; to make their patterns takes half a second
            breaker(self._rules, self.language or "zh")

    def spans(self, text: str) -> list[Span]:
        """See `Segmenter.spans`."""
        return _between(text, breaker(self._rules, language_of_rules(self.language, text)).breaks(text))


def language_of_rules(language: str, text: str) -> str:
    """The language whose rules split a text.

    Args:
        language: of its document; of texts of none, and of English, letters tell Chinese from English.
    """
    if language in ("", "en"):
        return "zh" if has_han(text) else "en"
    return language


def _between(text: str, breaks: Iterable[int]) -> list[Span]:
    """The sentences between some places, white space at their edges left out."""
    spans = []
    start = 0
    for end in (*breaks, len(text)):
        part = text[start:end]
        if stripped := part.strip():
            begin = start + len(part) - len(part.lstrip())
            spans.append((begin, begin + len(stripped)))
        start = end
    return spans


DEFAULT_SEGMENTER: Segmenter = RuleSegmenter(default_rules())
"""The segmenter for new documents as long as nobody has changed the rules."""
