"""The common base of bilingual formats: read and fill the units of text and XML files."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Generic, TypeVar

from anaphora.core.errors import Message
from anaphora.core.language_pair import LanguagePair
from anaphora.core.reading_choices import ReadingChoices
from anaphora.core.segment import SegmentState
from anaphora.formats.base.encoding import DecodedText
from anaphora.formats.base.format import ReadOptions, check_sentences
from anaphora.formats.base.opened import Opened
from anaphora.formats.base.splicing import Fillings, spliced
from anaphora.formats.bilingual.languages import code_of_targets
from anaphora.formats.bilingual.units import UnitSlot, changes
from anaphora.formats.bilingual.xml_inline import XmlSlot, inner_text_notes
from anaphora.formats.bilingual.xml_text import XmlText

S = TypeVar("S", bound=UnitSlot)
States = Mapping[str, SegmentState]
"""Changed states, by the addresses of units."""


class Units(Generic[S]):
    """The units of a file.

    Attributes:
        encoding, choices: see `Opened`.
    """

    encoding: str
    choices: ReadingChoices | None = None

    def slots(self) -> Iterator[S]:
        """The translatable units, in order."""
        raise NotImplementedError

    def owner(self, slot: S) -> Hashable:
        """A key that adjacent slots share if they are written together."""
        return slot.unit.address

    def write(self, slots: Sequence[S], changed: Mapping[str, SegmentState], pair: LanguagePair) -> None:
        """Splice in the changed states of adjacent slots with one `owner`; `pair` is the project's pair."""
        raise NotImplementedError

    def name_language(self, code: str, changed: Mapping[str, SegmentState]) -> None:
        """Declare the targets' language in a file without a declaration; `code` is "" if unknown."""

    def remarks(self, slots: Sequence[S]) -> tuple[Message, ...]:
        """Notes for the user, for `Opened.notes`."""
        return ()

    def data(self) -> bytes:
        raise NotImplementedError


class TextUnits(Units[S]):
    def __init__(self, decoded: DecodedText) -> None:
        self.decoded, self.encoding = decoded, decoded.encoding
        self.splices: list[tuple[int, int, str]] = []

    def data(self) -> bytes:
        return self.decoded.encode(spliced(self.decoded.text, self.splices))


class XmlUnits(Units[XmlSlot]):
    def __init__(self, document: XmlText) -> None:
        self.document, self.encoding = document, document.encoding

    def owner(self, slot: XmlSlot) -> Hashable:
        return slot.owner.start

    def remarks(self, slots: Sequence[XmlSlot]) -> tuple[Message, ...]:
        return inner_text_notes(self.document)

    def data(self) -> bytes:
        return self.document.data()


@dataclass(slots=True, eq=False)
class UnitFormat:
    """A format whose files contain targets and states; exports change both. `units` parses a file."""

    name: str
    label: str
    extensions: tuple[str, ...]
    units: Callable[[bytes, ReadOptions], Units[Any]]

    def open(self, data: bytes, options: ReadOptions) -> Opened:
        units = self.units(data, options)
        slots = _slots(units)
        blocks = tuple(slot.block for slot in slots)

        def fill(fillings: Fillings) -> bytes:
            changed, pair = changes(blocks, fillings.units), fillings.pair
            if not changed:
                return data
            for _, adjacent in groupby(slots, key=units.owner):
                group = list(adjacent)
                if any(slot.unit.address in changed for slot in group):
                    units.write(group, changed, pair)
            texts = [(slot.unit.sentence.source, slot.state_in(changed).target) for slot in slots]
            units.name_language(code_of_targets(texts, pair), changed)
            return units.data()

        return Opened(lambda: blocks, fill, lambda: units.remarks(slots), units.encoding, units.choices)


def _slots(units: Units[S]) -> list[S]:
    slots: list[S] = []
    for slot in units.slots():
        slots.append(slot)
        check_sentences(len(slots))
    return slots
