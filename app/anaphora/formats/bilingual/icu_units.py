"""Split ICU messages into one unit for each branch: {count, plural, one {# file} other {# files}}.

The text around an argument with branches is a unit in which the argument is a tag; each branch, even a
nested branch, is a separate unit. The branches are those of the file's target, which has the plural forms of
the target language. Without a target, they are those of the source, plus English forms that it lacks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count

from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.tags import MARK, marks_of
from anaphora.formats.base.pieces import Block
from anaphora.formats.base.splicing import spliced
from anaphora.formats.bilingual.units import has_letters
from anaphora_text.icu import Choice, choices_in, lacks_plurals, missing_forms

_MAX_DEPTH = 4
_MAX_CHARACTERS = 100_000
"""Maximum size of a message that is split: source characters times (1 + opening braces of the target)."""
_CODE = re.compile(r"#|\{\w{1,64}\}")
_FRAME_LABEL = re.compile(r"\{[\w.]{1,64}, …\}")


@dataclass(frozen=True, slots=True)
class _Frame:
    """An argument with branches: the branches, and the code before, between and after them."""

    code: tuple[str, ...]
    branches: tuple[_Node, ...]


@dataclass(frozen=True, slots=True)
class _Node:
    """A text of a message in source and target, with tags for arguments.

    Attributes:
        edges: white space before and after the text in the file.
        is_added: True for a plural form that the file lacks; it is written only if it is translated.
        frames: the arguments with branches, by tag.
        codes: other arguments and "#", by tag.
    """

    address: str
    source: str
    target: str
    edges: tuple[str, str]
    frames: Mapping[str, _Frame]
    codes: Mapping[str, str]
    labels: tuple[tuple[str, str], ...]
    notes: tuple[Note, ...]
    is_added: bool = False

    def texts(self) -> Iterator[_Node]:
        """The node and its branches that have text to translate, in order."""
        if has_letters(self.source):
            yield self
        for frame in self.frames.values():
            for branch in frame.branches:
                yield from branch.texts()

    def state_in(self, message: Segment) -> SegmentState:
        is_new = message.status is not Status.LOCKED and not self.target
        return SegmentState() if is_new else replace(message.state, target=self.target)


def split(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Split each block that is a message with branches into one block for each text."""
    out: list[Block] = []
    for block in blocks:
        node = None if block.unit is None else _parsed_message(block.unit)
        if block.unit is None or node is None:
            out.append(block)
        else:
            out += _blocks_of(block.unit, node)
    return tuple(out)


def is_part(unit: Segment) -> bool:
    """True if a unit is a branch of a message, or the text around its branches."""
    is_branch = unit.block.endswith("}") and "{" in unit.block
    return is_branch or any(_FRAME_LABEL.fullmatch(label) for _, label in unit.tags)


def join(blocks: Iterable[Block], units: Iterable[Segment]) -> list[Segment]:
    """Undo `split`: the units of a message become one; `blocks` are the blocks before `split`."""
    known = {unit.block: unit for unit in units}
    for block in blocks:
        message = block.unit
        if message is None or (node := _parsed_message(message)) is None:
            continue
        parts = {each.address: known[each.address] for each in node.texts() if each.address in known}
        if any(map(is_part, parts.values())):
            for address in parts:
                del known[address]
            known[block.address] = message.with_state(_state_of(message, node, parts))
    return list(known.values())


def _state_of(message: Segment, node: _Node, parts: Mapping[str, Segment]) -> SegmentState:
    """The state of a message: a draft while one of its texts is a draft or lacks a target."""
    nodes = list(node.texts())
    if all(parts[each.address].state == each.state_in(message) for each in nodes if each.address in parts):
        return message.state
    targets = {address: unit.target.strip() for address, unit in parts.items()}
    if not any(targets.values()):
        return SegmentState("", Status.NOT_STARTED)
    needs_more = not any(map(lacks_plurals, targets.values()))
    needed = (each for each in nodes if not each.is_added or (needs_more and each.address in parts))
    is_complete = all(targets.get(each.address) for each in needed)
    statuses = (unit.status for unit in parts.values() if unit.target.strip())
    status = min(statuses) if is_complete else Status.DRAFT
    approved = status is Status.CONFIRMED and all(unit.state.approved for unit in parts.values())
    return SegmentState(_text(node, targets), status, approved=approved)


def _text(node: _Node, targets: Mapping[str, str]) -> str:
    original = node.source if has_letters(node.source) else node.target or node.source
    remaining = dict(node.frames)

    def filled(match: re.Match[str]) -> str:
        mark = match.group()
        frame = remaining.pop(mark, None)
        return node.codes.get(mark, mark) if frame is None else _frame_text(frame, targets)

    text = MARK.sub(filled, targets.get(node.address) or original)
    lost = "".join(_frame_text(frame, targets) for frame in remaining.values())
    return f"{node.edges[0]}{text}{lost}{node.edges[1]}"


def _frame_text(frame: _Frame, targets: Mapping[str, str]) -> str:
    parts = [
        code + _text(branch, targets)
        for code, branch in zip(frame.code, frame.branches, strict=False)
        if not branch.is_added
        or any((text := targets.get(each.address)) and not lacks_plurals(text) for each in branch.texts())
    ]
    return "".join((*parts, frame.code[-1]))


def _blocks_of(message: Segment, node: _Node) -> Iterator[Block]:
    for each in node.texts():
        segment = replace(
            message,
            id=each.address,
            block=each.address,
            source=each.source,
            state=each.state_in(message),
            notes=each.notes,
            tags=tuple(tag for tag in message.tags if tag[0] in each.source) + each.labels,
            file_target=each.target,
        )
        yield Block(each.address, (), each.notes, segment)


def _parsed_message(message: Segment) -> _Node | None:
    source, target = message.source, message.target
    is_long = len(source) * (1 + target.count("{")) > _MAX_CHARACTERS
    if is_long or "," not in source or "{" not in source or not choices_in(source):
        return None
    used = {int(match[2]) for match in MARK.finditer(source + target)}
    marks = (f"{{{n}/}}" for n in count(1) if n not in used)
    return _MessageParser(frozenset(marks_of(message)), dict(message.tags), marks).node(
        message.block, source, target, message.notes
    )


class _MessageParser:
    """Parses a message into nodes; `tags` are its own tags, `marks` unused ones for its arguments."""

    def __init__(self, tags: frozenset[str], labels: Mapping[str, str], marks: Iterator[str]) -> None:
        self._tags = tags
        self._codes = {mark: label for mark, label in labels.items() if label[:1] in ("{", "%", "$")}
        self._marks = marks
        self._branches = Counter[str]()

    def node(
        self,
        address: str,
        source: str,
        target: str,
        notes: tuple[Note, ...],
        depth: int = 0,
        is_plural: bool = False,
    ) -> _Node:
        target_choices = list(choices_in(target))
        frames: dict[str, _Frame] = {}
        labels: dict[str, str] = {}
        in_source: list[tuple[int, int, str]] = []
        in_target: list[tuple[int, int, str]] = []
        for choice in choices_in(source) if depth < _MAX_DEPTH else ():
            target_choice = next((each for each in target_choices if each.name == choice.name), None)
            mark = next(self._marks)
            in_source.append((choice.start, choice.end, mark))
            if target_choice is not None:
                target_choices.remove(target_choice)
                in_target.append((target_choice.start, target_choice.end, mark))
            labels[mark] = f"{{{choice.name}, …}}"
            frames[mark] = self._frame(
                f"{address}{{{choice.name}:", source, choice, target, target_choice, notes, depth
            )
        codes: dict[str, str] = {}

        def coded(match: re.Match[str]) -> str:
            raw = match.group()
            if raw in self._tags or (raw == "#" and not is_plural):
                return raw
            if raw not in codes:
                codes[raw] = next(self._marks)
            return codes[raw]

        text = _CODE.sub(coded, spliced(source, in_source))
        target_text = _CODE.sub(coded, spliced(target, in_target))
        by_mark = {mark: raw for raw, mark in codes.items()}
        edged = target_text if target_text.strip() else text
        edges = edged[: len(edged) - len(edged.lstrip())], edged[len(edged.rstrip()) :]
        tags = tuple((labels | by_mark).items())
        return _Node(address, text.strip(), target_text.strip(), edges, frames, by_mark, tags, notes)

    def _frame(
        self,
        prefix: str,
        source: str,
        choice: Choice,
        target: str,
        target_choice: Choice | None,
        notes: tuple[Note, ...],
        depth: int,
    ) -> _Frame:
        sources = {branch.key: source[branch.start : branch.end] for branch in choice.branches}
        text, shape = (source, choice) if target_choice is None else (target, target_choice)
        code, branches, copied_end = [], [], shape.start
        for number, branch in enumerate(shape.branches, start=1):
            code.append(text[copied_end : branch.start])
            copied_end = branch.end
            branch_text = text[branch.start : branch.end]
            # A form that the source lacks gets the source's text for "other", or else for its last form.
            default_source = sources.get("other", [*sources.values()][-1])
            source_text = branch_text if target_choice is None else sources.get(branch.key, default_source)
            if choice.is_plural:
                note = Note(NoteKind.PLURAL_FORM, branch.key, (str(number), str(len(shape.branches))))
            else:
                note = Note(NoteKind.CONTEXT, f"{choice.name} = {branch.key}")
            old_target = "" if target_choice is None else branch_text
            self._branches[prefix + branch.key] += 1
            times = self._branches[prefix + branch.key]
            address = f"{prefix}{branch.key}" + (f",{times}}}" if times > 1 else "}")
            is_plural, all_notes = choice.is_plural, (*notes, note)
            branches.append(self.node(address, source_text, old_target, all_notes, depth + 1, is_plural))
        if target_choice is None and choice.is_plural and depth < _MAX_DEPTH // 2:
            # Each tag may occur only once, so added forms contain placeholders as text.
            plain = MARK.sub(lambda mark: self._codes.get(mark[0], mark[0]), sources.get("other", ""))
            for form in missing_forms(sources, plain, "selectordinal" in code[0]):
                code.append(f"}} {form} {{")
                all_notes = (*notes, Note(NoteKind.PLURAL_FORM, form, (str(len(code)),) * 2))
                branches.append(self.node(f"{prefix}{form}}}", plain, "", all_notes, depth + 1, True))
                branches[-1] = replace(branches[-1], is_added=True)
        return _Frame((*code, text[copied_end : shape.end]), tuple(branches))
