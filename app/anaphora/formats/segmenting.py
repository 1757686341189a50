"""How a block's text is cut into sentences: the protocol between formats and segmentation."""

from __future__ import annotations

from typing import Protocol

from anaphora.formats.segmentation import default_segmenter

Span = tuple[int, int]
"""Start and end offsets of a sentence, white space left out."""


class Segmenter(Protocol):
    """Finds the sentences of a block. Reading and writing a document must use equal ones.

    Attributes:
        rules: the text of the rules, to be kept with the document.
        joints: hand-made joints and cuts, kept likewise.
    """

    rules: str
    joints: str

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


DEFAULT_SEGMENTER: Segmenter = default_segmenter()
