"""Rubies as their letters: readings are dropped in a translated text, where they would be unreadable."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from anaphora.formats.base.pieces import Kept, Kind, Piece

_RUBY = re.compile(r"<(?:text:)?ruby\b(?!-)", re.IGNORECASE)
_READING = re.compile(r"</?(?:r(?:t|p|tc)|text:ruby-text)\b", re.IGNORECASE)
_BASE = re.compile(r"</?rbc?\b", re.IGNORECASE)
RawOf = Callable[[Piece], str]


def _own(piece: Piece) -> str:
    return str(piece.raw)


def without_readings(pieces: Iterable[Piece], raw_of: RawOf = _own) -> Iterator[Piece]:
    """Each ruby as its letters, where texts and pairs of tags stand in it; `raw_of` gives a tag's source."""
    held: list[Piece] = []
    for piece in pieces:
        if held or (piece.kind is Kind.OPEN and _RUBY.match(raw_of(piece))):
            held.append(piece)
        else:
            yield piece
        if held and piece.kind is Kind.CLOSE and piece.pair == held[0].pair:
            yield from _letters(held, raw_of)
            held = []
    yield from held


def _letters(held: Sequence[Piece], raw_of: RawOf) -> Sequence[Piece]:
    text, is_reading = "", False
    for piece in held:
        raw = "" if piece.kind is Kind.TEXT else raw_of(piece)
        if piece.kind is Kind.TEXT:
            text += "" if is_reading else piece.text
        elif _READING.match(raw):
            is_reading = "</" not in raw
        elif _BASE.match(raw):
            is_reading = False
        elif not is_reading and piece.kind in (Kind.ALONE, Kind.BREAK):
            return held
    text = "".join(text.split())
    return (Piece(Kind.TEXT, text, Kept(tuple(held))),) if any(map(str.isalpha, text)) else held
