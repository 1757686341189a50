"""Plans of merges and splits: the segments that the file then gives, and what happens to their translations.

A merge or a split is one more offset in the document's segmentation overrides; the format then parses the
whole stored file again. So the export agrees by construction, and a wish that the format cannot fulfil (a
sentence that ends inside a link) is found before anything changes. `plan_*` run off the window's thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from anaphora.core.edits import Resegmentation
from anaphora.core.errors import AnaphoraError
from anaphora.core.ids import project_id
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.tags import MARK
from anaphora.formats.base.splicing import wants_space
from anaphora.formats.registry import parse
from anaphora.formats.segmentation.segmenter import BlockOverrides, SegmentationOverrides, make_segmenter


class ResegmentationError(AnaphoraError):
    """Segments cannot be merged or split as wanted; nothing was changed."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A document of the project, to be segmented again.

    Attributes:
        id: of the document in the project; "" for a document without one.
        format: name of its format.
        rules: the sentence rules that it was segmented with.
        overrides: its segmentation overrides as they are now.
        encoding: what it was read in; "" for packages.
        load: gives the original's bytes; called off the window's thread.
    """

    id: str
    format: str
    rules: str
    overrides: str
    encoding: str
    load: Callable[[], bytes]

    def in_session(self, segment: Segment) -> Segment:
        """A segment of the file as the project knows it."""
        return replace(segment, id=project_id(self.id, segment.id), document=self.id)


@dataclass(frozen=True, slots=True)
class ResegmentationPlan:
    """Segments as the file gives them, before and after; without the work on them.

    Attributes:
        document: id of the document.
        before: from the first to the last segment that changes: later ones of the block get other ids.
        after: what stands in their place.
        overrides: the document's overrides afterwards.
        overrides_before: the same, before.
        rules: the document's sentence rules.
    """

    document: str
    before: tuple[Segment, ...]
    after: tuple[Segment, ...]
    overrides: str
    overrides_before: str
    rules: str

    def unchanged(self) -> dict[str, str]:
        """For each new segment that is an old one with another id: that one's id."""
        old = {(_span(segment), segment.source): segment.id for segment in self.before}
        found = ((segment.id, old.get((_span(segment), segment.source))) for segment in self.after)
        return {new: identifier for new, identifier in found if identifier is not None}

    def resegmentation(self, current: Sequence[Segment]) -> Resegmentation:
        """The change of the document.

        Args:
            current: the segments of `before` as they stand now, with the work on them.
        """
        states = {segment.id: segment.state for segment in current}
        unchanged = self.unchanged()
        after: list[Segment] = []
        split: dict[str, list[SegmentState]] = {}
        for segment in self.after:
            origins = [old for old in self.before if _overlap(old, segment)]
            if segment.id in unchanged:
                state = states[unchanged[segment.id]]
            elif len(origins) == 1:
                origin = origins[0]
                if origin.id not in split:
                    parts = [part for part in self.after if _overlap(origin, part)]
                    split[origin.id] = split_states(origin, parts, states[origin.id], self.rules)
                state = split[origin.id].pop(0)
            else:
                state = merge_states(origins, [states[old.id] for old in origins], segment)
            after.append(segment.with_state(state))
        return Resegmentation(
            self.document, tuple(current), tuple(after), self.overrides, self.overrides_before
        )


def plan_merge(file: StoredFile, first: str, second: str) -> ResegmentationPlan:
    """Merge a segment with the next one.

    Args:
        first, second: their ids in the session.
    Raises:
        ResegmentationError: they are fixed, of different blocks, or separated by a line break or markup.
        FormatError, ProjectError: the original cannot be read.
    """
    data = file.load()
    segments = _segments(file, data, file.overrides)
    left, right = _find(segments, first), _find(segments, second)
    if left.block != right.block:
        raise ResegmentationError(
            "These segments stand in different paragraphs.",
            "Only neighbours can be joined.",
        )
    start, end = _span(left)[1], _span(right)[0]
    block = _overrides_of(file, left)
    overrides = BlockOverrides(
        frozenset(place for place in block.splits if not start <= place <= end),
        block.joins | set(range(start, end + 1)),
    )
    new, after = _segment_again(file, data, left, overrides)
    whole = [segment for segment in after if _overlap(left, segment) and _overlap(right, segment)]
    if not whole:
        raise ResegmentationError(
            "A line break stands between these segments, so they cannot be joined.",
            "Translate them one by one.",
        )
    return _plan(file, segments, after, new, left.block)


def plan_split(file: StoredFile, segment_id: str, offset: int) -> ResegmentationPlan:
    """Split a segment.

    Args:
        segment_id: its id in the session.
        offset: in its source, where the second part begins.
    Raises:
        ResegmentationError: it is fixed, one part would be empty, or markup holds the place together.
        FormatError, ProjectError: the original cannot be read.
    """
    data = file.load()
    segments = _segments(file, data, file.overrides)
    whole = _find(segments, segment_id)
    left, right = whole.source[:offset].rstrip(), whole.source[offset:]
    skipped = len(right) - len(right.lstrip())
    start = _plain_offset(whole, len(left))
    place = _plain_offset(whole, offset + skipped)
    block = _overrides_of(file, whole)
    overrides = BlockOverrides(
        block.splits | {place}, frozenset(join for join in block.joins if not start <= join <= place)
    )
    if not (_has_letters(left) and _has_letters(right)):
        raise ResegmentationError(
            "On one side of this place there is nothing to translate.",
            "Choose a place between words.",
        )
    new, after = _segment_again(file, data, whole, overrides)
    if sum(_overlap(whole, segment) for segment in after) < 2:
        raise ResegmentationError(
            "The segment cannot be split inside formatting, such as bold text or a link.",
            "Choose a place before or after it.",
        )
    return _plan(file, segments, after, new, whole.block)


def merge_states(origins: Sequence[Segment], states: Sequence[SegmentState], whole: Segment) -> SegmentState:
    """The state of merged segments: both targets, a space between them where one is needed.

    A person's text counts as edited; machine drafts stay a draft if all parts have one, else the whole is
    not started, so that the engine drafts it.
    """
    human = any(state.status in (Status.EDITED, Status.CONFIRMED) for state in states)
    if not human and any(state.status is not Status.DRAFT for state in states):
        return SegmentState()
    names = _renamed([_marks(origin) for origin in origins], [_marks(whole)])
    target = ""
    for number, state in enumerate(states):
        part = _rename(state.target.strip(), names.get((number, 0), {}))
        plain = MARK.sub("", target), MARK.sub("", part)
        space = all(plain) and wants_space(plain[0][-1], plain[1][0])
        target += (" " if space else "") + part
    return SegmentState(target, Status.EDITED if human else Status.DRAFT)


def split_states(
    whole: Segment, parts: Sequence[Segment], state: SegmentState, rules: str
) -> list[SegmentState]:
    """The states of the parts: the target is split with the source where their sentences match, else all
    of it goes to the first part."""
    if not state.target.strip():
        return [SegmentState() for _ in parts]
    status = Status.EDITED if state.status is Status.CONFIRMED else state.status
    names = _renamed([_marks(whole)], [_marks(part) for part in parts])
    pieces = _cut_target(state.target, parts, rules)
    if pieces is not None:
        targets = [_rename(piece, names.get((0, number), {})) for number, piece in enumerate(pieces)]
        if all(_same_marks(target, part) for target, part in zip(targets, parts, strict=True)):
            return [SegmentState(target, status) for target in targets]
    first = _rename(state.target, names.get((0, 0), {}))
    return [SegmentState(first, status), *(SegmentState() for _ in parts[1:])]


def _segments(file: StoredFile, data: bytes, overrides: str) -> tuple[Segment, ...]:
    found = parse(data, file.format, make_segmenter(file.rules, overrides, file.encoding)).segments
    return tuple(file.in_session(segment) for segment in found)


def _find(segments: Sequence[Segment], segment_id: str) -> Segment:
    found = next((segment for segment in segments if segment.id == segment_id), None)
    if found is None:
        raise ResegmentationError(
            "The document's file gives other segments than the project holds.",
            "The project was made by another version of Anaphora: its segments stay as they are.",
        )
    if not found.block or found.place is None:
        raise ResegmentationError(
            "The segments of this kind of file are fixed.",
            "They can only be translated.",
        )
    return found


def _overrides_of(file: StoredFile, segment: Segment) -> BlockOverrides:
    return SegmentationOverrides.from_json(file.overrides).blocks.get(int(segment.block), BlockOverrides())


def _segment_again(
    file: StoredFile, data: bytes, segment: Segment, block: BlockOverrides
) -> tuple[str, tuple[Segment, ...]]:
    """The overrides with another entry for a segment's block, and all segments that they give."""
    overrides = (
        SegmentationOverrides.from_json(file.overrides).with_block(int(segment.block), block).to_json()
    )
    return overrides, _segments(file, data, overrides)


def _plan(
    file: StoredFile, old: Sequence[Segment], new: Sequence[Segment], overrides: str, block: str
) -> ResegmentationPlan:
    """The difference between two segmentations, without the equal segments at both ends."""
    if [s.id for s in old if s.block != block] != [s.id for s in new if s.block != block]:
        raise ResegmentationError(
            "Other paragraphs would change, too.",
            "Leave these segments as they are.",
        )
    before = [segment for segment in old if segment.block == block]
    after = [segment for segment in new if segment.block == block]
    while before and after and before[0] == after[0] and _span(before[0]) == _span(after[0]):
        del before[0], after[0]
    while before and after and before[-1] == after[-1] and _span(before[-1]) == _span(after[-1]):
        del before[-1], after[-1]
    if not before or not after:
        raise ResegmentationError("Nothing would change.")
    return ResegmentationPlan(file.id, tuple(before), tuple(after), overrides, file.overrides, file.rules)


def _span(segment: Segment) -> tuple[int, int]:
    """Where a segment of a file that was just read stands in its block; formats without places have none."""
    place = segment.place
    return (place.start, place.end) if place is not None else (0, 0)


def _overlap(one: Segment, other: Segment) -> bool:
    (a, b), (c, d) = _span(one), _span(other)
    return one.block == other.block and max(a, c) < min(b, d)


def _plain_offset(segment: Segment, offset: int) -> int:
    """Where an offset of the source lies in the text of its block."""
    widths = dict(segment.place.widths) if segment.place is not None else {}
    place, done = _span(segment)[0], 0
    for match in MARK.finditer(segment.source):
        if match.group() not in widths:
            continue
        if match.end() > offset:
            return place + max(min(match.start(), offset) - done, 0)
        place += match.start() - done + widths[match.group()]
        done = match.end()
    return place + offset - done


def _has_letters(text: str) -> bool:
    return any(char.isalpha() for char in MARK.sub("", text))


def _marks(segment: Segment) -> list[str]:
    """The placeholders of a source, in order; what only looks like one is left out."""
    own = dict(segment.place.widths) if segment.place is not None else {}
    return [match.group() for match in MARK.finditer(segment.source) if match.group() in own]


def _kind(mark: str) -> str:
    return (mark[1] == "/" and "close") or (mark[-2] == "/" and "alone") or "open"


def _renamed(
    old: Sequence[Sequence[str]], new: Sequence[Sequence[str]]
) -> dict[tuple[int, int], dict[str, str]]:
    """The new names of placeholders, by (old segment, new segment): they stand in the same order in both.

    Empty where the markup has become another one, for instance because two tags are one now.
    """
    before = [(number, mark) for number, marks in enumerate(old) for mark in marks]
    after = [(number, mark) for number, marks in enumerate(new) for mark in marks]
    if [_kind(mark) for _, mark in before] != [_kind(mark) for _, mark in after]:
        return {}
    names: dict[tuple[int, int], dict[str, str]] = {}
    for (source, mark), (goal, name) in zip(before, after, strict=True):
        names.setdefault((source, goal), {})[mark] = name
    return names


def _rename(text: str, names: dict[str, str]) -> str:
    """A target with its placeholders renamed; those without a new name are left out."""
    return MARK.sub(lambda match: names.get(match.group(), ""), text)


def _same_marks(target: str, part: Segment) -> bool:
    return sorted(match.group() for match in MARK.finditer(target)) == sorted(_marks(part))


def _cut_target(target: str, parts: Sequence[Segment], rules: str) -> list[str] | None:
    """A target in as many pieces as there are parts, if it has as many sentences as they; None if not."""
    segmenter = make_segmenter(rules, "")
    counts = [len(segmenter.spans(MARK.sub("", part.source), 0, 0)) for part in parts]
    plain = MARK.sub("", target)
    sentences = segmenter.spans(plain, 0, 0)
    if sum(counts) != len(sentences):
        return None
    pieces = []
    begin = done = 0
    for count in counts[:-1]:
        done += count
        end = _with_closing_marks(target, sentences[done - 1][1])
        pieces.append(target[begin:end].strip())
        begin = end
    return [*pieces, target[begin:].strip()]


def _with_closing_marks(target: str, plain: int) -> int:
    """The offset in a target of one in its text without placeholders; what closes there is before it."""
    shift = 0
    for match in MARK.finditer(target):
        at = match.start() - shift
        if at > plain or (at == plain and not match[1]):
            break
        shift += len(match.group())
    return plain + shift
