"""What a paragraph of a slide is: a title, an item of a list, a cell."""

from __future__ import annotations

from anaphora.core.notes import Note
from anaphora.core.structure import Structure, structure_note
from anaphora.formats.base.xml import Element
from anaphora.formats.office.drawing import RunHolder, TextPlace
from anaphora.formats.office.opc import A, P

_TITLES = {"title": 1, "ctrTitle": 1, "subTitle": 2}
_BULLETS = tuple(A + name for name in ("buChar", "buAutoNum", "buBlip"))
_LEVELS = tuple("012345678")
_CONTENT = ("", "obj")
"""The placeholders of a slide's content, whose paragraphs have bullets in every master but odd ones."""


def slide_structure(place: TextPlace) -> tuple[Note, ...]:
    """What stands in a place, as a note; none for a plain paragraph and for what is none."""
    if not isinstance(place.holder, RunHolder):
        return ()
    paragraph = place.holder.element
    if next(paragraph.iterancestors(A + "tc"), None) is not None:
        return (structure_note(Structure.CELL),)
    shape = next(paragraph.iterancestors(P + "sp"), None)
    kind = _placeholder(shape) if shape is not None else None
    if kind in _TITLES:
        return (structure_note(Structure.HEADING, _TITLES[kind]),)
    properties = paragraph.find(A + "pPr")
    if not _has_bullet(properties, kind):
        return ()
    level = properties.get("lvl", "0") if properties is not None else "0"
    return (structure_note(Structure.LIST_ITEM, int(level) + 1 if level in _LEVELS else 1),)


def _placeholder(shape: Element) -> str | None:
    """The kind of placeholder that a shape is; "" for one of any content, None for none."""
    found = shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
    return str(found.get("type", "")) if found is not None else None


def _has_bullet(properties: Element | None, placeholder: str | None) -> bool:
    if properties is not None:
        if properties.find(A + "buNone") is not None:
            return False
        if any(properties.find(bullet) is not None for bullet in _BULLETS):
            return True
    return placeholder in _CONTENT
