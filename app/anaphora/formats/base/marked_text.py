"""Split texts of programs into pieces: text, placeholders and markup."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from operator import itemgetter

from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.placeholders import numbered
from anaphora_text.icu import choices_in

_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]*)((?:\s[^<>]*?)?)(/?)>")
_NUMBERED = re.compile(r"<(/?)([A-Za-z][\w:.-]*|\d{1,3})((?:\s[^<>]*?)?)(/?)>")
_EMPTY = frozenset(("br", "hr", "img", "wbr"))


def split_markup(
    text: str,
    pattern: re.Pattern[str] | None,
    known: Collection[str] | None = None,
    stand_in: str = "",
    numbered: bool = False,
) -> list[Piece]:
    """A text as pieces: placeholders and well-formed markup in angle brackets become tags.

    Args:
        pattern: finds placeholders; None if the text has none.
        known: for a target, the tags of its source; other markup in it stays text. None for a source.
        stand_in: the text of a placeholder's piece, see `Piece`.
        numbered: True if tags may have numbers as names, such as React's <0>.
    """
    tags = _markup(text, known, _NUMBERED if numbered else _TAG) if ">" in text else []
    if pattern is not None:
        tags += _placeholders(text, pattern, [(start, end) for start, end, _ in tags], stand_in)
    pieces: list[Piece] = []
    copied_end = 0
    for start, end, piece in (*sorted(tags, key=itemgetter(0)), (len(text), len(text), None)):
        plain = text[copied_end:start]
        pieces += (Piece(Kind.TEXT, plain, plain),) if plain else ()
        pieces += (piece,) if piece is not None else ()
        copied_end = end
    return pieces


def with_positions(pieces: Sequence[Piece]) -> list[Piece]:
    """Add the positions of printf arguments to their labels; `target_pieces` writes them if necessary."""
    labels = zip(pieces, numbered([piece.label for piece in pieces]), strict=True)
    return [piece._replace(label=label) if label[:1] == "%" else piece for piece, label in labels]


def _placeholders(
    text: str, pattern: re.Pattern[str], tag_spans: Sequence[tuple[int, int]], stand_in: str
) -> Iterator[tuple[int, int, Piece]]:
    """(start, end, tag) of placeholders outside the sorted `tag_spans`; ICU plurals and selects stay text."""
    tag_index = 0
    for first, last in _stretches(text):
        for match in pattern.finditer(text, first, last):
            raw, (start, end) = match.group(), match.span()
            while tag_index < len(tag_spans) and tag_spans[tag_index][1] <= start:
                tag_index += 1
            if raw and not (tag_index < len(tag_spans) and tag_spans[tag_index][0] < end):
                yield start, end, Piece(Kind.ALONE, stand_in, raw=raw, label=raw)


def _stretches(text: str, offset: int = 0, depth: int = 4) -> Iterator[tuple[int, int]]:
    """Spans that may contain placeholders: branches of ICU arguments, and text outside these arguments."""
    previous_end = 0
    for choice in choices_in(text) if depth and "{" in text else ():
        yield offset + previous_end, offset + choice.start
        for branch in choice.branches:
            yield from _stretches(text[branch.start : branch.end], offset + branch.start, depth - 1)
        previous_end = choice.end
    yield offset + previous_end, offset + len(text)


def _markup(text: str, known: Collection[str] | None, tag: re.Pattern[str]) -> list[tuple[int, int, Piece]]:
    """The tags in `known` (None for all tags), with spans; an empty list if one of them lacks its partner."""
    tags: list[tuple[int, int, Piece]] = []
    opened: list[tuple[str, int]] = []
    for number, match in enumerate(tag.finditer(text), start=1):
        raw, name = match.group(), match[2].lower()
        if known is not None and raw not in known:
            continue
        if match[4] or name in _EMPTY:
            piece = Piece(Kind.ALONE, raw=raw, label=raw)
        elif not match[1]:
            opened.append((name, number))
            piece = Piece(Kind.OPEN, raw=raw, pair=number, label=raw)
        elif opened and opened[-1][0] == name:
            piece = Piece(Kind.CLOSE, raw=raw, pair=opened.pop()[1], label=raw)
        else:
            return []
        tags.append((*match.span(), piece))
    return [] if opened else tags
