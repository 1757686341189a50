"""What a Word paragraph is: a heading, an item of a list, a cell."""

from __future__ import annotations

import re

from anaphora.core.notes import Note
from anaphora.core.structure import Structure, structure_note
from anaphora.formats.base.xml import Element
from anaphora.formats.office.docx_holders import ParagraphHolder
from anaphora.formats.office.docx_paragraph import W
from anaphora.formats.office.drawing import TextPlace

_HEADING_STYLE = re.compile(r"(?:heading|标题|berschrift|Titre)\s*([1-9])$", re.IGNORECASE)


def structure_of_place(place: TextPlace) -> tuple[Note, ...]:
    """What stands in a place, as a note; none for a plain paragraph and for what is none."""
    return _of_paragraph(place.holder.element) if isinstance(place.holder, ParagraphHolder) else ()


def _of_paragraph(paragraph: Element) -> tuple[Note, ...]:
    """By its own properties and place: a style that defines an outline level itself is not looked up."""
    properties = paragraph.find(W + "pPr")
    if properties is not None:
        named = _HEADING_STYLE.search(_value(properties.find(W + "pStyle")))
        if named:
            return (structure_note(Structure.HEADING, int(named[1])),)
        level = _value(properties.find(W + "outlineLvl"))
        if level in tuple("012345678"):
            return (structure_note(Structure.HEADING, int(level) + 1),)
        numbering = properties.find(W + "numPr")
        if numbering is not None:
            deep = _value(numbering.find(W + "ilvl"))
            return (structure_note(Structure.LIST_ITEM, int(deep) + 1 if deep in tuple("012345678") else 1),)
    if next(paragraph.iterancestors(W + "tc"), None) is not None:
        return (structure_note(Structure.CELL),)
    return ()


def _value(element: Element | None) -> str:
    return str(element.get(W + "val", "")) if element is not None else ""
