"""What Word shows besides paragraphs: texts in attributes, labels of lists, and texts bound to a property.

A content control may be bound to a node of another part (`w:dataBinding`): Word fills it from there whenever
the document is opened. One that is translated is bound no longer. Labels of lists (`w:lvlText`) are offered
where a paragraph or a style is numbered by them: templates bring many more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anaphora.formats.base.marked_text import marked
from anaphora.formats.base.package import Package
from anaphora.formats.base.pieces import WORD, Kind, Piece
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.xml import Element, clean
from anaphora.formats.office.drawing import LINK_TIPS, TIP, Attributes, TextPlace
from anaphora.formats.office.opc import Part, W, linked, load

_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_VML = "{urn:schemas-microsoft-com:vml}"
_PICTURE = "Alternative text of a picture"
ATTRIBUTES: Attributes = {
    **LINK_TIPS,
    _WP + "docPr": {"descr": _PICTURE, "title": "Title of a picture"},
    **{_VML + name: {"alt": _PICTURE} for name in ("shape", "rect", "group", "roundrect")},
    _VML + "textpath": {"string": "Watermark"},
    W + "hyperlink": {W + "tooltip": TIP},
    W + "alias": {W + "val": "Title of a field to fill in"},
    W + "tblCaption": {W + "val": "Title of a table"},
    W + "tblDescription": {W + "val": "Alternative text of a table"},
    W + "listItem": {W + "displayText": "A choice in a list"},
    W + "listEntry": {W + "val": "A choice in a list"},
    W + "helpText": {W + "val": "Help on a form field"},
    W + "statusText": {W + "val": "Help on a form field"},
}
_NUMBER = re.compile(r"%[1-9]")


@dataclass(frozen=True, slots=True)
class _LabelHolder:
    """The label of a level of a list ("第%1章"); the numbers in it are tags."""

    element: Element

    def pieces(self) -> list[Piece]:
        return marked(self.element.get(W + "val", ""), _NUMBER, stand_in=WORD)

    def fill(self, pieces: list[Piece]) -> None:
        """A percent sign before a digit would number there."""
        texts = (
            piece.raw if piece.kind is Kind.ALONE else re.sub(r"%(?=[1-9])", "% ", clean(piece.text))
            for piece in pieces
        )
        self.element.set(W + "val", "".join(texts))


def list_labels(package: Package, shown: Sequence[Part], words: SourceWords) -> Iterator[TextPlace]:
    """The labels with words of the lists that are in use; `shown` begins with the main part."""
    lists = linked(package, shown[0].name, "numbering")
    if not lists:
        return
    numbering = load(package, lists[-1])
    users = [*shown, *(load(package, name) for name in linked(package, shown[0].name, "styles")[-1:])]
    used = {number.get(W + "val") for part in users for number in part.tree.iter(W + "numId")}
    kinds = {
        link.get(W + "val")
        for number in numbering.tree.iter(W + "num")
        for link in number.iterchildren(W + "abstractNumId")
        if number.get(W + "numId") in used
    }
    for kind in numbering.tree.iter(W + "abstractNum"):
        for level in kind.iter(W + "lvlText") if kind.get(W + "abstractNumId") in kinds else ():
            if words.in_text(level.get(W + "val", "")):
                yield TextPlace(numbering, _LabelHolder(level), "Label of the items of a list")


def bound_texts(part: Part) -> list[tuple[Element, str]]:
    """The bindings (`w:dataBinding`) of a part with what their controls show."""
    return [
        (binding, "".join(text.text or "" for text in control.iter(W + "t")))
        for binding in part.tree.iter("{*}dataBinding")
        for control in list(binding.iterancestors(W + "sdt"))[:1]
    ]


def unbind(before: Sequence[tuple[Element, str]], after: Sequence[tuple[Element, str]]) -> None:
    """Free controls whose text changed: Word would fill them from where they are bound again."""
    for row, (binding, text) in enumerate(after):
        is_same = len(before) == len(after) and before[row][1] == text
        if not is_same:
            binding.getparent().remove(binding)
