"""What authors of Chinese Markdown mean and CommonMark does not know: formulas, and stranded bold marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from anaphora.formats.base.pieces import WORD, Kind, Piece

_MATH = re.compile(r"(\${1,2})(?=[^\s$])[^$\u3400-\u9fff]*(?<=[^\s$])\1(?![0-9])")
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
    return [replace(piece, text=part, raw=part) for part in _STRANDED.split(piece.text) if part]


def protect_math(pieces: Sequence[Piece]) -> list[Piece]:
    """Make standing tags of the formulas (`$x_1$`) in texts."""
    out: list[Piece] = []
    for is_text, group in groupby(pieces, key=lambda piece: piece.kind is Kind.TEXT):
        members = list(group)
        out += _with_formulas(members) if is_text else members
    return out


def without_math(text: str) -> str:
    """A text without its formulas, as it counts."""
    return _MATH.sub(" ", text)


def _with_formulas(texts: list[Piece]) -> list[Piece]:
    """Neighbouring texts (escapes are pieces of their own), formulas in them made standing tags."""
    raw = "".join("\0" * len(piece.raw) if piece.raw == "\\$" else piece.raw for piece in texts)
    formulas = {match.start(): match.end() for match in _MATH.finditer(raw)}
    if not formulas:
        return texts
    source = "".join(piece.raw for piece in texts)
    out: list[Piece] = []
    position = end = 0
    for piece in (part for text in texts for part in _characters(text)):
        if position in formulas:
            end = formulas[position]
            out.append(Piece(Kind.ALONE, WORD, source[position:end], label=source[position:end]))
        if position >= end:
            if out and _is_plain(out[-1]) and _is_plain(piece):
                last = out.pop()
                piece = replace(last, text=last.text + piece.text, raw=last.raw + piece.raw)
                position -= len(last.raw)
            out.append(piece)
        position += len(piece.raw)
    return out


def _is_plain(piece: Piece) -> bool:
    return piece.kind is Kind.TEXT and piece.raw == piece.text


def _characters(piece: Piece) -> list[Piece]:
    return [replace(piece, text=char, raw=char) for char in piece.text] if _is_plain(piece) else [piece]
