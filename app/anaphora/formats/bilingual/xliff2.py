"""XLIFF 2: segments of units, and their states.

| in the file | status | and back |
|---|---|---|
| translate="no" | locked | never written |
| no target, or an empty one | not started | an emptied target becomes initial |
| state initial | draft | a draft becomes initial |
| state translated, or none | edited | an edited one becomes translated where it was something else |
| state reviewed or final | confirmed | final |

A changed state takes its subState away, as the standard asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.bilingual.languages import UNDETERMINED
from anaphora.formats.bilingual.xliff_units import Slot, bounded, filled, state_of, unit_of
from anaphora.formats.bilingual.xml_inline import Dialect, written
from anaphora.formats.bilingual.xml_nodes import Node
from anaphora.formats.bilingual.xml_text import XmlText

_INLINE = Dialect(
    pairs=frozenset(("pc", "mrk")),
    openers={"sc": ("id",), "sm": ("id",)},
    closers={"ec": ("startref", "id"), "em": ("startref",)},
    protected=(("mrk", "translate", "no"),),
    characters={"cp": "hex"},
)
_READ = {"initial": Status.DRAFT, "reviewed": Status.CONFIRMED, "final": Status.CONFIRMED}
_WRITTEN = {
    Status.NOT_STARTED: "initial",
    Status.DRAFT: "initial",
    Status.EDITED: "translated",
    Status.CONFIRMED: "final",
}
_UNITS = {"": "", "xliff:codepoints": "char", "xliff:utf8": "byte"}
"""What limits count, by the names of profiles; of others nothing here knows."""


class Xliff2:
    """See `Version`."""

    def __init__(self, document: XmlText) -> None:
        self._document = document
        self._names_language = "trglang" in document.root.attributes
        self._lacks_language = False
        said = next(iter(document.root.all("profiles")), None)
        general, storage = (
            ("", "xliff:utf8") if said is None else (said.get("generalprofile"), said.get("storageprofile"))
        )
        self._profiles = {"slr:sizerestriction": general, "slr:storagerestriction": storage or "xliff:utf8"}

    def slots(self) -> list[Slot]:
        """See `Version.slots`."""
        return bounded(self._slots())

    def _slots(self) -> Iterator[Slot]:
        for number, unit in enumerate(self._document.root.all("unit", outside=("unit",)), start=1):
            notes = tuple(self._notes(unit))
            holders = [child for child in unit.children if child.name in ("segment", "ignorable")]
            row = 0
            for owner in holders:
                if owner.name == "segment":
                    row += 1
                    slot = self._slot(f"{number}.{row}", owner, notes)
                    if slot is not None:
                        yield slot

    def write(self, owner: Node, slots: Sequence[Slot], changed: Mapping[str, SegmentState]) -> None:
        """See `Version.write`. A segment element has one slot."""
        document, slot = self._document, slots[0]
        state = state_of(slot, changed)
        if state.target != slot.unit.target:
            content = written(document, filled(slot, state))
            if slot.target is not None:
                document.fill(slot.target, content)
            else:
                name = f"{slot.source.prefix}target"
                space = ' xml:space="preserve"' if slot.source.get("xml:space") == "preserve" else ""
                new = f"{document.blank_before(slot.source)}<{name}{space}>{content}</{name}>"
                document.splice(slot.source.end, slot.source.end, new)
            self._lacks_language = not self._names_language
        if state.status is not slot.status:
            attributes: dict[str, str | None] = {"subState": None, "state": _WRITTEN[state.status]}
            document.fill(owner, None, attributes)

    def _slot(self, number: str, owner: Node, notes: tuple[Note, ...]) -> Slot | None:
        source, target = owner.child("source"), owner.child("target")
        if source is None:
            return None
        unit = unit_of(self._document, number, source, target, _INLINE)
        if not unit.sentence.source:
            return None
        if owner.scope.get("translate", "yes") == "no":
            status = Status.LOCKED
        elif not unit.target:
            status = Status.NOT_STARTED
        else:
            status = _READ.get(owner.get("state"), Status.EDITED)
        return Slot(unit, status, notes, owner, source, target)

    def name_language(self, code: str) -> None:
        """See `Version.name_language`; a file with targets has to say their language."""
        if self._lacks_language:
            self._document.fill(self._document.root, None, {"trgLang": code or UNDETERMINED})

    def _notes(self, unit: Node) -> Iterator[Note]:
        if unit.get("name"):
            yield Note(NoteKind.NAME, unit.get("name"))
        for limit, profile in self._profiles.items():
            if unit.get(limit):
                yield Note(NoteKind.LENGTH_LIMIT, f"{unit.get(limit)} {_UNITS.get(profile, profile)}".strip())
        for holder in unit.children:
            if holder.name == "notes":
                for note in holder.all("note"):
                    category, text = note.get("category"), self._document.plain(note)
                    if text:
                        yield Note(NoteKind.NOTE, text, (category,) if category else ())
