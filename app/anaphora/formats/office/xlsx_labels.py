"""Words of a workbook outside its cells: prompts, messages for wrong entries, tips, captions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from anaphora.formats.base.format import FormatError
from anaphora.formats.base.package import Package
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.xml import Element
from anaphora.formats.office.drawing import PlainHolder, TextPlace
from anaphora.formats.office.opc import Part, S, content_types, load
from anaphora.formats.office.tips import TIP, Attributes, attribute_places

X14 = "{http://schemas.microsoft.com/office/spreadsheetml/2009/9/main}"
_PROMPTS = {
    "promptTitle": "Title of the prompt of a cell", "prompt": "Prompt of a cell",
    "errorTitle": "Title of the message for a wrong entry", "error": "Message for a wrong entry",
}  # fmt: skip
ON_SHEETS: Attributes = {
    S + "dataValidation": _PROMPTS,
    X14 + "dataValidation": _PROMPTS,
    S + "hyperlink": {"tooltip": TIP},
}
"""In the part of a sheet."""
_LONGEST = {"promptTitle": 32, "prompt": 255, "errorTitle": 32, "error": 225}
"""Characters that Excel takes; with more it calls the workbook damaged."""
_CAPTIONS: Attributes = {
    S + "pivotTableDefinition": dict.fromkeys(
        ("dataCaption", "grandTotalCaption", "errorCaption", "missingCaption", "rowHeaderCaption",
         "colHeaderCaption"), "Caption in a pivot table"
    ),
    X14 + "slicer": {"caption": "Caption of a slicer"},
    S + "slicer": {"caption": "Caption of a slicer"},
}  # fmt: skip
_NAMED = {"pivotField": ("name", "subtotalCaption"), "dataField": ("name",), "item": ("n",)}
_WANTED = (
    ("cfRule", "text"), ("filter", "val"), ("filter", "stringValue1"), ("customFilter", "val")
)  # fmt: skip
_FILTERED = re.compile(r"(table|pivotTable)\+xml$")
_CAPTIONED = re.compile(r"(pivotTable|slicer)\+xml$")
_VML = re.compile(r"vmlDrawing$")
_BOX = re.compile(rb"<v:textbox.*?</v:textbox>", re.DOTALL)


def sheet_label_places(part: Part, note: str) -> Iterator[TextPlace]:
    """The texts outside the cells of a sheet, in its part; those of prompts are cut to what Excel takes."""
    for place in attribute_places(part, ON_SHEETS, note):
        holder = place.holder
        assert isinstance(holder, PlainHolder)
        longest = _LONGEST.get(holder.attribute)
        if longest is None:
            yield place
        else:
            cut = PlainHolder(holder.element, holder.attribute, lambda text, longest=longest: text[:longest])  # type: ignore[misc]
            yield TextPlace(part, cut, f"{place.note}: at most {longest} characters")


def captioned_parts(package: Package) -> list[Part]:
    """Pivot tables and slicers, which have captions."""
    kinds = content_types(package)
    return [load(package, name) for name, kind in kinds.items() if _CAPTIONED.search(kind)]


def caption_places(parts: Iterable[Part], words: SourceWords) -> Iterator[TextPlace]:
    """The captions of pivot tables and slicers that are in the workbook's language."""
    for part in parts:
        for place in attribute_places(part, _CAPTIONS):
            if words.in_text("".join(piece.text for piece in place.holder.pieces())):
                yield place


def names_of_fields(parts: Iterable[Part], words: SourceWords) -> int:
    """How many fields, values and items of pivot tables have names of their own, which are not offered."""
    names = (
        element.get(name, "")
        for part in parts
        for tag, attributes in _NAMED.items()
        for element in part.tree.iter(S + tag)
        for name in attributes
    )
    return sum(map(words.in_text, names))


def looks_for_words(element: Element, words: SourceWords) -> bool:
    """Whether conditional formats or filters in an element look for words of the language."""
    said = (child.text or "" for child in element.iter("{*}formula", "{*}f"))
    values = (child.get(name, "") for tag, name in _WANTED for child in element.iter("{*}" + tag))
    return any(map(words.in_strings, said)) or any(map(words.in_text, values))


def tables_with_filters(package: Package, words: SourceWords) -> int:
    """How many tables and pivot tables have filters that look for words of the language."""
    found = 0
    for name, kind in content_types(package).items():
        if _FILTERED.search(kind):
            try:
                root = load(package, name).tree.getroot()
            except FormatError:
                continue  # nothing of it is offered: a note is no reason to refuse the workbook
            found += looks_for_words(root, words)
    return found


def labels_of_controls(package: Package, words: SourceWords) -> int:
    """How many old form controls (buttons, boxes to tick) have labels, which are not offered."""
    found = 0
    for name, kind in content_types(package).items():
        if _VML.search(kind):
            try:
                boxes = _BOX.findall(package.read(name))
            except FormatError:
                continue  # drawn shapes that cannot be read hold nothing that could be counted
            found += sum(words.in_markup(box.decode("utf-8", "replace")) for box in boxes)
    return found
