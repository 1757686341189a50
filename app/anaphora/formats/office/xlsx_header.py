"""Headers and footers of printed sheets: one text with codes in it (`&L`, `&P`, `&"Arial,Bold"`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from anaphora.formats.base.pieces import WORD, Kind, Piece
from anaphora.formats.base.xml import Element, clean

_CODE = re.compile(
    r'&(?:(?P<section>[LCR])|(?P<field>[PNDTFAZG])(?:[+-][0-9]+)?|(?P<look>"[^"]*+"|[0-9]{1,3}|K[0-9A-Fa-f+-]{6}'
    r"|[BIUESXYOH])|(?P<ampersand>&))"
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
        return list(_pieces(self.element.text or ""))

    def fill(self, pieces: list[Piece]) -> None:
        """Put another text there."""
        written = (
            piece.raw
            if isinstance(piece.raw, str)
            else clean(" ".join(piece.text.split("\n"))).replace("&", "&&")
            for piece in pieces
        )
        self.element.text = "".join(written)


def _pieces(text: str) -> Iterator[Piece]:
    done = 0
    for match in _CODE.finditer(text):
        if match.start() > done:
            yield Piece(Kind.TEXT, text[done : match.start()], text[done : match.start()])
        raw, done = match.group(), match.end()
        if match["section"]:
            yield Piece(Kind.BREAK, "", raw)
        elif match["field"]:
            yield Piece(Kind.ALONE, WORD, raw, label=_FIELDS[match["field"]])
        elif match["look"]:
            yield Piece(Kind.ALONE, "", raw, label="look")
        else:
            yield Piece(Kind.TEXT, "&", raw)
    if done < len(text):
        yield Piece(Kind.TEXT, text[done:], text[done:])
