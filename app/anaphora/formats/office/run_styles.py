"""Styles of runs: a paragraph's base style, and pairs of tags around text in other styles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass

from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.xml import Element, local_name

OFF = ("0", "false", "off")
_UNSEEN = (*OFF, "0%", "none", "noStrike")
_LABELS = {
    "b": "bold", "i": "italic", "u": "underlined", "strike": "struck out", "color": "colour", "sz": "size",
    "superscript": "superscript", "subscript": "subscript", "hlinkClick": "link", "solidFill": "colour",
    "highlight": "highlighted", "vanish": "hidden", "webHidden": "hidden", "specVanish": "hidden",
    "eastAsianLayout": "combined characters", "rtl": "right to left", "fitText": "fitted to a width",
}  # fmt: skip
"""Descriptions of properties, by the names of attributes and elements, or by the vertical alignment."""
APART = "\0"
"""First character of the key of a style that changes the meaning of text (hidden), not only its look."""


@dataclass(frozen=True, slots=True)
class RunStyle:
    """The style of a run: a key, which is equal for equal styles (see `APART`), and its properties."""

    key: str
    properties: Element | None


@dataclass(frozen=True, slots=True)
class StyleEdge:
    """The beginning or end of text in another style than the paragraph's base style."""

    style: RunStyle
    opens: bool


def pass_edge(styles: list[RunStyle], edge: StyleEdge) -> None:
    """Push or pop the style of an edge while a text is written; the base style always stays."""
    if edge.opens:
        styles.append(edge.style)
    elif len(styles) > 1:
        styles.pop()


def proofread(properties: Element | None) -> Element | None:
    """A run's properties (`w:rPr`, `a:rPr`) for a new text, without "do not proofread"."""
    if properties is None:
        return None
    copy = deepcopy(properties)
    copy.attrib.pop("noProof", None)
    for mark in copy.findall("{*}noProof"):
        copy.remove(mark)
    return copy


def base_style(pieces: Sequence[Piece]) -> RunStyle:
    """The style of most of a paragraph's text; a style with `APART` only if no text has another."""
    weights: Counter[str] = Counter()
    styles: dict[str, RunStyle] = {}
    for piece in pieces:
        if piece.kind is Kind.TEXT and isinstance(piece.raw, RunStyle):
            weights[piece.raw.key] += len(piece.text.strip())
            styles.setdefault(piece.raw.key, piece.raw)
    ordinary = Counter({key: weight for key, weight in weights.items() if not key.startswith(APART)})
    found = ordinary or weights
    return styles[found.most_common(1)[0][0]] if found else RunStyle("", None)


def with_style_tags(pieces: Sequence[Piece]) -> list[Piece]:
    """Put pairs of tags around text in another style than the base style."""
    base = base_style(pieces)
    pair = max((piece.pair for piece in pieces), default=0)
    out: list[Piece] = []
    current: RunStyle | None = None
    for piece, ahead in zip(pieces, _next_styles(pieces), strict=True):
        # White space and standalone tags keep a style if the following text continues it.
        goes_on = ahead is not None and ahead.key == (current or base).key
        wanted = ahead if ahead is piece.raw or goes_on else None
        if (wanted or base).key != (current or base).key:
            if current is not None:
                out.append(Piece(Kind.CLOSE, "", StyleEdge(current, False), pair))
            current = wanted if wanted is not None and wanted.key != base.key else None
            if current is not None:
                pair += 1
                out.append(Piece(Kind.OPEN, "", StyleEdge(current, True), pair, _described(current)))
        out.append(piece)
    if current is not None:
        out.append(Piece(Kind.CLOSE, "", StyleEdge(current, False), pair))
    return out


def _next_styles(pieces: Sequence[Piece]) -> list[RunStyle | None]:
    """For each piece, the style of its text, or of the next text after white space and standalone tags."""
    ahead: list[RunStyle | None] = []
    following: RunStyle | None = None
    for piece in reversed(pieces):
        if piece.kind is Kind.TEXT and isinstance(piece.raw, RunStyle):
            if piece.text.strip():
                following = piece.raw
        elif piece.kind not in (Kind.ALONE, Kind.ANCHOR):
            following = None
        ahead.append(following)
    return ahead[::-1]


def _described(style: RunStyle) -> str:
    """The description of a style, for display."""
    if style.properties is None:
        return "plain"
    names = []
    for name, value in style.properties.attrib.items():
        raised = "subscript" if value.startswith("-") else "superscript"
        names += [] if value in _UNSEEN else [raised if name == "baseline" else name]
    for child in style.properties.iterchildren("{*}*"):
        value = next((value for name, value in child.attrib.items() if name.endswith("val")), "")
        names += (
            [] if value in _UNSEEN else [value if local_name(child) == "vertAlign" else local_name(child)]
        )
    found = dict.fromkeys(_LABELS[name] for name in names if name in _LABELS)
    return ", ".join(found) or "formatted"
