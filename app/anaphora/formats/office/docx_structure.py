"""What a Word paragraph is: a heading, an item of a list, a cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from anaphora.core.notes import HIDDEN, Note
from anaphora.core.structure import Structure, structure_note
from anaphora.formats.base.package import Package
from anaphora.formats.base.xml import Element
from anaphora.formats.office.docx_paragraph import ParagraphHolder, is_hidden
from anaphora.formats.office.drawing import TextPlace
from anaphora.formats.office.opc import W, load, relations

_HEADING_STYLE = re.compile(r"(?:heading|标题|berschrift|Titre)\s*([1-9])$", re.IGNORECASE)
_TITLES = {"title": 1, "subtitle": 2}
"""Word's own styles of these names have them in every language."""
_LIST_STYLE = re.compile(r"List (?:Bullet|Number) ([2-5])$", re.IGNORECASE)
"""Word's own styles of deeper items have these names in every language; each is a list of one level."""
_LEVELS = tuple("012345678")
_NO_LIST = "0"
"""The number of a list in a paragraph that is none although its style is one."""


@dataclass(frozen=True, slots=True)
class ParagraphStyles:
    """The styles of a document, by their ids."""

    by_id: Mapping[str, Element]

    @classmethod
    def of(cls, package: Package, main: str) -> ParagraphStyles:
        links = {link.kind: link.target for link in relations(package, main).values()}
        if "styles" not in links:
            return cls({})
        styles = load(package, links["styles"]).tree.iter(W + "style")
        return cls({str(each.get(W + "styleId", "")): each for each in styles})

    def structure_of(self, place: TextPlace) -> tuple[Note, ...]:
        """What stands in a place, as a note; none for a plain paragraph and beside the text."""
        if place.note or not isinstance(place.holder, ParagraphHolder):
            return ()
        if is_hidden(place.holder.element):
            return (HIDDEN,)
        return self._of_paragraph(place.holder.element)

    def _of_paragraph(self, paragraph: Element) -> tuple[Note, ...]:
        properties = paragraph.find(W + "pPr")
        if properties is not None:
            style = _value(properties.find(W + "pStyle"))
            named = _HEADING_STYLE.search(style)
            if named:
                return (structure_note(Structure.HEADING, int(named[1])),)
            styles = tuple(self._with_bases(style))
            level = _first([properties, *_properties(styles)], "outlineLvl")
            if level in _LEVELS:
                return (structure_note(Structure.HEADING, int(level) + 1),)
            if title := next((found for each in styles if (found := _title(each))), 0):
                return (structure_note(Structure.HEADING, title),)
            if item := _item(properties, styles):
                return (structure_note(Structure.LIST_ITEM, item),)
        if next(paragraph.iterancestors(W + "tc"), None) is not None:
            return (structure_note(Structure.CELL),)
        return ()

    def _with_bases(self, style_id: str) -> Iterator[Element]:
        """A style, and those that it is based on, the nearest first."""
        met: set[str] = set()
        while style_id in self.by_id and style_id not in met:
            met.add(style_id)
            style = self.by_id[style_id]
            yield style
            style_id = _value(style.find(W + "basedOn"))


def _title(style: Element) -> int:
    return _TITLES.get(_value(style.find(W + "name")).casefold(), 0)


def _item(properties: Element, styles: tuple[Element, ...]) -> int:
    """How deep a paragraph lies as an item of a list, from 1; 0 for none."""
    every = [properties, *_properties(styles)]
    numbering = next((found for each in every if (found := each.find(W + "numPr")) is not None), None)
    if numbering is None or _value(numbering.find(W + "numId")) == _NO_LIST:
        return 0
    deep = _value(numbering.find(W + "ilvl"))
    if deep in _LEVELS and deep != "0":
        return int(deep) + 1
    names = (_LIST_STYLE.match(_value(style.find(W + "name"))) for style in styles)
    return next((int(name[1]) for name in names if name), 1)


def _properties(styles: tuple[Element, ...]) -> Iterator[Element]:
    return (found for style in styles if (found := style.find(W + "pPr")) is not None)


def _first(every: list[Element], name: str) -> str:
    return next((_value(found) for each in every if (found := each.find(W + name)) is not None), "")


def _value(element: Element | None) -> str:
    return str(element.get(W + "val", "")) if element is not None else ""
