"""Split texts into sentences, turn sentences into segments, and store the pieces of split texts as JSON."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

from anaphora.core.errors import Message
from anaphora.core.long_work import Step, check_cancelled, each_of, no_step
from anaphora.core.notes import HIDDEN
from anaphora.core.segment import Segment, Span
from anaphora.core.tags import MARK
from anaphora.core.text import is_translatable
from anaphora.core.untrusted import MAX_TEXT_BYTES, read_json
from anaphora.formats.base.format import FormatError, check_sentences, check_tags
from anaphora.formats.base.pieces import (
    Block,
    Cut,
    Kind,
    Piece,
    Sentence,
    Unsplit,
    part_of,
    without_broken_pairs,
)
from anaphora.formats.segmentation.segmenter import Segmenter

Spans = Callable[[str, int], Sequence[Span]]
"""Returns the spans of the sentences in a part of a text. Arguments: the part, and its offset in the text."""
_DEPTH_CHANGES = {Kind.OPEN: 1, Kind.CLOSE: -1}


def spans_by_rules(segmenter: Segmenter) -> Spans:
    return lambda text, _: segmenter.spans(text)


def spans_at_places(places: Sequence[Span]) -> Spans:
    """A `Spans` function for stored, sorted spans; it returns those that lie entirely in the part."""
    starts = [start for start, _ in places]

    def spans(text: str, offset: int) -> list[Span]:
        first, last = bisect_left(starts, offset), bisect_left(starts, offset + len(text))
        inside = ((start - offset, end - offset) for start, end in places[first:last])
        return [span for span in inside if span[1] <= len(text)]

    return spans


def whole_span(text: str, offset: int) -> list[Span]:
    """A `Spans` function: the part is one sentence, without outer white space; a blank part has none."""
    stripped = text.strip()
    lead = len(text) - len(text.lstrip())
    return [(lead, lead + len(stripped))] if stripped else []


def cut(pieces: Sequence[Piece], spans: Spans) -> Cut:
    """Cut a text into sentences.

    A BREAK always ends a sentence. Any other boundary inside a pair of tags counts only if the pair encloses
    whole sentences; such a pair belongs to no sentence. Sentences without translatable text are left out.

    Raises:
        FormatError: there are too many tags or sentences.
    """
    kinds = [piece.kind for piece in pieces]
    check_tags(len(kinds) - kinds.count(Kind.TEXT))
    all_pieces: list[Piece] = []
    ranges: list[tuple[int, int]] = []
    places: list[Span] = []
    offset = 0
    has_pairs = Kind.OPEN in kinds or Kind.CLOSE in kinds
    for run in _between_breaks(pieces) if has_pairs or Kind.BREAK in kinds else [list(pieces)]:
        plain = "".join(piece.text for piece in run if piece.width)
        sentence_spans = list(spans(plain, offset))
        check_sentences(len(places) + len(sentence_spans))
        run_pieces, run_ranges, run_spans = run, [(0, len(run))], sentence_spans
        if sentence_spans != [(0, len(plain))] or has_pairs or not (run[0].width and run[-1].width):
            run_pieces, run_ranges, run_spans = _split_run(run, plain, sentence_spans)
        places += [(start + offset, end + offset) for start, end in run_spans]
        offset += len(plain)
        ranges += [(start + len(all_pieces), end + len(all_pieces)) for start, end in run_ranges]
        all_pieces += run_pieces
    sentences: list[Sentence] = []
    for (start, end), span in zip(ranges, places, strict=True):
        check_cancelled()
        content = [piece for piece in all_pieces[start:end] if piece.kind is not Kind.ANCHOR]
        if has_text(content):
            source, tags = _with_tags(content)
            sentences.append(Sentence(source, start, end, tags, span))
    return Cut(tuple(all_pieces), tuple(sentences))


def has_text(pieces: Iterable[Piece]) -> bool:
    return is_translatable("".join(piece.text for piece in pieces if piece.kind is Kind.TEXT))


def _between_breaks(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Yield runs of pieces that end with a BREAK, and the rest; pairs across a BREAK become standalone."""
    runs: list[list[Piece]] = [[]]
    for piece in pieces:
        runs[-1].append(piece)
        if piece.kind is Kind.BREAK:
            runs.append([])
    for run in runs:
        yield without_broken_pairs(run, crossed=False)


def _split_run(
    run: list[Piece], plain: str, spans: list[Span]
) -> tuple[list[Piece], list[tuple[int, int]], list[Span]]:
    """Split a run at sentence edges; return its pieces, and each sentence's piece range and text span."""
    pairs = _pair_spans(run, plain)
    sentences = _merge_inside_pairs(spans, pairs.values())
    edges = sorted({edge for span in sentences for edge in span})
    starts, ends = [start for start, _ in sentences], [end for _, end in sentences]
    inner = {pair: span for pair, span in pairs.items() if span[0] < span[1] and _cuts(span, starts, ends)}
    pieces: list[Piece] = []
    offsets: list[int] = []
    position = 0
    for piece in each_of(run):
        for part in split_at(piece, position, edges):
            pieces.append(part)
            offsets.append(position)
            position += part.width
    return pieces, *_ranges(pieces, offsets, sentences, inner)


def _pair_spans(run: list[Piece], plain: str) -> dict[int, tuple[int, int]]:
    position = 0
    opened: dict[int, int] = {}
    spans = {}
    for piece in run:
        if piece.kind is Kind.OPEN:
            opened[piece.pair] = position
        elif piece.kind is Kind.CLOSE:
            start = opened[piece.pair]
            inner = plain[start:position]
            lead = len(inner) - len(inner.lstrip())
            spans[piece.pair] = (start + lead, start + max(lead, len(inner.rstrip())))
        position += piece.width
    return spans


def _merge_inside_pairs(
    sentences: list[tuple[int, int]], pairs: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Join all sentences that a pair touches if the pair begins or ends inside a sentence."""
    spans = [pair for pair in pairs if pair[0] < pair[1]]
    while True:
        starts, ends = [start for start, _ in sentences], [end for _, end in sentences]
        joined: set[int] = set()
        joined_end = 0
        for first, last in sorted(
            (bisect_right(ends, a), bisect_left(starts, b) - 1)
            for a, b in spans
            if _cuts((a, b), starts, ends)
        ):
            joined.update(range(max(first, joined_end), last))
            joined_end = max(joined_end, last)
        if not joined:
            return sentences
        merged: list[tuple[int, int]] = []
        for index, (start, end) in enumerate(sentences):
            if index - 1 in joined:
                start = merged.pop()[0]
            merged.append((start, end))
        sentences = merged


def _cuts(span: Span, starts: Sequence[int], ends: Sequence[int]) -> bool:
    """True if a span begins or ends inside a sentence."""
    first, last = bisect_right(starts, span[0]) - 1, bisect_left(starts, span[1]) - 1
    begins = first >= 0 and starts[first] < span[0] < ends[first]
    return begins or (last >= 0 and span[1] < ends[last])


def split_at(piece: Piece, position: int, edges: Sequence[int]) -> list[Piece]:
    """Split a text piece at the sorted `edges` within it; unsplittable and other pieces stay whole."""
    if piece.kind is not Kind.TEXT or piece.is_unsplittable:
        return [piece]
    first, last = bisect_right(edges, position), bisect_left(edges, position + len(piece.text))
    if first >= last:
        return [piece]
    places = [0, *(edge - position for edge in edges[first:last]), len(piece.text)]
    return [part_of(piece, start, end) for start, end in pairwise(places)]


def _ranges(
    pieces: Sequence[Piece],
    offsets: Sequence[int],
    sentences: Sequence[tuple[int, int]],
    pairs: Mapping[int, tuple[int, int]],
) -> tuple[list[tuple[int, int]], list[Span]]:
    """The ranges of the sentences' pieces, and the sentences' spans; `offsets` are the pieces' positions."""
    starts = [start for start, _ in sentences]
    members: list[list[int]] = [[] for _ in sentences]
    for index, (piece, offset) in enumerate(zip(pieces, offsets, strict=True)):
        span = (offset, offset + 1) if piece.width else pairs.get(piece.pair)
        number = bisect_right(starts, span[0]) - 1 if span else -1
        if span and number >= 0 and span[1] <= sentences[number][1]:
            members[number].append(index)
    ranges: list[tuple[int, int]] = []
    spans: list[Span] = []
    for indexes, (start, end) in zip(members, sentences, strict=True):
        if indexes:
            ranges.append((indexes[0], indexes[-1] + 1))
            spans.append((start, end))
        elif spans and offsets[ranges[-1][1] - 1] + pieces[ranges[-1][1] - 1].width > start:
            spans[-1] = (spans[-1][0], end)
    return ranges, spans


def _with_tags(content: Sequence[Piece]) -> tuple[str, dict[str, tuple[Piece, ...]]]:
    texts = [piece.text for piece in content if piece.kind is Kind.TEXT]
    text = "".join(texts)
    if len(texts) == len(content):
        return text, {}
    used = {int(match[2]) for match in MARK.finditer(text)}
    numbers = (number for number in range(1, 10**9) if number not in used)
    source: list[str] = []
    tags: dict[str, tuple[Piece, ...]] = {}
    pair_numbers: dict[int, int] = {}
    half_indexes = {(piece.kind, piece.pair): index for index, piece in enumerate(content) if piece.is_half}
    ends = _ends_of_standalone(content)
    index = 0
    while index < len(content):
        piece = content[index]
        if piece.kind is Kind.TEXT:
            source.append(piece.text)
            index += 1
            continue
        end = ends[index]
        if end > index:
            mark, replaced = f"{{{next(numbers)}/}}", tuple(content[index:end])
        else:
            end = _end_of_twins(content, index, half_indexes)
            replaced = tuple(content[index:end])
            if piece.kind is Kind.OPEN:
                number = next(numbers)
                pair_numbers |= {twin.pair: number for twin in replaced}
                mark = f"{{{number}}}"
            else:
                mark = f"{{/{pair_numbers[piece.pair]}}}"
        tags[mark] = replaced
        source.append(mark)
        index = end
    return "".join(source), tags


def _ends_of_standalone(content: Sequence[Piece]) -> list[int]:
    """For each piece, the end of the longest run of balanced tags that it begins, or else its own index."""
    depths = list(accumulate((_DEPTH_CHANGES.get(piece.kind, 0) for piece in content), initial=0))
    ends: list[int] = []
    last = {depths[-1]: len(content)}
    for index in range(len(content) - 1, -1, -1):
        if content[index].kind is Kind.TEXT:
            last = {}
        elif content[index].kind is Kind.OPEN:
            last.pop(depths[index + 1], None)  # an end inside the pair would leave the pair open
        ends.append(last.setdefault(depths[index], index))
    return ends[::-1]


def _end_of_twins(content: Sequence[Piece], start: int, half_indexes: Mapping[tuple[Kind, int], int]) -> int:
    """The end of the OPENs (or CLOSEs) from `start` that form one tag, because their partners adjoin too."""
    end = start + 1
    kind = content[start].kind
    opposite = Kind.CLOSE if kind is Kind.OPEN else Kind.OPEN
    while (
        end < len(content)
        and content[end].kind is kind
        and half_indexes[(opposite, content[end].pair)] == half_indexes[(opposite, content[end - 1].pair)] - 1
    ):
        end += 1
    return end


_UNSPLIT = Unsplit()


def segments_of(
    blocks: Sequence[Block],
    segmenter: Segmenter,
    existing: Mapping[str, Sequence[Span]] | None = None,
    step: Step = no_step,
) -> tuple[tuple[Segment, ...], dict[str, str]]:
    """The segments of blocks, and, by address, the shape (`shape_of`) of each split block with a sentence.

    Args:
        existing: by block address, spans of sentences from an earlier reading; rules split the other blocks.
        step: receives the progress.
    Raises:
        FormatError: there are too many tags in a text, or too many sentences in all.
        SegmentationError: the sentence rules take too long.
    """
    segments: list[Segment] = []
    shapes: dict[str, str] = {}
    count = 0
    for number, block in enumerate(blocks):
        step(number / len(blocks))
        if block.unit is not None:
            segments.append(block.unit)
            continue
        places = existing.get(block.address) if existing else None
        text = cut(block.pieces, spans_by_rules(segmenter) if places is None else spans_at_places(places))
        count += max(1, len(text.sentences))
        check_sentences(count)
        if text.sentences:
            segments += segments_in(block, text)
            shapes[block.address] = shape_of(block.pieces)
    return tuple(segments), shapes


def segments_in(block: Block, text: Cut) -> list[Segment]:
    """The sentences of a block as segments; a sentence marked as hidden gets a note."""
    hidden = _hidden(text.pieces)
    return [
        _segment(
            block, each, f"{block.address}@{each.span[0]}-{each.span[1]}", each.span, each.start in hidden
        )
        for each in each_of(text.sentences)
    ]


def _segment(block: Block, sentence: Sentence, identity: str, span: Span | None, is_hidden: bool) -> Segment:
    return Segment(
        identity,
        sentence.source,
        block=block.address,
        span=span,
        notes=(HIDDEN, *block.notes) if is_hidden and HIDDEN not in block.notes else block.notes,
        tags=sentence.labels() if sentence.tags else (),
    )


def _hidden(pieces: Iterable[Piece]) -> frozenset[int]:
    hidden: set[int] = set()
    opened: set[int] = set()
    for index, piece in enumerate(pieces):
        kind = piece.kind
        if opened:
            hidden.add(index)
        if kind is Kind.OPEN and "hidden" in piece.label and "hidden" in piece.label.split(", "):
            opened.add(piece.pair)
        elif kind is Kind.CLOSE:
            opened.discard(piece.pair)
    return frozenset(hidden)


def units_of(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Turn blocks with text into units, and leave out other blocks; a unit is always one segment."""
    out: list[Block] = []
    for block in blocks:
        text = cut(block.pieces, whole_span)
        hidden = _hidden(text.pieces)
        for sentence in text.sentences:
            unit = _segment(block, sentence, block.address, None, sentence.start in hidden)
            out.append(Block(block.address, block.pieces, block.notes, unit))
    return tuple(out)


def shape_of(pieces: Iterable[Piece]) -> str:
    """A text's pieces as JSON, without their originals (`raw`), so that the text can be split again later."""
    packed = [
        piece.text
        if piece.kind is Kind.TEXT and not piece.is_unsplittable
        else [piece.kind.value, piece.text, piece.pair, piece.label]
        for piece in each_of(pieces)
    ]
    return json.dumps(packed, ensure_ascii=False, separators=(",", ":"))


def pieces_of_shape(shape: str) -> tuple[Piece, ...]:
    """The pieces that `shape_of` stored, without their originals; FormatError if the JSON is not a shape."""
    try:
        return tuple(map(_unpacked, read_json(shape, MAX_TEXT_BYTES)))
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
    return Piece(Kind(kind), str(text), _UNSPLIT, int(pair), str(label))
