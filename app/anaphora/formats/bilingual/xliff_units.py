"""What both versions of XLIFF share: a text of a file that can be translated, and how to write it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from anaphora.core.segment import SegmentState
from anaphora.formats.base.limits import check_sentences
from anaphora.formats.base.pieces import Piece
from anaphora.formats.base.placeholders import ENTITY
from anaphora.formats.bilingual.escaped_markup import pairs_of_texts
from anaphora.formats.bilingual.units import Unit, UnitPlace, make_unit
from anaphora.formats.bilingual.xml_inline import Dialect, key_of, pieces_of
from anaphora.formats.bilingual.xml_nodes import Node
from anaphora.formats.bilingual.xml_text import XmlText

"""What a unit of several segments says is what its least finished segment says."""


@dataclass(frozen=True, slots=True)
class Slot(UnitPlace):
    """A segment's place in its file.

    Attributes:
        owner: the trans-unit or segment element.
        source: the element that holds the source: source, mrk or seg.
        target: the same of the target; None where it has to be made.
    """

    owner: Node
    source: Node
    target: Node | None


class Version(Protocol):
    """Reads and writes one version of XLIFF."""

    def slots(self) -> list[Slot]:
        """All that can be translated, in order."""
        ...

    def write(self, owner: Node, slots: Sequence[Slot], changed: Mapping[str, SegmentState]) -> None:
        """Splice the changed states of one owner's slots."""
        ...

    def name_language(self, code: str) -> None:
        """Say the language of targets that have been written, where the file says none; "" for unknown."""
        ...


def bounded(slots: Iterable[Slot]) -> list[Slot]:
    """All of them.

    Raises:
        FormatError: there are more than a document has.
    """
    found: list[Slot] = []
    for slot in slots:
        found.append(slot)
        check_sentences(len(found))
    return found


def unit_of(
    document: XmlText,
    address: str,
    source: Node,
    target: Node | None,
    inline: Dialect,
    codes: re.Pattern[str] = ENTITY,
) -> Unit:
    """A source and its target as a unit; white space means something in it if xml:space says so.

    Args:
        codes: finds what is a tag in texts.
    """
    pieces = pieces_of(document, source, inline)
    translation = () if target is None else pieces_of(document, target, inline)
    texts = pairs_of_texts(document, pieces, translation, codes)
    squeeze = source.scope.get("xml:space", "default") != "preserve"
    return make_unit(address, *texts, key_of, squeeze)


def state_of(slot: Slot, changed: Mapping[str, SegmentState]) -> SegmentState:
    """A slot's state after the changes."""
    return changed.get(slot.unit.address, SegmentState(slot.unit.target, slot.status))


def filled(slot: Slot, state: SegmentState) -> list[Piece]:
    """The pieces of a slot's new target."""
    return slot.unit.fill(state.target)


def is_blank(document: XmlText, node: Node | None) -> bool:
    """Whether an element is missing or holds neither text nor elements."""
    return node is None or (not node.children and not document.plain(node))
