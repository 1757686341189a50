"""A Word paragraph as a place that holds a text."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.formats.base.pieces import Piece
from anaphora.formats.base.xml import Element
from anaphora.formats.office.docx_paragraph import paragraph_pieces, rebuild
from anaphora.formats.office.run_styles import base_style


@dataclass(frozen=True, slots=True)
class ParagraphHolder:
    """A `w:p`; see `drawing.Holder`, and `paragraph_pieces` for the rest."""

    element: Element

    def pieces(self) -> list[Piece]:
        """Its text."""
        return paragraph_pieces(self.element)

    def fill(self, pieces: list[Piece]) -> None:
        """Put another text there; the base style is that of the text that goes."""
        rebuild(self.element, pieces, base_style(self.pieces()))
