"""What a Word paragraph is: a heading, an item of a list, a cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anaphora.core.notes import HIDDEN, Note
from anaphora.core.structure import Structure, structure_note
from anaphora.formats.base.package import Package
from anaphora.formats.base.xml import Element
from anaphora.formats.office.docx_paragraph import ParagraphHolder, is_hidden
from anaphora.formats.office.drawing import TextPlace
from anaphora.formats.office.opc import W, linked, load

_HEADING_STYLE = re.compile(r"(?:heading|标题|berschrift|Titre)\s*([1-9])$", re.IGNORECASE)
_TITLES = {"title": 1, "subtitle": 2}
"""Word's own styles of these names have them in every language."""
_LEVELS = tuple("012345678")


class ParagraphStyles:
    """What the styles of a document make of its paragraphs."""

    def __init__(self, package: Package, main: str) -> None:
        parts = [load(package, name) for name in linked(package, main, "styles")[-1:]]
        styles = (each for part in parts for each in part.tree.iter(W + "style"))
        self._by_id = {str(each.get(W + "styleId", "")): each for each in styles}

    def structure_of(self, place: TextPlace) -> tuple[Note, ...]:
        """What stands in a place, as a note; none for a plain paragraph and beside the text."""
        if place.note or not isinstance(place.holder, ParagraphHolder):
            return ()
        paragraph = place.holder.element
        if is_hidden(paragraph):
            return (HIDDEN,)
        style = _value([paragraph], f"{W}pPr/{W}pStyle")
        every = [paragraph, *self._with_bases(style)]
        names = [_value([each], W + "name") for each in every[1:]]
        level = _value(every, f"{W}pPr/{W}outlineLvl")
        if named := _HEADING_STYLE.search(style):
            return (structure_note(Structure.HEADING, int(named[1])),)
        if level in _LEVELS:
            return (structure_note(Structure.HEADING, int(level) + 1),)
        if title := next((found for name in names if (found := _TITLES.get(name.casefold()))), 0):
            return (structure_note(Structure.HEADING, title),)
        if item := _item(every):
            return (structure_note(Structure.LIST_ITEM, item),)
        is_cell = next(paragraph.iterancestors(W + "tc"), None) is not None
        return (structure_note(Structure.CELL),) if is_cell else ()

    def _with_bases(self, style_id: str) -> Iterator[Element]:
        """A style, and those that it is based on, the nearest first."""
        met: set[str] = set()
        while style_id in self._by_id and style_id not in met:
            met.add(style_id)
            yield self._by_id[style_id]
            style_id = _value([self._by_id[style_id]], W + "basedOn")


def _item(every: Sequence[Element]) -> int:
    """How deep a paragraph lies as an item of a list, from 1; 0 for none.

    Args:
        every: the paragraph and its styles.
    """
    found = (each.find(f"{W}pPr/{W}numPr") for each in every)
    numbering = next((each for each in found if each is not None), None)
    # A paragraph that is none although its style is one has the number 0.
    if numbering is None or _value([numbering], W + "numId") == "0":
        return 0
    deep = _value([numbering], W + "ilvl")
    return int(deep) + 1 if deep in _LEVELS else 1


def _value(every: Sequence[Element], path: str) -> str:
    """The first value at a path, "" for none."""
    found = (each.find(path) for each in every)
    return next((str(each.get(W + "val", "")) for each in found if each is not None), "")
