"""XLIFF 1.2, 2.0, 2.1 and 2.2 (.xlf, .xliff), and the XLIFF 1.2 in .sdlxliff, .mqxliff and .mxliff files.

For XLIFF 1.2 see `xliff1`. The segments of XLIFF 2 have these states, which are written only if the status
has changed:

| in the file | status | written back as |
|---|---|---|
| translate="no" | locked | never written |
| no target, or an empty one | not started | an emptied target becomes initial |
| state initial | draft | a draft becomes initial |
| state translated, or none | edited | translated |
| state reviewed or final | confirmed | final |

A change of the state removes the subState, as the standard requires.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anaphora.core.errors import Message
from anaphora.core.language_pair import LanguagePair
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Status
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.bilingual.languages import UNDETERMINED
from anaphora.formats.bilingual.unit_format import States, UnitFormat, XmlUnits
from anaphora.formats.bilingual.xliff1 import Xliff1
from anaphora.formats.bilingual.xml_inline import InlineElements, XmlSlot, note_from, to_source, unit_of
from anaphora.formats.bilingual.xml_text import Node, XmlText

_INLINE = InlineElements(
    pairs=frozenset(("pc", "mrk")),
    openers={"sc": ("id",), "sm": ("id",)},
    closers={"ec": ("startref", "id"), "em": ("startref",)},
    protected=(("mrk", "translate", "no"),),
)
_STATUSES = {
    "initial": Status.DRAFT,
    "translated": Status.EDITED,
    "reviewed": Status.CONFIRMED,
    "final": Status.CONFIRMED,
}
_STATES = {
    Status.NOT_STARTED: "initial",
    Status.DRAFT: "initial",
    Status.EDITED: "translated",
    Status.CONFIRMED: "final",
}
_UNITS = {"": "", "xliff:codepoints": "char", "xliff:utf8": "byte"}
"""Units of length limits, by the name of their restriction profile."""


class Xliff2(XmlUnits):
    def __init__(self, document: XmlText) -> None:
        super().__init__(document)
        self._lacks_language = False
        profiles = next(iter(document.root.descendants("profiles")), None)
        general = "" if profiles is None else profiles.get("generalprofile")
        storage = "" if profiles is None else profiles.get("storageprofile")
        self._profiles = {"slr:sizerestriction": general, "slr:storagerestriction": storage or "xliff:utf8"}

    def slots(self) -> Iterator[XmlSlot]:
        for number, unit in enumerate(self.document.root.descendants("unit", excluded=("unit",)), start=1):
            notes = tuple(self._notes(unit))
            owners = (child for child in unit.children if child.name == "segment")
            for part, owner in enumerate(owners, start=1):
                yield from self._slots(f"{number}.{part}", owner, notes)

    def _slots(self, number: str, owner: Node, notes: tuple[Note, ...]) -> Iterator[XmlSlot]:
        source, target = owner.child("source"), owner.child("target")
        if source is None:
            return
        squeeze = source.scope.get("xml:space", "default") != "preserve"
        unit = unit_of(self.document, number, source, target, _INLINE, squeeze=squeeze)
        if owner.scope.get("translate", "yes") == "no":
            status = Status.LOCKED
        elif not unit.target:
            status = Status.NOT_STARTED
        else:
            is_copied = unit.target == unit.sentence.source
            status = _STATUSES.get(owner.get("state"), Status.DRAFT if is_copied else Status.EDITED)
        if unit.sentence.source:
            yield XmlSlot(unit, status, notes, owner, source, target)

    def write(self, slots: Sequence[XmlSlot], changed: States, pair: LanguagePair) -> None:
        document, slot = self.document, slots[0]
        state = slot.state_in(changed)
        if state.target != slot.unit.target:
            content = to_source(document, slot.unit.fill(state.target))
            if slot.target is not None:
                document.fill(slot.target, content)
            else:
                name = f"{slot.source.prefix}target"
                space = ' xml:space="preserve"' if slot.source.get("xml:space") == "preserve" else ""
                new = f"{document.blank_before(slot.source)}<{name}{space}>{content}</{name}>"
                document.splice(slot.source.end, slot.source.end, new)
            self._lacks_language = "trglang" not in document.root.attributes
        if state.status is not slot.status:
            document.fill(slot.owner, None, {"subState": None, "state": _STATES[state.status]})

    def name_language(self, code: str, changed: States) -> None:
        if self._lacks_language:
            self.document.fill(self.document.root, None, {"trgLang": code or UNDETERMINED})

    def _notes(self, unit: Node) -> Iterator[Note]:
        if unit.get("name"):
            yield Note(NoteKind.NAME, unit.get("name"))
        for limit, profile in self._profiles.items():
            if unit.get(limit):
                yield Note(NoteKind.LENGTH_LIMIT, f"{unit.get(limit)} {_UNITS.get(profile, profile)}".strip())
        for notes in (holder for holder in unit.children if holder.name == "notes"):
            for note in notes.descendants("note"):
                yield from note_from(self.document.plain(note), note.get("category"))


def _units(data: bytes, options: ReadOptions) -> Xliff1 | Xliff2:
    document = XmlText(data)
    root = document.root
    if root.name != "xliff":
        raise FormatError(
            Message("This is not an XLIFF file: its root element is “{name}”.", name=root.name),
            "Check that this is the right file and that its extension is correct.",
        )
    return Xliff2(document) if root.get("version").startswith("2") else Xliff1(document)


FORMAT = UnitFormat("xliff", "XLIFF", (".xlf", ".xliff", ".sdlxliff", ".mqxliff", ".mxliff"), _units)
