"""What a paragraph of an OpenDocument text is: a heading, an item of a list, a cell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from anaphora.core.notes import Note
from anaphora.core.structure import Structure, structure_note
from anaphora.formats.base.xml import Element as XmlElement
from anaphora.formats.markup.dialect import Element

_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_TITLES = {"Title": 1, "Subtitle": 2}
"""LibreOffice's own styles of these names have them in every language."""
_ITEMS = ("text:list-item", "text:list-header")
_DEEPEST = 10
"""Levels of headings and lists in OpenDocument."""


def title_styles(root: XmlElement) -> dict[str, int]:
    """The styles of titles and subtitles, and those that a part derives from them: the levels to show."""
    found = dict(_TITLES)
    for style in root.iter(_STYLE + "style"):
        level = _TITLES.get(style.get(_STYLE + "parent-style-name", ""))
        if level is not None:
            found[style.get(_STYLE + "name", "")] = level
    return found


def structure_of(element: Element, around: Sequence[str], titles: Mapping[str, int]) -> tuple[Note, ...]:
    """What a `text:p` or `text:h` is, as a note; none for a plain paragraph.

    Args:
        around: the names of the elements that hold it, from the outermost on.
        titles: see `title_styles`.
    """
    found = element.attributes()
    if element.name == "text:h":
        level = found.get("text:outline-level")
        return (structure_note(Structure.HEADING, _level(level.value if level is not None else "")),)
    style = found.get("text:style-name")
    if style is not None and style.value in titles:
        return (structure_note(Structure.HEADING, titles[style.value]),)
    depth = 0
    for name in reversed(around):
        if name in _ITEMS:
            depth += 1
        elif name == "table:table-cell":
            # A list in a cell is a list.
            return (structure_note(Structure.LIST_ITEM, depth) if depth else structure_note(Structure.CELL),)
    return (structure_note(Structure.LIST_ITEM, min(depth, _DEEPEST)),) if depth else ()


def _level(text: str) -> int:
    return int(text) if re.fullmatch("[1-9]|10", text) else 1
