"""The pieces of a block, and its sentences with tags.

A format turns each paragraph, heading or cell into a list of pieces; `segments.cut` cuts the list into
sentences, and `splicing` puts their translations back. A piece's `raw` belongs to the format; these two
modules only check if it is a string, `Unsplit` or `Replaced`. A sentence shows markup as `{1}`…`{/1}` (a
pair) or `{1/}` (a standalone tag). Text that looks like a tag but is not one of the sentence's tags is
ordinary text, so a document that contains the text `{1}` keeps it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from anaphora.core.notes import Note
from anaphora.core.segment import Segment, Span

WORD = "\ufffc"
"""Stand-in text of a piece that counts as a word, such as inline code."""


class Kind(Enum):
    """Kinds of pieces, described in `Piece`."""

    TEXT = "text"
    OPEN = "open"
    CLOSE = "close"
    ALONE = "alone"
    BREAK = "break"
    ANCHOR = "anchor"

    __hash__ = object.__hash__  # faster than that of `Enum`


class Unsplit:
    """Base class of the `raw` of a text that must not be split, such as a character with its ruby."""

    __slots__ = ()


class Piece(NamedTuple):
    """A stretch of a block: a text, a tag, a break or an anchor.

    Attributes:
        kind: TEXT is shown to the translator; OPEN and CLOSE are the tags of a pair; ALONE is a standalone
            tag; BREAK ends the sentence and is never shown; ANCHOR (a bookmark's start or end) is never
            shown and moves to an edge of its translated sentence.
        text: for TEXT, the text that the translator sees (empty for a line break between Chinese characters);
            for ALONE, the text that stands for the tag in segmentation: "", white space or `WORD`.
        raw: the original that the format puts back; None for text from a translation.
        pair: the same number for an OPEN and its CLOSE.
        label: a description of the markup for the user; "start" or "end" for an ANCHOR.
    """

    kind: Kind
    text: str = ""
    raw: Any = None
    pair: int = 0
    label: str = ""

    @property
    def width(self) -> int:
        """Number of the piece's characters in the text that is split into sentences."""
        return len(self.text) if self.kind is Kind.TEXT or self.kind is Kind.ALONE else 0

    @property
    def is_half(self) -> bool:
        """True for the opening or closing tag of a pair."""
        return self.kind is Kind.OPEN or self.kind is Kind.CLOSE

    @property
    def is_unsplittable(self) -> bool:
        """True if no sentence may begin or end in it: `raw` is `Unsplit`, or a string other than `text`."""
        raw = self.raw
        return isinstance(raw, Unsplit) or (isinstance(raw, str) and raw != self.text)


def text_of(pieces: Iterable[Piece]) -> str:
    """The text that pieces form, before it is escaped: texts, and the markup that tags replace."""
    return "".join(piece.text if piece.raw is None else str(piece.raw) for piece in pieces)


def part_of(piece: Piece, start: int, end: int) -> Piece:
    """A slice of a piece of text."""
    if (start, end) == (0, len(piece.text)):
        return piece
    text = piece.text[start:end]
    return piece._replace(text=text, raw=text if isinstance(piece.raw, str) else piece.raw)


@dataclass(frozen=True, slots=True)
class Replaced(Unsplit):
    """The `raw` of a tag that replaces text: the pieces of that text."""

    pieces: tuple[Piece, ...]


class Block(NamedTuple):
    """A text of a document, such as a paragraph, heading, cell or subtitle, or a unit of a bilingual file.

    Attributes:
        address: identifies the text in its file.
        pieces: the text; empty for a unit of a bilingual file, which its format fills in as a string.
        unit: the segment of a text that must stay one segment; None for a text to split into sentences.
    """

    address: str
    pieces: tuple[Piece, ...]
    notes: tuple[Note, ...] = ()
    unit: Segment | None = None


class Sentence(NamedTuple):
    """A sentence of a text.

    Attributes:
        source: the text with tags.
        start, end: the sentence's pieces are `Cut.pieces[start:end]`.
        tags: the pieces that each tag replaces.
        span: the sentence's position in the text that is split.
        target: the translation; "" without one.
    """

    source: str
    start: int
    end: int
    tags: Mapping[str, tuple[Piece, ...]]
    span: Span = (0, 0)
    target: str = ""

    def widths(self) -> dict[str, int]:
        """For each tag, in order, the number of characters of the split text that it replaces."""
        return {mark: sum(piece.width for piece in pieces) for mark, pieces in self.tags.items()}

    def labels(self) -> tuple[tuple[str, str], ...]:
        """(tag, description) of each tag except closing tags, for display."""
        return tuple(
            (mark, ", ".join(dict.fromkeys(piece.label for piece in pieces if piece.label)))
            for mark, pieces in self.tags.items()
            if not mark.startswith("{/")
        )


@dataclass(frozen=True, slots=True)
class Cut:
    """A text split into sentences; pieces outside the sentences do not change."""

    pieces: tuple[Piece, ...]
    sentences: tuple[Sentence, ...]


def without_broken_pairs(pieces: Sequence[Piece], crossed: bool = True) -> list[Piece]:
    """Make unpaired tags standalone; with `crossed`, also pairs that end while a pair inside them is open."""
    opened: dict[int, None] = {}
    lone: set[int] = set()
    for piece in pieces:
        if piece.kind is Kind.OPEN:
            opened[piece.pair] = None
        elif piece.kind is Kind.CLOSE:
            is_crossed = crossed and bool(opened) and next(reversed(opened)) != piece.pair
            if piece.pair not in opened or is_crossed:
                lone.add(piece.pair)
            opened.pop(piece.pair, None)
    lone.update(opened)
    if not lone:
        return list(pieces)
    return [
        piece._replace(kind=Kind.ALONE) if piece.is_half and piece.pair in lone else piece for piece in pieces
    ]
