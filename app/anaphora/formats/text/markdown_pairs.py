"""Pairs that CommonMark's parser does not make: HTML tags, stranded bold, links named by their own text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anaphora.formats.base.pieces import Kind, Piece

_STRANDED = re.compile(r"((?<!\*)\*\*(?!\*))")
_HTML_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]*).*?(/?)>", re.DOTALL)
_VOID = frozenset(("img", "hr", "input", "wbr", "meta", "link", "source"))


class Shortcut(str):
    """The end (`]` or `][]`) of a link or an image that is named by its own text, its `reference`."""

    reference = ""

    @classmethod
    def of(cls, raw: str, reference: str) -> Shortcut:
        """An end with its text."""
        end = cls(raw)
        end.reference = " ".join(reference.split())
        return end


def with_references(pieces: Sequence[Piece]) -> list[Piece]:
    """Links and images that are named by their own text get its name where the text is another one now."""
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
    """Make pairs of inline HTML tags that enclose something, and sentence ends of `<br>`."""
    out = list(pieces)
    pairs = max((piece.pair for piece in out), default=0)
    opened: list[tuple[str, int]] = []
    for index, piece in enumerate(out):
        tag = _HTML_TAG.fullmatch(piece.raw) if piece.kind is Kind.ALONE and not piece.text else None
        if piece.kind is Kind.OPEN:
            opened.append(("", index))
        elif piece.kind is Kind.CLOSE:
            while opened and opened.pop()[0]:
                pass  # HTML that never closed within this markup stays standing
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


def pair_stranded_bold(pieces: Sequence[Piece]) -> list[Piece]:
    """Make pairs of `**` that were meant as bold but are none by CommonMark: `**注意：**请勿`.

    A closing mark behind punctuation must be followed by a space, which Chinese does not write. In the
    translation there is one, and the text becomes bold as it was meant to.
    """
    out = [part for piece in pieces for part in _at_stranded(piece)]
    pairs = max((piece.pair for piece in out), default=0)
    opened, depth = -1, 0
    for index, piece in enumerate(out):
        if _is_plain(piece) and piece.text == "**":
            if 0 <= opened < index - 1 and depth == 0 and not out[index - 1].text[-1:].isspace():
                pairs += 1
                out[opened] = Piece(Kind.OPEN, "", "**", pairs, "bold")
                out[index] = Piece(Kind.CLOSE, "", "**", pairs, "bold")
                opened = -1
            else:
                starts_word = index + 1 < len(out) and not out[index + 1].text[:1].isspace()
                opened, depth = (index if starts_word else -1), 0
        elif piece.is_tag:
            depth += 1 if piece.kind is Kind.OPEN else -1
            opened = opened if depth >= 0 else -1
        elif piece.kind is Kind.BREAK:
            opened = -1
    return out


def _at_stranded(piece: Piece) -> list[Piece]:
    if not _is_plain(piece) or "**" not in piece.text:
        return [piece]
    return [piece._replace(text=part, raw=part) for part in _STRANDED.split(piece.text) if part]


def _is_plain(piece: Piece) -> bool:
    return piece.kind is Kind.TEXT and piece.raw == piece.text
