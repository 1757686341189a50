"""Units: the texts of bilingual files with their targets; each unit is one segment.

Unlike a paragraph (`segments.cut`), a unit is never split. Each piece of markup becomes a separate tag,
so that markup in the target can be matched with markup in the source.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from anaphora.core.drafts import EMPTY
from anaphora.core.long_work import check_cancelled
from anaphora.core.notes import Note
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.tags import MARK
from anaphora.core.text import is_translatable
from anaphora.formats.base.format import check_tags
from anaphora.formats.base.marked_text import split_markup, with_positions
from anaphora.formats.base.pieces import Block, Kind, Piece, Sentence, without_broken_pairs
from anaphora.formats.base.splicing import check_places, target_pieces
from anaphora.formats.base.target_language import clean_target

_SPACE = re.compile(r"[ \t\r\n]+")
"""White space in XML, which does not include no-break and wide spaces."""
Key = Callable[[Piece], Hashable]
"""Returns equal keys for pieces with the same markup in source and target."""


class Unit(NamedTuple):
    """A text that is one segment.

    Attributes:
        address: the unit's number or key in its file.
        sentence: the source with tags, and the pieces that the tags replace.
        lead, trail: white space around the text, which the translator does not see.
        target: the target in the file, without outer white space.
        missing: the source's tags that the file's target lacks; empty without a target.
    """

    address: str
    sentence: Sentence
    lead: str
    trail: str
    target: str
    missing: frozenset[str]

    def block(self, state: SegmentState, notes: Iterable[Note] = ()) -> Block:
        source, tags, all_notes = self.sentence.source, self.sentence.tags, tuple(notes)
        visible = (mark for mark in dict.fromkeys(marks_in(source)) if mark in tags) if tags else ()
        segment = Segment(
            self.address,
            source,
            state,
            block=self.address,
            notes=all_notes,
            tags=tuple((mark, tags[mark][0].label) for mark in visible if not mark.startswith("{/")),
            file_target=state.target,
        )
        return Block(self.address, (), all_notes, segment)

    def fill(self, target: str, keep_standalone: bool = True) -> list[Piece]:
        """The pieces of a new target, with the outer white space of the source; empty for an empty target.

        Args:
            keep_standalone: True to append missing standalone tags, unless the file's target also lacks them.
        """
        if not target.strip():
            return []
        droppable = set(self.missing) if keep_standalone else set(self.sentence.tags)
        dropped = droppable - set(marks_in(target))
        tags = {mark: pieces for mark, pieces in self.sentence.tags.items() if mark not in dropped}
        source_marks = set(marks_in(self.sentence.source))
        # Tags that only the file's target has are left out unless the new target has them.
        tags = {mark: pieces for mark, pieces in tags.items() if mark in source_marks or mark in target}
        pieces = target_pieces(self.sentence._replace(tags=tags), target.strip())
        return [Piece(Kind.TEXT, self.lead), *pieces, Piece(Kind.TEXT, self.trail)]


@dataclass(frozen=True, slots=True)
class UnitSlot:
    """A unit with its state and notes; formats add the unit's position in the file."""

    unit: Unit
    status: Status
    notes: tuple[Note, ...]
    approved: bool = field(default=False, kw_only=True)

    @property
    def state(self) -> SegmentState:
        """The state in the file; many programs fill targets that need translation with the source."""
        if self.status is Status.DRAFT and self.unit.target == self.unit.sentence.source:
            return SegmentState()
        return SegmentState(self.unit.target, self.status, approved=self.approved)

    @property
    def block(self) -> Block:
        return self.unit.block(self.state, self.notes)

    def state_in(self, changed: Mapping[str, SegmentState]) -> SegmentState:
        return changed.get(self.unit.address, self.state)


def make_unit(
    address: str,
    source: Sequence[Piece],
    target: Sequence[Piece] = (),
    key: Key = lambda piece: piece.raw,
    squeeze: bool = False,
) -> Unit:
    """A unit from the pieces of its source and its target; FormatError for too many tags.

    Args:
        source, target: TEXT, OPEN, CLOSE and ALONE pieces; in a source, crossing pairs become standalone.
        squeeze: True to show each run of white space inside the texts as one space.
    """
    check_cancelled()
    if any([piece.kind is not Kind.TEXT for piece in (*source, *target)]):
        check_tags(max(sum(piece.kind is not Kind.TEXT for piece in each) for each in (source, target)))
        source = without_broken_pairs(source, crossed=True)
        target = without_broken_pairs(target, crossed=False)
    plain = "".join(piece.text for piece in source if piece.kind is Kind.TEXT)
    marks = _Marks({match[2] for match in MARK.finditer(plain)}, key)
    text = "".join(piece.text if piece.kind is Kind.TEXT else marks.add(piece) for piece in source)
    source_marks = frozenset(marks.tags)
    old = "".join(piece.text if piece.kind is Kind.TEXT else marks.match(piece) for piece in target).strip()
    missing = source_marks.difference(marks_in(old)) if old else frozenset()
    lead, trail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    shown = text.strip()
    if squeeze:
        shown, old = _SPACE.sub(" ", shown), _SPACE.sub(" ", old)
    return Unit(address, Sentence(shown, 0, 0, marks.tags), lead, trail if shown else "", old, missing)


def unit_from_texts(
    address: str, source: str, target: str, pattern: re.Pattern[str], has_positions: bool = True
) -> Unit:
    """A unit from texts with placeholders and markup; the target's markup must occur in the source.

    Args:
        has_positions: True if printf arguments may have numbers, such as "%2$d".
    """
    pieces = split_markup(source, pattern)
    old = split_markup(target, pattern, {piece.raw for piece in pieces if piece.kind is not Kind.TEXT})
    if has_positions:
        pieces, old = with_positions(pieces), with_positions(old)
    return make_unit(address, pieces, old, lambda piece: piece.label.replace("%1$", "%"))


def marks_in(text: str) -> list[str]:
    return [match.group() for match in MARK.finditer(text)]


def has_letters(source: str) -> bool:
    """True if a source has translatable text besides its tags."""
    return is_translatable(MARK.sub("", source) if "{" in source else source)


def changes(blocks: Iterable[Block], units: Iterable[Segment]) -> dict[str, SegmentState]:
    """The states that differ from those in the file, by address; locked units never change.

    Raises:
        UnknownSegmentsError: a unit is not in the file, or has another source.
    """
    known = {block.address: block.unit for block in blocks if block.unit is not None}
    changed = {}
    missing_count = 0
    for unit in units:
        segment, target = known.get(unit.block), unit.target.strip()  # outer white space comes from the file
        if segment is None or segment.source != unit.source:
            missing_count += 1
            continue
        if target not in (segment.target, EMPTY):
            target = clean_target(target, unit.source)
        state = replace(unit.state, target=target)
        if state != segment.state and segment.status is not Status.LOCKED:
            changed[unit.block] = state
    check_places(missing_count)
    return changed


class _Marks:
    """Assigns tags to pieces of markup; `used` are the numbers of tags that occur in the source as text."""

    def __init__(self, used: set[str], key: Key) -> None:
        self._key = key
        self.tags: dict[str, tuple[Piece, ...]] = {}
        self._numbers = (n for n in range(1, 10**9) if str(n) not in used)
        self._pairs: dict[int, int] = {}
        self._unmatched: dict[tuple[Kind, Hashable], deque[str]] = {}
        self._opened_marks: dict[int, str] = {}

    def add(self, piece: Piece) -> str:
        mark = self._new_mark(piece)
        self.tags[mark] = (piece,)
        self._unmatched.setdefault((piece.kind, self._key(piece)), deque()).append(mark)
        return mark

    def match(self, piece: Piece) -> str:
        """The tag of an unmatched source piece with the same key as a target piece, or else a new tag."""
        mark = self._partner(piece) or self._pop_mark(piece.kind, piece) or self._pop_mark(Kind.ALONE, piece)
        if mark is None:
            mark = self._new_mark(piece._replace(pair=-1 - piece.pair))
            self.tags[mark] = (piece,)
        elif piece.kind is Kind.OPEN and not mark.endswith("/}"):
            self._opened_marks[piece.pair] = mark
        return mark

    def _pop_mark(self, kind: Kind, piece: Piece) -> str | None:
        marks = self._unmatched.get((kind, self._key(piece)))
        return marks.popleft() if marks else None

    def _partner(self, piece: Piece) -> str | None:
        first = self._opened_marks.get(piece.pair) if piece.kind is Kind.CLOSE else None
        return "{/" + first[1:] if first else None

    def _new_mark(self, piece: Piece) -> str:
        if piece.kind is Kind.ALONE:
            return f"{{{next(self._numbers)}/}}"
        if piece.pair not in self._pairs:
            self._pairs[piece.pair] = next(self._numbers)
        number = self._pairs[piece.pair]
        return f"{{{number}}}" if piece.kind is Kind.OPEN else f"{{/{number}}}"
