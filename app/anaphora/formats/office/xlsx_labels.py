"""Words of a workbook outside its cells: prompts, messages for wrong entries, tips, captions."""

from __future__ import annotations

from collections.abc import Iterator

from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.xml import Element
from anaphora.formats.office.drawing import PlainHolder, TextPlace
from anaphora.formats.office.opc import Part, S
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
_WANTED = (
    ("cfRule", "text"), ("filter", "val"), ("filter", "stringValue1"), ("customFilter", "val")
)  # fmt: skip


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


def looks_for_words(element: Element, words: SourceWords) -> bool:
    """Whether conditional formats or filters in an element look for words of the language."""
    said = (child.text or "" for child in element.iter("{*}formula", "{*}f"))
    values = (child.get(name, "") for tag, name in _WANTED for child in element.iter("{*}" + tag))
    return any(map(words.in_strings, said)) or any(map(words.in_text, values))
