"""Bilingual formats that are XML: reading and filling them, whatever their elements are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from anaphora.core.errors import Message
from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Segment, SegmentState
from anaphora.formats.base.format import Reading
from anaphora.formats.base.limits import check_sentences
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.bilingual.languages import code_of_targets
from anaphora.formats.bilingual.units import changes
from anaphora.formats.bilingual.xml_inline import Slot, texts_within
from anaphora.formats.bilingual.xml_nodes import Node
from anaphora.formats.bilingual.xml_text import XmlText


class XmlUnits:
    """The units of a document."""

    def __init__(self, document: XmlText) -> None:
        self.document = document

    def slots(self) -> Iterator[Slot]:
        """All that can be translated, in order; those of one owner stand together."""
        raise NotImplementedError

    def write(self, owner: Node, slots: Sequence[Slot], changed: Mapping[str, SegmentState]) -> None:
        """Splice the changed states of one owner's slots."""
        raise NotImplementedError

    def name_language(self, code: str) -> None:
        """Say the language of new targets where the file says none; "" for unknown."""

    def remarks(self, slots: Sequence[Slot]) -> tuple[Message, ...]:
        """What a person should know, for `Parsed.notes`."""
        return texts_within(self.document)


class XmlFormat:
    """Targets and states are spliced in, the rest keeps its bytes."""

    def opened(self, data: bytes, reading: Reading) -> XmlUnits:
        raise NotImplementedError

    def blocks(self, data: bytes, reading: Reading) -> Parsed:
        """The file's own segments stand, whatever sentences they have."""
        units = self.opened(data, reading)
        slots = _slots(units)
        blocks = tuple(slot.block for slot in slots)
        return Parsed(blocks, units.document.encoding, units.remarks(slots))

    def fill_units(
        self, data: bytes, units: Sequence[Segment], reading: Reading, pair: LanguagePair
    ) -> bytes:
        own = self.opened(data, reading)
        slots = _slots(own)
        changed = changes((slot.block for slot in slots), units)
        if not changed:
            return data
        for _, found in groupby(slots, key=lambda slot: slot.owner.start):
            group = list(found)
            if any(slot.unit.address in changed for slot in group):
                own.write(group[0].owner, group, changed)
        texts = [(slot.unit.sentence.source, slot.state_in(changed).target) for slot in slots]
        own.name_language(code_of_targets(texts, pair))
        return own.document.data()


def _slots(units: XmlUnits) -> list[Slot]:
    slots: list[Slot] = []
    for slot in units.slots():
        slots.append(slot)
        check_sentences(len(slots))
    return slots
