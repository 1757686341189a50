"""The pieces of a block, and its sentences with protected tags: what text formats and packages share.

A format turns each paragraph, heading or cell into a list of pieces; `sentence_splitting` finds the
sentences in it, `splicing` puts their translations back. Neither knows what a piece's `raw` is. A sentence
shows markup as `{1}`…`{/1}` (a pair) or `{1/}` (standing alone). Whatever looks like a tag but is
not one of the sentence's own is ordinary text, so a document that says `{1}` keeps saying it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from anaphora.core.errors import Message
from anaphora.core.notes import Note
from anaphora.core.segment import Place, Segment
from anaphora.formats.base.format import UnknownSegmentsError

WORD = "\ufffc"
"""Stand-in text of a piece that plays the part of a word, such as inline code."""


class Kind(Enum):
    """What a piece is."""

    TEXT = "text"
    OPEN = "open"
    CLOSE = "close"
    ALONE = "alone"
    BREAK = "break"
    ANCHOR = "anchor"


class Unsplit:
    """Base of what is behind a text that has to stay whole, such as a character with its reading."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a block.

    Attributes:
        kind: TEXT is shown to the translator; OPEN and CLOSE are a pair of markup; ALONE is markup
            without content; BREAK ends the sentence and is never shown;
            ANCHOR (a bookmark's start or end) is never shown and goes to its sentence's edges.
        text: of TEXT what the translator sees (empty for a line break between Chinese characters); of
            ALONE its stand-in for segmentation: "", white space, or `WORD`.
        raw: the original that the format puts back; None for text that came from a translation.
        pair: the same number for an OPEN and its CLOSE.
        label: what the markup is, for a person.
    """

    kind: Kind
    text: str = ""
    raw: Any = None
    pair: int = 0
    label: str = ""

    @property
    def width(self) -> int:
        """How many characters it has in the text that is split into sentences."""
        return len(self.text) if self.kind in (Kind.TEXT, Kind.ALONE) else 0

    @property
    def is_tag(self) -> bool:
        """Whether it is half of a pair."""
        return self.kind in (Kind.OPEN, Kind.CLOSE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A segment's place in its block.

    Attributes:
        id: the segment's id.
        source: its text with placeholders.
        start: index of its first piece in `Block.pieces`.
        end: index one past its last piece.
        tags: the pieces behind each placeholder.
        span: where its text stands in the text of its block.
    """

    id: str
    source: str
    start: int
    end: int
    tags: Mapping[str, tuple[Piece, ...]] = field(default_factory=dict)
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading or cell, split into sentences.

    Attributes:
        number: in its document, from 1.
        pieces: all of it; what lies in no sentence stays as it is.
        sentences: in order.
    """

    number: int

    pieces: tuple[Piece, ...]
    sentences: tuple[Sentence, ...]


def segments_of(blocks: Iterable[Block], notes: tuple[Note, ...] = ()) -> tuple[Segment, ...]:
    """The blocks' sentences as segments, all with these notes."""
    return tuple(
        Segment(
            sentence.id,
            sentence.source,
            block=str(block.number),
            notes=notes,
            tags=_labels(sentence),
            place=Place(*sentence.span, _widths(sentence)),
        )
        for block in blocks
        for sentence in block.sentences
    )


def check_ids(blocks: Sequence[Block], translations: Mapping[str, str]) -> None:
    """Refuse translations for segments that the blocks do not have.

    Raises:
        UnknownSegmentsError: writing would lose a translation.
    """
    known = {sentence.id for block in blocks for sentence in block.sentences}
    lost = [identifier for identifier in translations if identifier not in known]
    if lost:
        raise UnknownSegmentsError(
            Message("{count} translated segments have no place in the original document.", count=len(lost)),
            "The project was probably made by another version of Anaphora: export it with that version.",
        )


def is_translated(block: Block, translations: Mapping[str, str]) -> bool:
    """Whether any of the block's sentences has a translation."""
    return any(translations.get(sentence.id, "").strip() for sentence in block.sentences)


def without_broken_pairs(pieces: Sequence[Piece], crossed: bool = True) -> list[Piece]:
    """The pieces with lone halves of pairs as standing tags; pairs that cross others, too, if `crossed`."""
    opened: dict[int, None] = {}
    lone: set[int] = set()
    for piece in pieces:
        if piece.kind is Kind.OPEN:
            opened[piece.pair] = None
        elif piece.kind is Kind.CLOSE and piece.pair not in opened:
            lone.add(piece.pair)
        elif piece.kind is Kind.CLOSE:
            if crossed and next(reversed(opened)) != piece.pair:
                lone.add(piece.pair)
            del opened[piece.pair]
    lone.update(opened)
    return [
        replace(piece, kind=Kind.ALONE) if piece.is_tag and piece.pair in lone else piece for piece in pieces
    ]


def _labels(sentence: Sentence) -> tuple[tuple[str, str], ...]:
    """What each placeholder of a sentence stands for."""
    return tuple((mark, _label(found)) for mark, found in sentence.tags.items() if not mark.startswith("{/"))


def _widths(sentence: Sentence) -> tuple[tuple[str, int], ...]:
    """How many characters each placeholder stands for in the text that is split; dicts keep their order."""
    return tuple((mark, sum(piece.width for piece in found)) for mark, found in sentence.tags.items())


def _label(pieces: tuple[Piece, ...]) -> str:
    return ", ".join(dict.fromkeys(piece.label for piece in pieces if piece.label))
