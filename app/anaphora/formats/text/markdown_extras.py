"""What authors of Chinese Markdown mean and CommonMark does not know: stranded bold marks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anaphora.formats.base.pieces import Kind, Piece

_STRANDED = re.compile(r"((?<!\*)\*\*(?!\*))")


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
