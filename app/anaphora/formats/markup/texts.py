"""Split the texts of XML and HTML into pieces, and escape translations."""

from __future__ import annotations

import re
from collections.abc import Iterable

from anaphora.formats.base.pieces import WORD, Kind, Piece
from anaphora.formats.base.xml import clean
from anaphora.formats.markup.tokens import Span, entity_at, unescape
from anaphora_text.han import ALL_HAN, KANA
from anaphora_text.protected import TEMPLATE
from anaphora_text.punctuation import WIDE_FORMS

_PART = re.compile(r"&|[ \t\r\n\f]{2,}+|[\t\r\n\f]|(?:[^& \t\r\n\f]++| (?![ \t\r\n\f]))++")
_UNCOLLAPSED_PART = re.compile("&|[^&]+")
_WIDE = re.compile(f"[{ALL_HAN}{KANA}{WIDE_FORMS}“”‘’…—]")
"""Chinese and Japanese letters and punctuation marks."""
_MAX_LABEL_LENGTH = 80
_BASIC = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def template_piece(source: str, start: int, end: int) -> Piece:
    """Template syntax as a standalone tag, which counts as a word if it inserts a value."""
    match = TEMPLATE.match(source, start, end)
    is_word = match is not None and match["output"] is not None
    label = " ".join(source[start : min(end, start + _MAX_LABEL_LENGTH)].split())
    label = unescape(label) if label.startswith("&") else label
    return Piece(Kind.ALONE, WORD if is_word else "", Span(start, end), label=label)


def text_pieces(
    source: str, start: int, end: int, collapse: bool = True, codes: re.Pattern[str] | None = None
) -> list[Piece]:
    """A span of text as pieces; the `raw` of a text piece is its source text.

    Args:
        collapse: True to show each run of white space as one space, as browsers do. A run that contains a
            line end and is between Chinese or Japanese characters is left out.
        codes: finds template syntax, which becomes standalone tags; None if there is none.
    """
    pieces: list[Piece] = []
    done = start
    for match in codes.finditer(source, start, end) if codes is not None else ():
        pieces += (
            *_plain_pieces(source, done, match.start(), collapse),
            template_piece(source, *match.span()),
        )
        done = match.end()
    return pieces + _plain_pieces(source, done, end, collapse)


def _plain_pieces(source: str, start: int, end: int, collapse: bool) -> list[Piece]:
    part = _PART if collapse else _UNCOLLAPSED_PART
    pieces: list[Piece] = []
    position = start
    while position < end:
        match = part.match(source, position, end)
        if match is None or match.group() == "&":
            reference = entity_at(source, position, end)
            pieces.append(_entity(source, position, reference))
            position = reference[1] if reference else position + 1
            continue
        raw = match.group()
        if collapse and raw != " " and not raw.strip(" \t\r\n\f"):
            joined = "\n" in raw and _is_wide(source, position - 1) and _is_wide(source, match.end())
            pieces.append(Piece(Kind.TEXT, "" if joined else " ", raw))
        else:
            pieces.append(Piece(Kind.TEXT, raw, raw))
        position = match.end()
    return pieces


def cdata_piece(source: str, start: int, end: int) -> Piece:
    return Piece(Kind.TEXT, source[start + 9 : end].removesuffix("]]>"), source[start:end])


def entities_in(pieces: Iterable[Piece]) -> dict[str, str]:
    """The references that a text uses for characters, by character; ">" for `>` if it is never escaped."""
    entities: dict[str, str] = {}
    for piece in pieces:
        if piece.kind is not Kind.TEXT or not isinstance(piece.raw, str):
            continue
        if piece.raw[:1] == "&" and piece.raw.endswith(";") and len(piece.text) == 1:
            entities[piece.text] = piece.raw
        elif ">" in piece.text and piece.raw == piece.text:
            entities.setdefault(">", ">")
    return entities


def escape(text: str, entities: dict[str, str], quote: str = "") -> str:
    """A translation as source text.

    Args:
        entities: see `entities_in`.
        quote: the quotation mark around an attribute's value; "" for text outside attributes.
    """
    table = _BASIC | ({'"': "&quot;"} if quote == '"' else {"'": "&#39;"} if quote else {}) | entities
    escaped = "".join(table.get(char, char) for char in clean(text))
    return escaped.replace("]]>", "]]&gt;")  # XML forbids the end of CDATA in text


def _entity(source: str, position: int, reference: tuple[str, int] | None) -> Piece:
    """The piece at an "&": text, or a standalone tag for a reference to an unknown or forbidden character."""
    if reference is None:
        return Piece(Kind.TEXT, "&", "&")
    text, end = reference
    raw = source[position:end]
    if not text or clean(text) != text:
        return Piece(Kind.ALONE, WORD, raw, label=raw)
    return Piece(Kind.TEXT, text, raw)


def _is_wide(source: str, position: int) -> bool:
    char = source[position : position + 1] if position >= 0 else ""
    return bool(char) and _WIDE.match(char) is not None
