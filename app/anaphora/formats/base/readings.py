"""Replace each ruby by its base text, because a translation has no use for the readings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from anaphora.formats.base.pieces import Kind, Piece, Replaced

_RUBY = re.compile(r"<(?:text:)?ruby\b(?!-)", re.IGNORECASE)
_READING = re.compile(r"</?(?:r(?:t|p|tc)|text:ruby-text)\b", re.IGNORECASE)
_BASE = re.compile(r"</?rbc?\b", re.IGNORECASE)
RawOf = Callable[[Piece], str]
"""Returns a tag's markup in the file."""


def _raw(piece: Piece) -> str:
    return str(piece.raw)


def without_readings(pieces: Iterable[Piece], raw_of: RawOf = _raw) -> Iterator[Piece]:
    """Replace each ruby by its base text, unless the base has standalone tags or breaks, or lacks letters."""
    ruby: list[Piece] = []
    for piece in pieces:
        if ruby or (piece.kind is Kind.OPEN and _RUBY.match(raw_of(piece))):
            ruby.append(piece)
        else:
            yield piece
        if ruby and piece.kind is Kind.CLOSE and piece.pair == ruby[0].pair:
            yield from _base_text(ruby, raw_of)
            ruby = []
    yield from ruby


def _base_text(ruby: Sequence[Piece], raw_of: RawOf) -> Sequence[Piece]:
    text, is_reading = "", False
    for piece in ruby:
        raw = "" if piece.kind is Kind.TEXT else raw_of(piece)
        if piece.kind is Kind.TEXT:
            text += "" if is_reading else piece.text
        elif _READING.match(raw):
            is_reading = "</" not in raw
        elif _BASE.match(raw):
            is_reading = False
        elif not is_reading and piece.kind in (Kind.ALONE, Kind.BREAK):
            return ruby
    text = "".join(text.split())
    return (Piece(Kind.TEXT, text, Replaced(tuple(ruby))),) if any(map(str.isalpha, text)) else ruby
