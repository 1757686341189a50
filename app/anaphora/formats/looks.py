"""Looks of runs: a paragraph's usual one, and pairs of tags around what looks different."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anaphora.formats.inline import Kind, Piece
from anaphora.formats.xml import Element


@dataclass(frozen=True, slots=True)
class Format:
    """How a run looks.

    Attributes:
        key: equal for runs that look the same.
        properties: its `w:rPr`, or None.
    """

    key: str
    properties: Element | None


@dataclass(frozen=True, slots=True)
class FormatEdge:
    """Where a stretch begins or ends that does not look like most of its paragraph."""

    format: Format
    opens: bool


def base_format(pieces: Sequence[Piece]) -> Format:
    """The look that most of a paragraph's text has."""
    weights: Counter[str] = Counter()
    formats: dict[str, Format] = {}
    for piece in pieces:
        if piece.kind is Kind.TEXT and isinstance(piece.raw, Format):
            weights[piece.raw.key] += len(piece.text.strip())
            formats.setdefault(piece.raw.key, piece.raw)
    return formats[weights.most_common(1)[0][0]] if weights else Format("", None)


def with_formats(pieces: Sequence[Piece], describe: Callable[[Format], str]) -> list[Piece]:
    """Put pairs around stretches that do not look like most of the paragraph."""
    base = base_format(pieces)
    pair = max((piece.pair for piece in pieces), default=0)
    out: list[Piece] = []
    current: Format | None = None
    for index, piece in enumerate(pieces):
        wanted = _format_at(pieces, index, current or base)
        if (wanted or base).key != (current or base).key:
            if current is not None:
                out.append(Piece(Kind.CLOSE, "", FormatEdge(current, False), pair))
            current = wanted if wanted is not None and wanted.key != base.key else None
            if current is not None:
                pair += 1
                out.append(Piece(Kind.OPEN, "", FormatEdge(current, True), pair, describe(current)))
        out.append(piece)
    if current is not None:
        out.append(Piece(Kind.CLOSE, "", FormatEdge(current, False), pair))
    return out


def _format_at(pieces: Sequence[Piece], index: int, current: Format) -> Format | None:
    """The look in force at a piece: white space and standing markup keep it if the text behind goes on so."""
    for here in range(index, len(pieces)):
        piece = pieces[here]
        if piece.kind is Kind.TEXT and isinstance(piece.raw, Format):
            if piece.text.strip():
                found: Format = piece.raw
                at_text = here == index
                return found if at_text or found.key == current.key else None
        elif piece.kind not in (Kind.ALONE, Kind.ANCHOR):
            return None
    return None
