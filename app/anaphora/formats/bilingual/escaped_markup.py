"""HTML that stands escaped in texts of XLIFF and TMX, `&lt;b&gt;` and `&amp;nbsp;`, is tags."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from anaphora.formats.base.marked_text import marked
from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.placeholders import ENTITY
from anaphora.formats.bilingual.xml_text import XmlText


def pairs_of_texts(
    document: XmlText, source: Iterable[Piece], target: Iterable[Piece], codes: re.Pattern[str] = ENTITY
) -> tuple[list[Piece], list[Piece]]:
    """Pieces of a source and its target, their escaped markup as tags.

    Args:
        codes: finds what else is a tag in texts.
    Returns:
        the same pieces; a target's text holds only the markup that its source's has.
    """
    found = list(_with_tags(document, source, codes, None))
    known = frozenset(piece.label for piece in found if piece.kind is not Kind.TEXT)
    return found, list(_with_tags(document, target, codes, known))


def _may_hold_any(text: str) -> bool:
    return "<" in text or "&" in text or "{" in text


def _with_tags(
    document: XmlText, pieces: Iterable[Piece], codes: re.Pattern[str], known: Collection[str] | None
) -> Iterator[Piece]:
    pairs = len(document.text)  # above those of elements, which are where these begin
    for piece in pieces:
        if piece.kind is not Kind.TEXT or not _may_hold_any(piece.text):
            yield piece
            continue
        inner = marked(piece.text, codes, known)
        for each in inner:
            if each.kind is Kind.TEXT:
                yield each
            else:
                pair = each.pair + pairs if each.is_tag else 0
                yield each._replace(raw=document.escape(each.raw), pair=pair)
        pairs += len(inner)
