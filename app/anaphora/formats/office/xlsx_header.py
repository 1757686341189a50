"""Headers and footers of printed sheets: one text with codes in it (`&L`, `&P`, `&"Arial,Bold"`)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from anaphora.formats.base.pieces import WORD, Kind, Piece
from anaphora.formats.base.xml import Element, clean

_CODE = re.compile(
    r'&(?:(?P<section>[LCR])|(?P<field>[PNDTFAZG])(?:[+-][0-9]+)?|(?P<look>"[^"]*+"|[0-9]{1,3}|K[0-9A-Fa-f+-]{6}'
    r"|[BIUESXYOH])|(?P<ampersand>&))|(?P<text>[^&]+|&)"
)
_FIELDS = {
    "P": "page number", "N": "number of pages", "D": "date", "T": "time", "F": "file name",
    "A": "name of the sheet", "Z": "folder", "G": "picture",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class HeaderHolder:
    """A header or footer of a sheet; see `drawing.Holder`."""

    element: Element

    def pieces(self) -> list[Piece]:
        """Its text; sections (left, centre, right) end sentences, fields and looks are tags."""
        return [_piece(match) for match in _CODE.finditer(self.element.text or "")]

    def fill(self, pieces: list[Piece]) -> None:
        """Put another text there."""
        written = (
            piece.raw
            if isinstance(piece.raw, str)
            else clean(" ".join(piece.text.split("\n"))).replace("&", "&&")
            for piece in pieces
        )
        self.element.text = "".join(written)


def _piece(match: re.Match[str]) -> Piece:
    raw = match.group()
    if match["section"]:
        return Piece(Kind.BREAK, "", raw)
    if match["field"]:
        return Piece(Kind.ALONE, WORD, raw, label=_FIELDS[match["field"]])
    if match["look"]:
        return Piece(Kind.ALONE, "", raw, label="look")
    return Piece(Kind.TEXT, match["text"] or "&", raw)
