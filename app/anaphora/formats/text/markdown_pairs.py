"""Pairs of tags that need special treatment: HTML tags, emphasis, and links whose text is their label."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Sequence

from anaphora.formats.base.pieces import Kind, Piece

EMPHASIS = {"*": "em", "**": "strong", "_": "em", "__": "strong", "~~": "del"}
"""Marks of emphasis, and the equivalent HTML elements."""
_HTML_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]*).*?(/?)>", re.DOTALL)
_VOID = frozenset(("img", "hr", "input", "wbr", "meta", "link", "source"))


class Shortcut(str):
    """The end (`]` or `][]`) of a link or image whose text is also its label; `reference` is the label."""

    reference = ""

    @classmethod
    def of(cls, raw: str, reference: str) -> Shortcut:
        end = cls(raw)
        end.reference = " ".join(reference.split())
        return end


def with_references(pieces: Sequence[Piece]) -> list[Piece]:
    """Add an explicit label to each link or image whose text was its label, if the text has changed."""
    out = list(pieces)
    opened: dict[int, int] = {}
    for index, piece in enumerate(pieces):
        if piece.kind is Kind.OPEN:
            opened[piece.pair] = index
        elif isinstance(piece.raw, Shortcut) and piece.raw.reference and piece.pair in opened:
            inner = pieces[opened[piece.pair] + 1 : index]
            text = "".join(each.text if each.raw is None else each.raw for each in inner)
            if " ".join(text.split()).casefold() != piece.raw.reference.casefold():
                out[index] = piece._replace(raw=f"][{piece.raw.reference}]")
    return out


def pair_html(pieces: Sequence[Piece]) -> list[Piece]:
    """Turn matching HTML tags into pairs, and `<br>` into line breaks."""
    out = list(pieces)
    pairs = max((piece.pair for piece in out), default=0)
    opened: list[tuple[str, int]] = []
    for index, piece in enumerate(out):
        tag = _HTML_TAG.fullmatch(piece.raw) if piece.kind is Kind.ALONE and not piece.text else None
        if piece.kind is Kind.OPEN:
            opened.append(("", index))
        elif piece.kind is Kind.CLOSE:
            while opened and opened.pop()[0]:
                pass  # HTML tags without an end in this markup stay standalone tags
        elif tag and tag[2].lower() == "br":
            out[index] = piece._replace(kind=Kind.BREAK)
        elif tag and not tag[1] and not tag[3] and tag[2].lower() not in _VOID:
            opened.append((tag[2].lower(), index))
        elif tag and tag[1] and opened and opened[-1][0] == tag[2].lower():
            pairs += 1
            start = opened.pop()[1]
            out[start] = out[start]._replace(kind=Kind.OPEN, pair=pairs)
            out[index] = piece._replace(kind=Kind.CLOSE, pair=pairs)
    return out


def with_visible_emphasis(pieces: Sequence[Piece]) -> list[Piece]:
    """Write emphasis beside new text as HTML if CommonMark would not recognise it, as in `**重点：**请勿`:
    a mark between punctuation and a letter does not close emphasis, and Chinese has no spaces there."""
    out = list(pieces)
    opened: dict[int, int] = {}
    for index, piece in enumerate(pieces):
        if piece.kind is Kind.OPEN:
            opened[piece.pair] = index
        elif piece.kind is Kind.CLOSE and piece.raw in EMPHASIS and piece.pair in opened:
            start = opened[piece.pair]
            neighbours = (*pieces[max(start - 1, 0) : start + 2], *pieces[index - 1 : index + 2])
            is_recognised = _is_recognised(pieces, start, -1) and _is_recognised(pieces, index, 1)
            if not is_recognised and any(each.raw is None for each in neighbours):
                out[start] = out[start]._replace(raw=f"<{EMPHASIS[piece.raw]}>")
                out[index] = piece._replace(raw=f"</{EMPHASIS[piece.raw]}>")
    return out


def _is_recognised(pieces: Sequence[Piece], index: int, direction: int) -> bool:
    outer, inner = _next_char(pieces, index, direction), _next_char(pieces, index, -direction)
    if outer.isspace() or (outer and (unicodedata.category(outer)[0] == "P" or outer in string.punctuation)):
        return True
    return bool(outer) and "_" not in pieces[index].raw and unicodedata.category(inner)[0] not in "PS"


def _next_char(pieces: Sequence[Piece], index: int, step: int) -> str:
    """The character beside a run of marks, " " at an edge; "" if the run both opens and closes emphasis."""
    kind, at = pieces[index].kind, index + step
    while 0 <= at < len(pieces):
        piece = pieces[at]
        content = str(piece.text if piece.raw is None else piece.raw)
        if not piece.is_half or content not in EMPHASIS:
            if content:
                return content[0] if step > 0 else content[-1]
        elif piece.kind is not kind:
            return ""
        at += step
    return " "
