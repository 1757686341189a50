"""Looks of runs: a paragraph's usual one, and pairs of tags around what styles different."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.xml import Element


@dataclass(frozen=True, slots=True)
class RunStyle:
    """How a run styles.

    Attributes:
        key: equal for runs that style the same.
        properties: its `w:rPr`, or None.
    """

    key: str
    properties: Element | None


@dataclass(frozen=True, slots=True)
class StyleEdge:
    """Where a stretch begins or ends that does not style like most of its paragraph."""

    style: RunStyle
    opens: bool


class StyleStack:
    """The style at a place of a text that is being written, as edges come by."""

    def __init__(self, base: RunStyle) -> None:
        self._styles = [base]

    @property
    def current(self) -> RunStyle:
        """The style that a text here has."""
        return self._styles[-1]

    def pass_edge(self, edge: StyleEdge) -> None:
        """Go into a stretch or out of it; the paragraph's own style stays."""
        if edge.opens:
            self._styles.append(edge.style)
        elif len(self._styles) > 1:
            self._styles.pop()


def base_style(pieces: Sequence[Piece]) -> RunStyle:
    """The style that most of a paragraph's text has."""
    weights: Counter[str] = Counter()
    styles: dict[str, RunStyle] = {}
    for piece in pieces:
        if piece.kind is Kind.TEXT and isinstance(piece.raw, RunStyle):
            weights[piece.raw.key] += len(piece.text.strip())
            styles.setdefault(piece.raw.key, piece.raw)
    return styles[weights.most_common(1)[0][0]] if weights else RunStyle("", None)


def with_style_tags(pieces: Sequence[Piece], describe: Callable[[RunStyle], str]) -> list[Piece]:
    """Put pairs around stretches that do not style like most of the paragraph."""
    base = base_style(pieces)
    pair = max((piece.pair for piece in pieces), default=0)
    out: list[Piece] = []
    current: RunStyle | None = None
    for index, piece in enumerate(pieces):
        wanted = _style_at(pieces, index, current or base)
        if (wanted or base).key != (current or base).key:
            if current is not None:
                out.append(Piece(Kind.CLOSE, "", StyleEdge(current, False), pair))
            current = wanted if wanted is not None and wanted.key != base.key else None
            if current is not None:
                pair += 1
                out.append(Piece(Kind.OPEN, "", StyleEdge(current, True), pair, describe(current)))
        out.append(piece)
    if current is not None:
        out.append(Piece(Kind.CLOSE, "", StyleEdge(current, False), pair))
    return out


def _style_at(pieces: Sequence[Piece], index: int, current: RunStyle) -> RunStyle | None:
    """The style at a piece: white space and standing markup keep it if the text behind goes on so."""
    for here in range(index, len(pieces)):
        piece = pieces[here]
        if piece.kind is Kind.TEXT and isinstance(piece.raw, RunStyle):
            if piece.text.strip():
                found: RunStyle = piece.raw
                at_text = here == index
                return found if at_text or found.key == current.key else None
        elif piece.kind not in (Kind.ALONE, Kind.ANCHOR):
            return None
    return None
