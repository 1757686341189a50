"""Roles of MyST: code behind a name in braces, {ref}`…`, which refers to something or has another meaning.

Where it shows a text of its own, {ref}`text <label>`, that is offered between the two halves of a pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anaphora.formats.base.pieces import WORD, Kind, Piece

_ROLE = re.compile(r"\{[A-Za-z][\w:.-]*\}")
_SHOWN = re.compile(r"(?P<opens>`+)(?P<text>[^`<>\n]*[^\W\d_][^`<>\n]*?)(?P<closes>\s*<[^`<>]+>`+)")
_TEXT = re.compile(r"(?P<opens>`+)(?P<text>[^`\n]*[^\W\d_][^`\n]*)(?P<closes>`+)")
_TEXTS = frozenset(
    ("{abbr}", "{guilabel}", "{sub}", "{sup}", "{strong}", "{emphasis}", "{dfn}", "{superscript}")
)
"""Roles that hold nothing but text."""


def with_roles(pieces: Sequence[Piece]) -> list[Piece]:
    """Pieces in which a role's name and its code are one tag, or a pair around the text that they show."""
    out: list[Piece] = []
    pairs = max((piece.pair for piece in pieces), default=0)
    for piece in pieces:
        if piece.kind is Kind.ALONE and piece.raw[:1] == "`" and out and _is_role(out[-1]):
            pairs += 1
            out += _role(out.pop().raw, piece.raw, pairs)
        else:
            out.append(piece)
    return out


def _role(name: str, code: str, pair: int) -> Iterator[Piece]:
    found = _SHOWN.fullmatch(code) or (_TEXT.fullmatch(code) if name in _TEXTS else None)
    if found is None:
        yield Piece(Kind.ALONE, WORD, name + code, label=name + code)
        return
    text = found["text"]
    yield Piece(Kind.OPEN, "", name + found["opens"], pair, name)
    yield Piece(Kind.TEXT, text, text)
    yield Piece(Kind.CLOSE, "", found["closes"], pair, name)


def _is_role(piece: Piece) -> bool:
    return piece.kind is Kind.ALONE and _ROLE.fullmatch(piece.raw) is not None
