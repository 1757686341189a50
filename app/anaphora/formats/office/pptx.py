"""PowerPoint presentations: slides in order with tables, charts, diagrams, notes, comments, picture texts.

Texts of masters and layouts are translated if slides show them; prompts of placeholders ("Click to add a
title") are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anaphora.core.errors import Message
from anaphora.core.notes import Note
from anaphora.core.structure import Structure, structure_note
from anaphora.formats.base.package import Package
from anaphora.formats.base.target_language import SourceWords
from anaphora.formats.base.xml import Element
from anaphora.formats.office.drawing import (
    C,
    LocatedText,
    PlainHolder,
    TextPlace,
    attribute_places,
    property_places,
    shapes_places,
)
from anaphora.formats.office.office_file import OfficeFile, OfficeFormat, omission_notes
from anaphora.formats.office.opc import A, P, Part, R, core_properties, linked, load, main_part, relations
from anaphora.formats.office.runs import RunHolder

_MAIN = re.compile(
    r"(presentationml|ms-powerpoint)\.(presentation|slideshow|template)(\.macroEnabled)?\.main\+xml$",
    re.IGNORECASE,
)
_CHART_DATA = Message(
    "Data tables behind charts are not translated: {count}. Their source text appears when you edit the data."
)
_COMPUTED = Message(
    "Dates and other fields computed by PowerPoint are not translated. Fields that contain text: {count}."
)
_RELATED_KINDS = {
    "chart": "chart", "chartEx": "chart", "chartUserShapes": "chart", "diagramData": "diagram",
    "notesSlide": "notes", "comments": "comment",
}  # fmt: skip
_SECTION = "{http://schemas.microsoft.com/office/powerpoint/2010/main}section"
_SECTIONS = {"name": "Name of a section"}
_TEMPLATE = "Slide layout"
_TITLES = {"title": 1, "ctrTitle": 1, "subTitle": 2}
_BULLETS = tuple(A + name for name in ("buChar", "buAutoNum", "buBlip"))
_LEVELS = tuple("012345678")
_CONTENT = ("", "obj")
"""Placeholders for a slide's content, whose paragraphs have bullets in nearly every master."""


class _Presentation(OfficeFile):
    def __init__(self, package: Package, words: SourceWords) -> None:
        super().__init__(package, words)
        self._main = load(package, main_part(package, _MAIN, Message("PowerPoint presentation")))
        self._loaded_names: set[str] = set()
        self._sources = list(self._slides())

    def notes(self, _: Sequence[LocatedText]) -> tuple[Message, ...]:
        trees = [part.tree for part, note in self._sources if note != _TEMPLATE]
        charts = sum(next(tree.iter(C + "externalData"), None) is not None for tree in trees)
        fields = ("".join(field.itertext()) for tree in trees for field in tree.iter(A + "fld"))
        counts = {_CHART_DATA: charts, _COMPUTED: sum(map(self.words.in_text, fields))}
        return omission_notes(self.package, self.words, trees, counts)

    def structure_of(self, place: TextPlace) -> tuple[Note, ...]:
        """A note on the role of a slide's paragraph (title, list item, cell); empty for other text."""
        if not isinstance(place.holder, RunHolder):
            return ()
        paragraph = place.holder.element
        if next(paragraph.iterancestors(A + "tc"), None) is not None:
            return (structure_note(Structure.CELL),)
        kind = _placeholder(paragraph)
        if kind in _TITLES:
            return (structure_note(Structure.HEADING, _TITLES[kind]),)
        properties = paragraph.find(A + "pPr")
        if not _has_bullet(properties, kind):
            return ()
        level = properties.get("lvl", "0") if properties is not None else "0"
        return (structure_note(Structure.LIST_ITEM, int(level) + 1 if level in _LEVELS else 1),)

    def places(self) -> Iterator[TextPlace]:
        for part, note in self._sources:
            for place in shapes_places(part, note):
                if note != _TEMPLATE or _is_shown(place):
                    yield place
            for text in part.tree.iter(P + "text"):
                yield TextPlace(part, PlainHolder(text), note)
        for section in self._main.tree.iter(_SECTION):
            if self.words.in_text(section.get("name", "")):
                yield from attribute_places(self._main, section, _SECTIONS)
        yield from property_places(core_properties(self.package), self.words)

    def _slides(self) -> Iterator[tuple[Part, str]]:
        """Each slide and its related parts, then layouts and masters, as (part, note on its position)."""
        links = relations(self.package, self._main.name)
        layouts: dict[str, None] = {}
        for number, entry in enumerate(self._main.tree.iter(P + "sldId"), start=1):
            slide = links.get(entry.get(R + "id", ""))
            if slide is None or slide.target in self._loaded_names:
                continue
            self._loaded_names.add(slide.target)
            part = load(self.package, slide.target)
            is_hidden = part.tree.getroot().get("show") in ("0", "false")
            label = f"Slide {number}, hidden" if is_hidden else f"Slide {number}"
            yield part, label
            yield from self._related_parts(slide.target, label)
            layouts |= dict.fromkeys(linked(self.package, slide.target, "slideLayout"))
        masters = (master for layout in layouts for master in linked(self.package, layout, "slideMaster"))
        for name in dict.fromkeys((*layouts, *masters)):
            yield load(self.package, name), _TEMPLATE

    def _related_parts(self, slide: str, label: str) -> Iterator[tuple[Part, str]]:
        for kind, description in _RELATED_KINDS.items():
            for name in (slide, *linked(self.package, slide, "chart")):
                for target in sorted(linked(self.package, name, kind)):
                    if target not in self._loaded_names:
                        self._loaded_names.add(target)
                        yield load(self.package, target), f"{label}, {description}"


def _is_shown(place: TextPlace) -> bool:
    """True if a text of a layout or master is visible on slides, unlike placeholders and descriptions."""
    return isinstance(place.holder, RunHolder) and _placeholder(place.holder.element) is None


def _placeholder(paragraph: Element) -> str | None:
    """The type of the placeholder around a paragraph; "" for any content, None without a placeholder."""
    shape = next(paragraph.iterancestors(P + "sp"), None)
    mark = None if shape is None else shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
    return str(mark.get("type", "")) if mark is not None else None


def _has_bullet(properties: Element | None, placeholder: str | None) -> bool:
    if properties is not None:
        if properties.find(A + "buNone") is not None:
            return False
        if any(properties.find(bullet) is not None for bullet in _BULLETS):
            return True
    return placeholder in _CONTENT


FORMAT = OfficeFormat(
    "pptx", "PowerPoint presentation", (".pptx", ".ppsx", ".potx", ".pptm", ".ppsm", ".potm"), _Presentation
)
