"""How a block's text is cut into sentences: the protocol between formats and segmentation."""

from __future__ import annotations

from typing import Protocol

from anaphora.core.text import has_han
from anaphora_nmt.text.segment import split_sentences

Span = tuple[int, int]
"""Start and end offsets of a sentence, white space left out."""


class Segmenter(Protocol):
    """Finds the sentences of a block. Reading and writing a document must use equal ones."""

    def spans(self, text: str, block: int, offset: int) -> list[Span]:
        """Cut a stretch of a block.

        Args:
            text: the stretch, tags left out (see `Piece.width`).
            block: number of the block in its document, from 1.
            offset: where the stretch begins in its block (a line break inside a block ends a stretch).
        Returns:
            spans of `text`, in order; together they cover all that is not white space.
        """
        ...


class LanguageSegmenter:
    """The engine's rules for Chinese and English."""

    def spans(self, text: str, block: int, offset: int) -> list[Span]:
        """See `Segmenter.spans`."""
        return split_sentences(text, "zh" if has_han(text) else "en")


DEFAULT_SEGMENTER = LanguageSegmenter()
