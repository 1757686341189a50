"""The segments of a document's blocks, and the stored shapes of blocks for joining and splitting segments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from anaphora.core.errors import Message
from anaphora.core.long_work import Step, each_of, no_step
from anaphora.core.notes import HIDDEN
from anaphora.core.segment import Segment, Span
from anaphora.core.untrusted import MOST_TEXT, read_json
from anaphora.formats.base.format import FormatError, check_sentences
from anaphora.formats.base.pieces import Block, Cut, Kind, Piece, Sentence, Unsplit
from anaphora.formats.base.sentence_splitting import as_whole, at_places, by_rules, cut
from anaphora.formats.segmentation.segmenter import Segmenter

_WHOLE = Unsplit()


def segments_of(
    blocks: Sequence[Block],
    segmenter: Segmenter,
    kept: Mapping[str, Sequence[Span]] | None = None,
    step: Step = no_step,
) -> tuple[tuple[Segment, ...], dict[str, str]]:
    """The segments of blocks, and the shape of each block that is split, by its address.

    Args:
        kept: existing sentences, by the addresses of their blocks; these blocks are not split by rules.
    Raises:
        FormatError: too many tags in a text, or too many sentences in all.
    """
    segments: list[Segment] = []
    shapes: dict[str, str] = {}
    counted = 0
    for number, block in enumerate(blocks):
        step(number / len(blocks))
        if block.unit is not None:
            segments.append(block.unit)
            continue
        places = kept.get(block.address) if kept else None
        found = cut(block.pieces, by_rules(segmenter) if places is None else at_places(places))
        counted += max(1, len(found.sentences))
        check_sentences(counted)
        if found.sentences:
            segments += segments_in(block, found)
            shapes[block.address] = shape_of(block.pieces)
    return tuple(segments), shapes


def segments_in(block: Block, found: Cut) -> list[Segment]:
    """The sentences of a block as segments; hidden sentences get a note."""
    hidden = _hidden(found.pieces)
    return [
        _segment(
            block, each, f"{block.address}@{each.span[0]}-{each.span[1]}", each.span, each.start in hidden
        )
        for each in each_of(found.sentences)
    ]


def _segment(block: Block, sentence: Sentence, own_id: str, span: Span | None, is_hidden: bool) -> Segment:
    return Segment(
        own_id,
        sentence.source,
        block=block.address,
        span=span,
        notes=(HIDDEN, *block.notes) if is_hidden and HIDDEN not in block.notes else block.notes,
        tags=sentence.labels() if sentence.tags else (),
    )


def _hidden(pieces: Iterable[Piece]) -> frozenset[int]:
    """The indexes of pieces in pairs of tags that hide them."""
    found: set[int] = set()
    opened: set[int] = set()
    for index, piece in enumerate(pieces):
        kind = piece.kind
        if opened:
            found.add(index)
        if kind is Kind.OPEN and "hidden" in piece.label and "hidden" in piece.label.split(", "):
            opened.add(piece.pair)
        elif kind is Kind.CLOSE:
            opened.discard(piece.pair)
    return frozenset(found)


def units_of(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Blocks with content as units: one segment each, even with several sentences."""
    out: list[Block] = []
    for block in blocks:
        found = cut(block.pieces, as_whole)
        hidden = _hidden(found.pieces)
        for sentence in found.sentences:
            unit = _segment(block, sentence, block.address, None, sentence.start in hidden)
            out.append(Block(block.address, block.pieces, block.notes, unit))
    return tuple(out)


def shape_of(pieces: Iterable[Piece]) -> str:
    """The pieces of a text as JSON without their `raw`, from which the text can be split differently."""
    packed = [
        piece.text
        if piece.kind is Kind.TEXT and not piece.is_whole
        else [piece.kind.value, piece.text, piece.pair, piece.label]
        for piece in each_of(pieces)
    ]
    return json.dumps(packed, ensure_ascii=False, separators=(",", ":"))


def pieces_of_shape(shape: str) -> tuple[Piece, ...]:
    """The inverse of `shape_of`; FormatError if the text is not a shape."""
    try:
        return tuple(map(_unpacked, read_json(shape, MOST_TEXT)))
    except (ValueError, TypeError) as error:
        raise FormatError(
            Message("The saved content of a paragraph cannot be read: {error}.", error=error),
            "Restore a backup of the project.",
        ) from error


def _unpacked(packed: object) -> Piece:
    if isinstance(packed, str):
        return Piece(Kind.TEXT, packed)
    if not isinstance(packed, list):
        raise TypeError("a piece is neither text nor list")
    kind, text, pair, label = packed
    return Piece(Kind(kind), str(text), _WHOLE, int(pair), str(label))
