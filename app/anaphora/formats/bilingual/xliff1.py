"""XLIFF 1.2: trans-units, their states, and the segments within them.

| in the file | status | written back as |
|---|---|---|
| translate="no" | locked | never written |
| no target, or an empty one | not started | an emptied target becomes needs-translation if it had a state |
| state new, needs-… | draft | a draft becomes needs-review-translation |
| state translated, unknown or none | edited | translated, if the status has changed |
| state final, or approved="yes" | confirmed | final, approved="yes" |
| state signed-off | confirmed, approved | signed-off, approved="yes" |

A unit with several segments (seg-source with mrk mtype="seg") has the state of its least finished segment.
The states of single segments in .sdlxliff (sdl:seg conf) and of units in .mqxliff (mq:status) and .mxliff
(m:confirmed) are read and written. Segments with sdl:seg locked, and units with mq:locked or m:locked, are
locked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anaphora.core.language_pair import LanguagePair
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.placeholders import ENTITY, PHRASE
from anaphora.formats.base.splicing import spliced
from anaphora.formats.bilingual.unit_format import States, XmlUnits
from anaphora.formats.bilingual.xml_inline import InlineElements, XmlSlot, note_from, to_source, unit_of
from anaphora.formats.bilingual.xml_text import Node, XmlText

_INLINE = InlineElements(
    pairs=frozenset(("g", "mrk")),
    openers={"bpt": ("rid", "id"), "bx": ("rid", "id")},
    closers={"ept": ("rid", "id"), "ex": ("rid", "id")},
    protected=(("mrk", "mtype", "protected"), ("mrk", "mtype", "x-protected")),
)
_LIMITS = {"maxbytes": "byte", "mq:maxlengthchars": "char", "m:max-length": "char"}
"""Attributes of XLIFF, memoQ and Phrase for the maximum length of a translation, with their units."""
_HEAD = 4000
_CONFIRMED = ("final", "signed-off")
_APPROVED = ("signed-off", "ApprovedSignOff", "Proofread")
"""The states of approved segments in XLIFF, Trados Studio and memoQ."""
_STATES = {
    Status.NOT_STARTED: "needs-translation",
    Status.DRAFT: "needs-review-translation",
    Status.EDITED: "translated",
    Status.CONFIRMED: "final",
}
_SDL = {
    **dict.fromkeys(("Draft", "RejectedTranslation"), Status.DRAFT),
    **dict.fromkeys(("Translated", "RejectedSignOff"), Status.EDITED),
    **dict.fromkeys(("ApprovedTranslation", "ApprovedSignOff"), Status.CONFIRMED),
}
_SDL_STATES = {Status.DRAFT: "Draft", Status.EDITED: "Translated", Status.CONFIRMED: "ApprovedTranslation"}
_MEMOQ_DRAFTS = (
    "PartiallyEdited",
    "Pretranslated",
    "AssembledFromFragments",
    "MachineTranslated",
    "Rejected",
)
_MEMOQ = {
    "NotStarted": Status.NOT_STARTED,
    **dict.fromkeys(_MEMOQ_DRAFTS, Status.DRAFT),
    "Edited": Status.EDITED,
    **dict.fromkeys(("ManuallyConfirmed", "Proofread"), Status.CONFIRMED),
}
_MEMOQ_STATES = {
    Status.NOT_STARTED: "NotStarted",
    Status.DRAFT: "PartiallyEdited",
    Status.EDITED: "PartiallyEdited",
    Status.CONFIRMED: "ManuallyConfirmed",
}


class Xliff1(XmlUnits):
    def __init__(self, document: XmlText) -> None:
        super().__init__(document)
        files = document.root.descendants("file")
        self._files = {node.start: file for file in files for node in file.descendants("trans-unit")}
        self._changed_files: dict[int, Node] = {}
        self._studio_comments = _studio_comments(document)
        self._number = 0
        self._codes = PHRASE if "www.memsource.com/mxlf" in document.text[:_HEAD] else ENTITY

    def slots(self) -> Iterator[XmlSlot]:
        self._number = 0
        units = self.document.root.descendants("trans-unit", excluded=("trans-unit", "header"))
        return (slot for owner in units for slot in self._unit_slots(owner))

    def name_language(self, code: str, changed: States) -> None:
        for file in self._changed_files.values():
            if code and not file.get("target-language"):
                self.document.fill(file, None, {"target-language": code})

    def write(self, slots: Sequence[XmlSlot], changed: States, pair: LanguagePair) -> None:
        owner = slots[0].owner
        file = self._files.get(owner.start)
        if file is not None:
            self._changed_files[file.start] = file
        states = [slot.state_in(changed) for slot in slots]
        status, approved = _unit_status(states)
        target = owner.child("target")
        attributes = self._attributes(owner, target, slots, states)
        if slots[0].source.name == "mrk" and slots[0].target is None:
            self._fill_target(owner, self._new_content(slots, states), attributes)
        elif slots[0].source.name == "mrk":
            for slot, state in zip(slots, states, strict=True):
                if slot.target is not None and state.target != slot.unit.target:
                    self.document.fill(slot.target, to_source(self.document, slot.unit.fill(state.target)))
            if target is not None:
                self.document.fill(target, None, attributes)
        elif states[0].target != slots[0].unit.target or target is not None:
            is_new = states[0].target != slots[0].unit.target
            content = to_source(self.document, slots[0].unit.fill(states[0].target)) if is_new else None
            self._fill_target(owner, content, attributes)
        self._write_approved(owner, status, approved)
        self._write_sdl(owner, slots, states)

    def _unit_slots(self, owner: Node) -> Iterator[XmlSlot]:
        source, target = owner.child("source"), owner.child("target")
        if source is None:
            return
        self._number += 1
        notes, sdl_segments = tuple(self._notes(owner)), _sdl_segments(owner)
        parts: list[tuple[Node, Node | None]] = [(source, target)]
        seg_source = owner.child("seg-source")
        if seg_source is not None:
            segments = _segments(seg_source)
            is_blank = target is None or not (target.children or self.document.plain(target))
            parts = _pairs(segments, [] if target is None else _segments(target), is_blank) or parts
        for part, (text, translation) in enumerate(parts, start=1):
            number = str(self._number) if text is source else f"{self._number}.{part}"
            squeeze = text.scope.get("xml:space", "default") != "preserve"
            unit = unit_of(self.document, number, text, translation, _INLINE, self._codes, squeeze)
            if unit.sentence.source:
                sdl = sdl_segments.get(text.get("mid"))
                status = self._status(owner, target, sdl, bool(unit.target))
                tool_state = owner.get("mq:status") if sdl is None else sdl.get("conf")
                state = tool_state or (target.get("state") if target is not None else "")
                if status is Status.EDITED and not state and unit.target == unit.sentence.source:
                    status = Status.DRAFT
                approved = status is Status.CONFIRMED and state in _APPROVED
                yield XmlSlot(unit, status, notes, owner, text, translation, approved=approved)

    def _status(self, owner: Node, target: Node | None, sdl: Node | None, has_target: bool) -> Status:
        is_locked = sdl is not None and sdl.get("locked") == "true"
        is_locked = is_locked or owner.get("mq:locked") == "locked" or owner.get("m:locked") == "true"
        if owner.scope.get("translate", "yes") == "no" or is_locked:
            return Status.LOCKED
        if not has_target:
            return Status.NOT_STARTED
        if sdl is not None and sdl.get("conf") in _SDL:
            return _SDL[sdl.get("conf")]
        if owner.get("mq:status") in _MEMOQ:
            return max(_MEMOQ[owner.get("mq:status")], Status.DRAFT)
        state = target.get("state") if target is not None else ""
        if owner.get("approved") == "yes" or owner.get("m:confirmed") == "1" or state in _CONFIRMED:
            return Status.CONFIRMED
        return Status.DRAFT if state == "new" or state.startswith("needs-") else Status.EDITED

    def _attributes(
        self, owner: Node, target: Node | None, slots: Sequence[XmlSlot], states: Sequence[SegmentState]
    ) -> dict[str, str | None]:
        """The changed attributes of the target's tag; None removes an attribute."""
        old, (status, approved) = _unit_status([slot.state for slot in slots]), _unit_status(states)
        state = target.get("state") if target is not None else ""
        is_blank = status is Status.NOT_STARTED and not state
        if (status, approved) == old or status is Status.LOCKED or is_blank:
            return {}
        return {"state": "signed-off" if approved else _STATES[status], "state-qualifier": None}

    def _fill_target(self, owner: Node, content: str | None, attributes: Mapping[str, str | None]) -> None:
        document, target = self.document, owner.child("target")
        if target is not None:
            document.fill(target, content, attributes)
            return
        source = owner.child("source")
        before = owner.child("seg-source") or source
        if not content or source is None or before is None:
            return
        language = owner.scope.get("target-language") if "xml:lang" in source.attributes else None
        values = {"xml:lang": language, **attributes}
        tag = "".join(f' {name}="{document.escape(value)}"' for name, value in values.items() if value)
        name = f"{source.prefix}target"
        blank = document.blank_before(before)
        document.splice(before.end, before.end, f"{blank}<{name}{tag}>{content}</{name}>")

    def _new_content(self, slots: Sequence[XmlSlot], states: Sequence[SegmentState]) -> str:
        document, holder = self.document, slots[0].owner.child("seg-source")
        if holder is None:
            return ""
        new = {slot.source.start: (slot, state) for slot, state in zip(slots, states, strict=True)}
        text, offset = document.text, holder.inner_start
        changes = []
        for node in _segments(holder):
            content = text[node.inner_start : node.inner_end]
            if node.start in new:
                slot, state = new[node.start]
                content = to_source(document, slot.unit.fill(state.target))
            filled = f"{document.start_tag(node, {})}{content}</{node.prefix}mrk>"
            changes.append((node.start - offset, node.end - offset, filled))
        return spliced(text[offset : holder.inner_end], changes)

    def _write_approved(self, owner: Node, status: Status, approved: bool) -> None:
        changed: dict[str, str | None] = {}
        if status is Status.CONFIRMED and owner.get("approved") != "yes":
            changed["approved"] = "yes"
        elif status is not Status.CONFIRMED and owner.get("approved") == "yes":
            changed["approved"] = "no"
        memoq_status = owner.get("mq:status")
        is_current = _MEMOQ.get(memoq_status) is status and (memoq_status in _APPROVED) is approved
        if memoq_status and not is_current and status in _MEMOQ_STATES:
            changed["mq:status"] = "Proofread" if approved else _MEMOQ_STATES[status]
        if owner.get("m:confirmed") and (owner.get("m:confirmed") == "1") is not (status is Status.CONFIRMED):
            changed["m:confirmed"] = "1" if status is Status.CONFIRMED else "0"
        self.document.fill(owner, None, changed)

    def _write_sdl(self, owner: Node, slots: Sequence[XmlSlot], states: Sequence[SegmentState]) -> None:
        sdl_segments = _sdl_segments(owner)
        for slot, state in zip(slots, states, strict=True):
            sdl = sdl_segments.get(slot.source.get("mid"))
            if sdl is not None and _unit_status([state]) != _unit_status([slot.state]):
                conf = "ApprovedSignOff" if state.approved else _SDL_STATES.get(state.status)
                self.document.fill(sdl, None, {"conf": conf})

    def _comments(self, owner: Node) -> Iterator[Note]:
        for comment in owner.descendants("comment"):
            if comment.prefix == "mq:" and comment.get("deleted") != "true":
                yield from note_from(self.document.plain(comment), comment.get("creatoruser"))
        marks = (mark for mark in owner.descendants("mrk") if mark.get("mtype") == "x-sdl-comment")
        for identity in dict.fromkeys(mark.get("sdl:cid") for mark in marks):
            yield from self._studio_comments.get(identity, ())

    def _notes(self, owner: Node) -> Iterator[Note]:
        document = self.document
        if owner.get("resname"):
            yield Note(NoteKind.NAME, owner.get("resname"))
        if owner.get("maxwidth"):
            unit = owner.get("size-unit", "pixel")
            font = (owner.scope.get("font"),) if unit == "pixel" else ()
            yield Note(NoteKind.LENGTH_LIMIT, f"{owner.get('maxwidth')} {unit}", tuple(filter(None, font)))
        for name, unit in _LIMITS.items():
            if (limit := owner.get(name)).isdecimal() and limit.strip("0"):
                yield Note(NoteKind.LENGTH_LIMIT, f"{limit} {unit}")
        yield from self._comments(owner)
        for child in owner.children:
            if child.name == "note":
                yield from note_from(document.plain(child), child.get("from"))
            elif child.name == "context-group":
                for context in child.descendants("context"):
                    text = document.plain(context)
                    if text:
                        kind = context.get("context-type", "x").removeprefix("x-")
                        yield Note(NoteKind.CONTEXT, text, (kind,))


def _unit_status(states: Sequence[SegmentState]) -> tuple[Status, bool]:
    return min(state.status for state in states), all(state.approved for state in states)


def _studio_comments(document: XmlText) -> dict[str, tuple[Note, ...]]:
    comments_by_id = {}
    for defined in document.root.descendants("cmt-def"):
        comments = list(defined.descendants("Comment"))
        text = "\n".join(filter(None, map(document.plain, comments)))
        users = dict.fromkeys(user for each in comments if (user := each.get("user")))
        comments_by_id[defined.get("id")] = note_from(text, ", ".join(users))
    return comments_by_id


def _segments(holder: Node) -> list[Node]:
    return [node for node in holder.descendants("mrk", excluded=("mrk",)) if node.get("mtype") == "seg"]


def _pairs(nodes: Sequence[Node], targets: Sequence[Node], is_blank: bool) -> list[tuple[Node, Node | None]]:
    """(source, target) nodes with the same number (`mid`); nodes that share a number are paired in order."""
    by_number: dict[str, list[Node]] = {}
    for node in reversed(targets):
        by_number.setdefault(node.get("mid"), []).append(node)
    pairs: list[tuple[Node, Node | None]] = []
    for node in nodes:
        same_number = by_number.get(node.get("mid"))
        pairs.append((node, same_number.pop() if same_number else None))
    return pairs if is_blank or all(target is not None for _, target in pairs) else []


def _sdl_segments(owner: Node) -> dict[str, Node]:
    definitions = owner.child("seg-defs")
    nodes = definitions.children if definitions is not None else []
    return {node.get("id"): node for node in reversed(nodes) if node.get("id")}
