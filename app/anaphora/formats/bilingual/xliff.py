"""XLIFF 1.2, 2.0, 2.1 and 2.2 (.xlf, .xliff; .sdlxliff, .mqxliff, .mxliff as far as they are XLIFF 1.2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from anaphora.core.errors import Message
from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Segment
from anaphora.formats.base.format import FormatError, Reading
from anaphora.formats.base.limits import check_sentences
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.bilingual.languages import code_of_targets
from anaphora.formats.bilingual.units import changes
from anaphora.formats.bilingual.xliff1 import Xliff1
from anaphora.formats.bilingual.xliff2 import Xliff2
from anaphora.formats.bilingual.xml_inline import Slot, texts_within
from anaphora.formats.bilingual.xml_text import XmlText


class Xliff:
    """Reader and writer of XLIFF files: targets and states are spliced in, the rest keeps its bytes."""

    name = "xliff"
    label = "XLIFF"
    extensions: tuple[str, ...] = (".xlf", ".xliff", ".sdlxliff", ".mqxliff", ".mxliff")

    def blocks(self, data: bytes, reading: Reading) -> Parsed:
        """The file's own segments stand, whatever sentences they have."""
        document = XmlText(data)
        version = _version(document)
        blocks = tuple(slot.block for slot in _slots(version))
        return Parsed(blocks, document.encoding, texts_within(document))

    def fill_units(
        self, data: bytes, units: Sequence[Segment], reading: Reading, pair: LanguagePair
    ) -> bytes:
        document = XmlText(data)
        version = _version(document)
        slots = _slots(version)
        changed = changes((slot.block for slot in slots), units)
        if not changed:
            return data
        for _, found in groupby(slots, key=lambda slot: slot.owner.start):
            group = list(found)
            if any(slot.unit.address in changed for slot in group):
                version.write(group[0].owner, group, changed)
        texts = [(slot.unit.sentence.source, slot.state_in(changed).target) for slot in slots]
        version.name_language(code_of_targets(texts, pair))
        return document.data()


def _slots(version: Xliff1 | Xliff2) -> list[Slot]:
    slots: list[Slot] = []
    for slot in version.slots():
        slots.append(slot)
        check_sentences(len(slots))
    return slots


def _version(document: XmlText) -> Xliff1 | Xliff2:
    root = document.root
    if root.name != "xliff":
        raise FormatError(
            Message("This is no XLIFF file: its outermost element is “{name}”.", name=root.name),
            "Check that it is the file you meant, and open it with its own name.",
        )
    return Xliff2(document) if root.get("version").startswith("2") else Xliff1(document)


FORMAT = Xliff()
