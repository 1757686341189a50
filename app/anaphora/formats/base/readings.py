"""Rubies as their letters: readings go where a text is translated, for nobody reads them beside its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anaphora.formats.base.pieces import Kept, Kind, Piece

_RUBY, _READING = re.compile(r"<ruby\b", re.IGNORECASE), re.compile(r"</?r(?:t|p|tc)\b", re.IGNORECASE)


def without_readings(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Each ruby in tags of HTML as its letters; one with a reading that does not end is left as it is."""
    held: list[Piece] = []
    for piece in pieces:
        begins = not held and piece.kind is Kind.OPEN and _RUBY.match(str(piece.raw)) is not None
        if held or begins:
            held.append(piece)
        else:
            yield piece
        if held and piece.kind is Kind.CLOSE and piece.pair == held[0].pair:
            yield from _letters(held)
            held = []
    yield from held


def _letters(held: Sequence[Piece]) -> Sequence[Piece]:
    text, within = "", -1
    for piece in held:
        if piece.kind is Kind.ALONE and _READING.match(str(piece.raw)):
            return held
        if within < 0 and piece.kind is Kind.OPEN and _READING.match(str(piece.raw)):
            within = piece.pair
        elif piece.kind is Kind.CLOSE and piece.pair == within:
            within = -1
        elif within < 0:
            text += piece.text
    return (Piece(Kind.TEXT, text, Kept(tuple(held))),) if any(map(str.isalpha, text)) else held
