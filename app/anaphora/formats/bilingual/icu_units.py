"""Units that are ICU messages, as one unit for each branch: {count, plural, one {# file} other {# files}}.

The text around an argument with branches is a unit in which the argument stands as a tag; each branch is a
unit of its own, and so are those within it. Branches are those of the file's own target, which knows the
forms of its language, else the source's. A format never sees them: its unit is put together again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.tags import MARK, marks_of
from anaphora.formats.base.pieces import Block
from anaphora.formats.base.splicing import spliced
from anaphora.formats.bilingual.units import has_letters
from anaphora_text.icu import Choice, choices_in

_DEPTH = 4
_MOST = 100_000
"""Characters of all the texts of a message; one with more is one unit: its target has too many branches."""
_CODE = re.compile(r"#|\{\w{1,64}\}")
_FRAME_LABEL = re.compile(r"\{[\w.]{1,64}, …\}")


@dataclass(frozen=True, slots=True)
class _Frame:
    """What stands behind the tag of an argument: the texts between which its branches stand."""

    code: tuple[str, ...]
    branches: tuple[_Node, ...]


@dataclass(frozen=True, slots=True)
class _Node:
    """A text of a message.

    Attributes:
        address: its unit's.
        source, target: with tags for arguments; the target that the file holds.
        edges: white space before and behind it in the file.
        frames: by tag, the arguments with branches. codes: by tag, other arguments, and "#".
        labels: of these tags. notes: what is said about it.
    """

    address: str
    source: str
    target: str
    edges: tuple[str, str]
    frames: Mapping[str, _Frame]
    codes: Mapping[str, str]
    labels: tuple[tuple[str, str], ...]
    notes: tuple[Note, ...]

    def all(self) -> Iterator[_Node]:
        """It, and those in its branches, in order."""
        yield self
        for frame in self.frames.values():
            for branch in frame.branches:
                yield from branch.all()


def split(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Blocks, those that are messages with branches as several."""
    out: list[Block] = []
    for block in blocks:
        node = None if block.unit is None else _message(block.unit)
        if block.unit is None or node is None:
            out.append(block)
        else:
            out += _blocks_of(block.unit, node)
    return tuple(out)


def is_part(unit: Segment) -> bool:
    """Whether a unit is a branch of a message, or the text around its branches."""
    is_branch = unit.block.endswith("}") and "{" in unit.block
    return is_branch or any(_FRAME_LABEL.fullmatch(label) for _, label in unit.tags)


def join(blocks: Iterable[Block], units: Iterable[Segment]) -> list[Segment]:
    """Units as their format knows them.

    Args:
        blocks: as the format gives them.
        units: with those of branches.
    """
    known = {unit.block: unit for unit in units}
    for block in blocks:
        whole = block.unit
        if whole is None or (node := _message(whole)) is None:
            continue
        own = {each.address: known[each.address] for each in node.all() if each.address in known}
        if any(map(is_part, own.values())):
            for address in own:
                del known[address]
            known[block.address] = whole.with_state(_state_of(whole, node, own))
    return list(known.values())


def _state_of(whole: Segment, node: _Node, own: Mapping[str, Segment]) -> SegmentState:
    """What all texts of a message say together: it is a draft while one of them is, or lacks a target."""
    shown = [each for each in node.all() if has_letters(each.source)]
    states = [own[each.address].state if each.address in own else None for each in shown]
    given = [SegmentState(each.target, _given_status(whole, each)) for each in shown]
    if all(state is None or state == before for state, before in zip(states, given, strict=True)):
        return whole.state
    targets = {each.address: own[each.address].target.strip() for each in shown if each.address in own}
    if not any(targets.values()):
        return SegmentState("", Status.NOT_STARTED)
    said = [state.status for state in states if state is not None and state.target.strip()]
    complete = len(said) == len(shown)
    status = min(said) if complete else Status.DRAFT
    return SegmentState(_text(node, targets), status)


def _text(node: _Node, targets: Mapping[str, str]) -> str:
    """A message with its translations; where one is missing, its source stands."""
    text = targets.get(node.address) or (
        node.source if has_letters(node.source) else node.target or node.source
    )
    left = dict(node.frames)

    def whole(match: re.Match[str]) -> str:
        mark = match.group()
        if mark in node.codes:
            return node.codes[mark]
        frame = left.pop(mark, None)
        return mark if frame is None else _framed(frame, targets)

    text = MARK.sub(whole, text)
    lost = "".join(_framed(frame, targets) for frame in left.values())
    return f"{node.edges[0]}{text}{lost}{node.edges[1]}"


def _framed(frame: _Frame, targets: Mapping[str, str]) -> str:
    parts = [code + _text(branch, targets) for code, branch in zip(frame.code, frame.branches, strict=False)]
    return "".join((*parts, frame.code[-1]))


def _blocks_of(whole: Segment, node: _Node) -> Iterator[Block]:
    for each in node.all():
        if not has_letters(each.source):
            continue
        own = tuple((mark, label) for mark, label in whole.tags if mark in each.source) + each.labels
        state = SegmentState(each.target, _given_status(whole, each))
        segment = replace(
            whole,
            id=each.address,
            block=each.address,
            source=each.source,
            state=state,
            notes=each.notes,
            tags=own,
            given=each.target,
        )
        yield Block(each.address, (), each.notes, segment)


def _given_status(whole: Segment, node: _Node) -> Status:
    if whole.status is Status.LOCKED:
        return Status.LOCKED
    return whole.status if node.target else Status.NOT_STARTED


def _message(whole: Segment) -> _Node | None:
    """A unit's text and its branches; None of one without any."""
    if "," not in whole.source or "{" not in whole.source:
        return None
    found = choices_in(whole.source)
    if not found:
        return None
    taken = {int(match[2]) for match in MARK.finditer(whole.source + whole.target)}
    marks = (f"{{{n}/}}" for n in count(1) if n not in taken)
    try:
        return _Reading(frozenset(marks_of(whole)), marks).node(
            whole.block, whole.source, whole.target, whole.notes, found, 0, False
        )
    except _TooLongError:
        return None


class _TooLongError(Exception):
    """The texts of a message together are longer than `_MOST`."""


class _Reading:
    """Reads the texts of one message, with tags of their own."""

    def __init__(self, own: frozenset[str], marks: Iterator[str]) -> None:
        self._own = own
        self._marks = marks
        self._left = _MOST

    def node(
        self,
        address: str,
        source: str,
        target: str,
        notes: tuple[Note, ...],
        found: Sequence[Choice],
        depth: int,
        is_plural: bool,
    ) -> _Node:
        """A text and what is in its branches.

        Raises:
            _TooLongError: its source stands in so many branches of its target.
        """
        self._left -= len(source)
        if self._left < 0:
            raise _TooLongError
        there = list(choices_in(target)) if target.strip() else []
        frames: dict[str, _Frame] = {}
        in_source: list[tuple[int, int, str]] = []
        in_target: list[tuple[int, int, str]] = []
        names = Counter[str]()
        for choice in found:
            names[choice.name] += 1
            name = choice.name + (f"#{names[choice.name]}" if names[choice.name] > 1 else "")
            other = next((each for each in there if each.name == choice.name), None)
            mark = next(self._marks)
            in_source.append((choice.start, choice.end, mark))
            if other is not None:
                there.remove(other)
                in_target.append((other.start, other.end, mark))
            frames[mark] = self._frame(f"{address}{{{name}:", source, choice, target, other, notes, depth)
        labels = [(mark, f"{{{choice.name}, …}}") for mark, choice in zip(frames, found, strict=True)]
        text, said = spliced(source, in_source), spliced(target, in_target)
        marks: dict[str, str] = {}

        def coded(match: re.Match[str]) -> str:
            raw = match.group()
            if raw in self._own or (raw == "#" and not is_plural):
                return raw
            if raw not in marks:
                marks[raw] = next(self._marks)
            return marks[raw]

        text, said = _CODE.sub(coded, text), _CODE.sub(coded, said)
        labels += [(mark, raw) for raw, mark in marks.items()]
        edged = said if said.strip() else text
        start, end = len(edged) - len(edged.lstrip()), len(edged.rstrip())
        return _Node(
            address,
            text.strip(),
            said.strip(),
            (edged[:start], edged[end:]),
            frames,
            {mark: raw for raw, mark in marks.items()},
            tuple(labels),
            notes,
        )

    def _frame(
        self,
        place: str,
        source: str,
        choice: Choice,
        target: str,
        other: Choice | None,
        notes: tuple[Note, ...],
        depth: int,
    ) -> _Frame:
        sources = {branch.key: source[branch.start : branch.end] for branch in choice.branches}
        text, shape = (source, choice) if other is None else (target, other)
        code, branches, done = [], [], shape.start
        keys = Counter[str]()
        for number, branch in enumerate(shape.branches, start=1):
            code.append(text[done : branch.start])
            done = branch.end
            if other is None:
                said = source[branch.start : branch.end]
            else:  # a form that the source does not have says what its last one does
                said = sources.get(branch.key, sources.get("other", [*sources.values()][-1]))
            keys[branch.key] += 1
            key = branch.key + (f",{keys[branch.key]}" if keys[branch.key] > 1 else "")
            inner = choices_in(said) if depth + 1 < _DEPTH else ()
            if choice.is_plural:
                note = Note(NoteKind.PLURAL_FORM, branch.key, (str(number), str(len(shape.branches))))
            else:
                note = Note(NoteKind.CONTEXT, f"{choice.name} = {branch.key}")
            own = "" if other is None else text[branch.start : branch.end]
            branches.append(
                self.node(f"{place}{key}}}", said, own, (*notes, note), inner, depth + 1, choice.is_plural)
            )
        return _Frame((*code, text[done : shape.end]), tuple(branches))
