"""Characters that strings of spreadsheets and slides spell as `_x000D_` (ISO/IEC 29500-1, 22.4.2.4)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.office.run_styles import RunStyle

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_WOULD_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_BREAK = re.compile(r"_x000D_(?:\r?\n|_x000A_)?|_x000A_|_x000B_", re.IGNORECASE)
_MARKS = re.compile(
    rf"_x005F_|({_BREAK.pattern}|_x00[01][0-9A-Fa-f]_|_x(?:[Dd][89A-Fa-f]|[Ff][Ff][Ff])[0-9A-Fa-f]+_)", re.I
)
"""What is no letter; an escaped underscore before it makes letters of it, as programs read from the left."""
_TAB = "_x0009_"


@dataclass(frozen=True, slots=True)
class Spelled(RunStyle):
    """How a run styles that holds a character which no text may hold, `spelled` as the file has it."""

    spelled: str = ""


def escaped_pieces(text: str, style: RunStyle) -> list[Piece]:
    """A string's text: line breaks are breaks, other control characters stand alone, the rest are letters."""
    if "_x" not in text:
        return [Piece(Kind.TEXT, text, style)] if text else []
    pieces: list[Piece] = []
    done = 0
    for match in _MARKS.finditer(text):
        part = match[1]
        if not part or part == _TAB:
            continue
        pieces += _letters(text[done : match.start()], style)
        raw = Spelled(style.key, style.properties, part)
        is_break = _BREAK.fullmatch(part) is not None
        pieces.append(Piece(Kind.BREAK if is_break else Kind.ALONE, "", raw, label="" if is_break else part))
        done = match.end()
    return pieces + _letters(text[done:], style)


def _letters(text: str, style: RunStyle) -> list[Piece]:
    return [Piece(Kind.TEXT, unescaped(text), style)] if text else []


def unescaped(text: str) -> str:
    """What a string says."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def escaped(text: str) -> str:
    """A text as a string spells it: what would be read as such a character is none."""
    return _WOULD_ESCAPE.sub("_x005F_", text) if "_x" in text else text
