"""Plans of joins and splits: the new segments of a block, and their translations.

The block's text comes from the project, not from the file, and is cut into sentences at new places. Where it
cannot be cut, for example inside a link, the plan fails, and nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from anaphora.core.edits import Resegmentation
from anaphora.core.errors import AnaphoraError
from anaphora.core.segment import Segment, SegmentState, Span, Status, id_in_project
from anaphora.core.tags import MARK
from anaphora.formats.base.pieces import Block, Piece, Sentence
from anaphora.formats.base.segments import cut, segments_in, spans_at_places
from anaphora.formats.base.splicing import wants_space
from anaphora.formats.segmentation.segmenter import Segmenter


class ResegmentationError(AnaphoraError):
    """Segments cannot be joined or split as wanted; nothing was changed."""


@dataclass(frozen=True, slots=True)
class BlockText:
    """The text of a block and its segments in order; `segmenter` divides the target of a split segment."""

    pieces: tuple[Piece, ...]
    segments: tuple[Segment, ...]
    segmenter: Segmenter

    def row(self, segment_id: str) -> int:
        return next(row for row, segment in enumerate(self.segments) if segment.id == segment_id)


@dataclass(frozen=True, slots=True)
class ResegmentationPlan:
    """The segments of a block that a join or split replaces, and the new ones; their states are ignored."""

    before: tuple[Segment, ...]
    after: tuple[Segment, ...]
    segmenter: Segmenter

    @property
    def document(self) -> str:
        return self.before[0].document

    def resegmentation(self, current: Sequence[Segment]) -> Resegmentation:
        """The change to the document; `current` has the segments of `before` with their current states."""
        states = {segment.id: segment.state for segment in current}
        after: list[Segment] = []
        split: dict[str, list[SegmentState]] = {}
        for segment in self.after:
            origins = [old for old in self.before if _overlap(old, segment)]
            if segment.id in states:
                state = states[segment.id]
            elif len(origins) == 1:
                origin = origins[0]
                if origin.id not in split:
                    parts = [part for part in self.after if _overlap(origin, part)]
                    split[origin.id] = split_states(origin, parts, states[origin.id], self.segmenter)
                state = split[origin.id].pop(0)
            else:
                state = merge_states(origins, [states[old.id] for old in origins], segment)
            after.append(segment.with_state(state))
        return Resegmentation(self.document, tuple(current), tuple(after))


def plan_merge(block: BlockText, first: str) -> ResegmentationPlan:
    """Plan to join a segment to the next one; raises ResegmentationError at a line break or markup."""
    row = block.row(first)
    spans = [sentence.span for sentence in _sentences(block)]
    joined = spans[row][0], spans[row + 1][1]
    after = _segments(block, [*spans[:row], joined, *spans[row + 2 :]])
    if not any(_contains(segment, joined) for segment in after):
        raise ResegmentationError(
            "There is a line break between these segments, so they cannot be joined.",
            "Translate them one by one.",
        )
    return _plan(block, after)


def plan_split(block: BlockText, segment_id: str, offset: int) -> ResegmentationPlan:
    """Plan to split a segment of a block.

    Args:
        offset: the start of the second part in the source.
    Raises:
        ResegmentationError: one part would contain no letters, or the offset is inside markup.
    """
    row = block.row(segment_id)
    source = block.segments[row].source
    left, right = source[:offset].rstrip(), source[offset:].lstrip()
    if not (_has_letters(left) and _has_letters(right)):
        raise ResegmentationError(
            "One part would contain nothing to translate.",
            "Choose a place between words.",
        )
    sentences = _sentences(block)
    spans, sentence = [each.span for each in sentences], sentences[row]
    parts = (
        (sentence.span[0], _plain_offset(sentence, len(left))),
        (_plain_offset(sentence, len(source) - len(right)), sentence.span[1]),
    )
    after = _segments(block, [*spans[:row], *parts, *spans[row + 1 :]])
    if any(_contains(segment, sentence.span) for segment in after):
        raise ResegmentationError(
            "The segment cannot be split inside formatting, such as bold text or a link.",
            "Choose a place before or after the formatting.",
        )
    return _plan(block, after)


def merge_states(origins: Sequence[Segment], states: Sequence[SegmentState], whole: Segment) -> SegmentState:
    """The state of a merged segment: the targets in order, with spaces between them where needed.

    If any of the old segments is edited or confirmed, the new one is edited. If all are drafts, the new one
    is a draft. Otherwise it has no target and is not started, so that the engine drafts it.
    """
    is_human = any(state.status in (Status.EDITED, Status.CONFIRMED) for state in states)
    if not is_human and any(state.status is not Status.DRAFT for state in states):
        return SegmentState()
    names = _new_names([_marks(origin) for origin in origins], [_marks(whole)])
    target = ""
    for number, state in enumerate(states):
        part = _rename(state.target.strip(), names.get((number, 0), {}))
        plain = MARK.sub("", target), MARK.sub("", part)
        needs_space = all(plain) and wants_space(plain[0][-1], plain[1][0])
        target += (" " if needs_space else "") + part
    return SegmentState(target, Status.EDITED if is_human else Status.DRAFT)


def split_states(
    whole: Segment, parts: Sequence[Segment], state: SegmentState, segmenter: Segmenter
) -> list[SegmentState]:
    """The states of the parts of a split segment.

    The target is split like the source if both have the same number of sentences, and if each part of the
    target then has the tags of its source. Otherwise a machine draft is dropped, so that the engine drafts
    each part; if the draft is a copy of the source, each part gets such a copy. Any other text goes to the
    first part. A confirmed segment becomes edited.
    """
    if not state.target.strip():
        return [SegmentState() for _ in parts]
    status = Status.EDITED if state.status is Status.CONFIRMED else state.status
    names = _new_names([_marks(whole)], [_marks(part) for part in parts])
    pieces = _cut_target(state.target, parts, segmenter)
    if pieces is not None:
        targets = [_rename(piece, names.get((0, number), {})) for number, piece in enumerate(pieces)]
        if all(_has_same_marks(target, part) for target, part in zip(targets, parts, strict=True)):
            return [SegmentState(target, status) for target in targets]
    if state.status is Status.DRAFT and state.target != whole.file_target:
        is_copy = state.target == whole.source
        return [SegmentState(part.source, state.status) if is_copy else SegmentState() for part in parts]
    first = _rename(state.target, names.get((0, 0), {}))
    return [SegmentState(first, status), *(SegmentState() for _ in parts[1:])]


def _sentences(block: BlockText) -> tuple[Sentence, ...]:
    spans = [segment.span for segment in block.segments if segment.span is not None]
    sentences = cut(block.pieces, spans_at_places(spans)).sentences
    if [each.source for each in sentences] != [segment.source for segment in block.segments]:
        raise ResegmentationError(
            "The segments in the document differ from those in the project.",
            "The project was made with another version of Anaphora. Its segments were not changed.",
        )
    return sentences


def _segments(block: BlockText, spans: Sequence[Span]) -> list[Segment]:
    first = block.segments[0]
    # The shortest notes are the block's own, because a segment with hidden text has an additional note.
    notes = min((segment.notes for segment in block.segments), key=len)
    text = Block(first.block, block.pieces, notes)
    known = {(segment.span, segment.source): segment for segment in block.segments}
    return [
        known.get((new.span, new.source))
        or replace(new, id=id_in_project(first.document, new.id), document=first.document)
        for new in segments_in(text, cut(block.pieces, spans_at_places(spans)))
    ]


def _plan(block: BlockText, segments: Sequence[Segment]) -> ResegmentationPlan:
    before, after = list(block.segments), list(segments)
    while before and after and before[0] is after[0]:
        del before[0], after[0]
    while before and after and before[-1] is after[-1]:
        del before[-1], after[-1]
    if not before or not after:
        raise ResegmentationError("Nothing would change.")
    return ResegmentationPlan(tuple(before), tuple(after), block.segmenter)


def _contains(segment: Segment, span: Span) -> bool:
    return segment.span is not None and segment.span[0] <= span[0] and span[1] <= segment.span[1]


def _overlap(first: Segment, second: Segment) -> bool:
    (a, b), (c, d) = first.span or (0, 0), second.span or (0, 0)
    return max(a, c) < min(b, d)


def _plain_offset(sentence: Sentence, offset: int) -> int:
    """Convert an offset in a sentence's source to an offset in the text of the block."""
    widths = sentence.widths()
    block_offset, source_offset = sentence.span[0], 0
    for match in MARK.finditer(sentence.source):
        if match.group() not in widths:
            continue
        if match.end() > offset:
            return block_offset + max(min(match.start(), offset) - source_offset, 0)
        block_offset += match.start() - source_offset + widths[match.group()]
        source_offset = match.end()
    return block_offset + offset - source_offset


def _has_letters(text: str) -> bool:
    return any(char.isalpha() for char in MARK.sub("", text))


def _marks(segment: Segment) -> list[str]:
    marks = {mark for mark, _ in segment.tags}
    marks |= {"{/" + mark[1:] for mark in marks}
    return [match.group() for match in MARK.finditer(segment.source) if match.group() in marks]


def _kind(mark: str) -> str:
    return (mark[1] == "/" and "close") or (mark[-2] == "/" and "alone") or "open"


def _new_names(
    old: Sequence[Sequence[str]], new: Sequence[Sequence[str]]
) -> dict[tuple[int, int], dict[str, str]]:
    """New tags by old tag for each pair (old segment, new segment); empty if the kinds of tags changed."""
    before = [(number, mark) for number, marks in enumerate(old) for mark in marks]
    after = [(number, mark) for number, marks in enumerate(new) for mark in marks]
    if [_kind(mark) for _, mark in before] != [_kind(mark) for _, mark in after]:
        return {}
    names: dict[tuple[int, int], dict[str, str]] = {}
    for (old_number, mark), (new_number, name) in zip(before, after, strict=True):
        names.setdefault((old_number, new_number), {})[mark] = name
    return names


def _rename(text: str, names: dict[str, str]) -> str:
    return MARK.sub(lambda match: names.get(match.group(), ""), text)


def _has_same_marks(target: str, part: Segment) -> bool:
    return sorted(match.group() for match in MARK.finditer(target)) == sorted(_marks(part))


def _cut_target(target: str, parts: Sequence[Segment], segmenter: Segmenter) -> list[str] | None:
    counts = [len(segmenter.spans(MARK.sub("", part.source))) for part in parts]
    plain = MARK.sub("", target)
    sentences = segmenter.spans(plain)
    if sum(counts) != len(sentences):
        return None
    pieces = []
    start = sentence_count = 0
    for count in counts[:-1]:
        sentence_count += count
        end = _with_closing_marks(target, sentences[sentence_count - 1][1])
        pieces.append(target[start:end].strip())
        start = end
    return [*pieces, target[start:].strip()]


def _with_closing_marks(target: str, plain: int) -> int:
    shift = 0
    for match in MARK.finditer(target):
        offset = match.start() - shift
        if offset > plain or (offset == plain and not match[1]):
            break
        shift += len(match.group())
    return plain + shift
