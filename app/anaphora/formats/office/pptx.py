"""PowerPoint presentations: slides in their order with tables, charts, diagrams, notes, comments, alt texts.

Of masters and layouts only what slides show is translated: not the prompts of placeholders ("Click to add a
title").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from anaphora.core.errors import Message
from anaphora.formats.base import remarks
from anaphora.formats.base.format import Reading
from anaphora.formats.base.package import Package
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.office.docx_left_out import words_in_formulas
from anaphora.formats.office.drawing import (
    C,
    PlainHolder,
    RunHolder,
    TextPlace,
    blocks_of,
    drawing_of,
    fill_translated,
    in_reading_order,
    located,
    located_twins,
    property_places,
    shapes_places,
)
from anaphora.formats.office.languages import with_languages
from anaphora.formats.office.number_formats import note_on_formats
from anaphora.formats.office.opc import A, P, Part, R, Relation, core_properties, load, main_part, relations
from anaphora.formats.office.pptx_structure import slide_structure
from anaphora.formats.office.tips import (
    LINK_TIPS,
    Attributes,
    attribute_places,
    more_places,
)

_MAIN = re.compile(
    r"(presentationml|ms-powerpoint)\.(presentation|slideshow|template)(\.macroEnabled)?\.main\+xml$"
)
CHART_DATA = Message(
    "Charts keep the words of the tables behind them, which show when their data is edited: {count}."
)
_NAMES = {"chart": "chart", "diagramData": "diagram", "notesSlide": "notes", "comments": "comment"}


_PROMPTS = f"{P}nvPr/{P}ph"
_P14 = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"
_COMPUTED = Message(
    "Dates and other fields that PowerPoint computes stay as they are; so many show words: {count}."
)
_SECTIONS: Attributes = {_P14 + "section": {"name": "Name of a section"}}


@dataclass(frozen=True, slots=True)
class _Source:
    """A part with texts.

    Attributes:
        part: the part.
        note: what it is, for the translator.
        twin: a part that says the same again: a diagram's drawing beside its data.
        is_template: whether it is a master or layout, whose prompts are not shown.
        is_drawn: whether it is a chart of a newer kind, or what is drawn over a chart.
    """

    part: Part
    note: str
    twin: Part | None = None
    is_template: bool = False
    is_drawn: bool = False

    def places(self) -> list[TextPlace]:
        """Its texts, in order."""
        tips = () if self.is_drawn else attribute_places(self.part, LINK_TIPS, self.note)
        return in_reading_order((*self.texts(), *tips, *more_places([(self.part, self.note)])))

    def texts(self) -> Iterator[TextPlace]:
        """Those that stand on the slide itself."""
        for place in shapes_places(self.part, self.note):
            if not (self.is_template and _is_prompt(place)):
                yield place
        for text in self.part.tree.iter(P + "text"):
            yield TextPlace(self.part, PlainHolder(text), self.note)

    def computed(self, words: SourceWords) -> int:
        """How many fields show words of the document's language, which stay: dates, mostly."""
        if self.is_template:
            return 0
        return sum(words.in_text("".join(field.itertext())) for field in self.part.tree.iter(A + "fld"))


class Pptx:
    """Reader and writer of PowerPoint presentations."""

    name = "pptx"
    label = "PowerPoint presentation"
    extensions: tuple[str, ...] = (".pptx", ".ppsx", ".potx", ".pptm", ".ppsm", ".potm")

    def blocks(self, data: bytes, reading: Reading) -> Parsed:
        """See `Format.blocks`."""
        package, words = Package(data), SourceWords.of(reading)
        contents = _Contents.of(package, words)
        sources = contents.sources
        charts = sum(next(source.part.tree.iter(C + "externalData"), None) is not None for source in sources)
        fields = sum(source.computed(words) for source in sources)
        formulas = sum(words_in_formulas(source.part.tree, words) for source in sources)
        found = {CHART_DATA: charts, _COMPUTED: fields, remarks.FORMULAS: formulas}
        notes = remarks.counted(found.items())
        notes += note_on_formats(package, words)
        blocks = blocks_of(located(contents.places()), slide_structure)
        return Parsed(blocks, notes=notes)

    def fill(self, data: bytes, fillings: Fillings, reading: Reading) -> bytes:
        """See `TextFormat.fill`. Parts without translations keep their bytes."""
        package = Package(data)
        contents = _Contents.of(package, SourceWords.of(reading))
        found = located(contents.places())
        drawings = {source.part.name: source.twin for source in contents.sources if source.twin is not None}
        changed = fill_translated([*found, *located_twins(drawings, found)], fillings)
        return package.rewrite({name: part.data() for name, part in changed.items()})

    def name_language(self, data: bytes, reading: Reading, target: TargetLanguage) -> bytes:
        """See `NamesLanguage.name_language`."""
        return with_languages(data, target)


@dataclass(frozen=True, slots=True)
class _Contents:
    """What a presentation shows.

    Attributes:
        main: the presentation, with the names of its sections.
        sources: the parts with texts.
        properties: the part with its title and the like, or None.
        words: of the presentation's language.
    """

    main: Part
    sources: Sequence[_Source]
    properties: Part | None
    words: SourceWords

    @classmethod
    def of(cls, package: Package, words: SourceWords) -> _Contents:
        """Look through a package."""
        main = load(package, main_part(package, _MAIN, Message("PowerPoint presentation")))
        return cls(main, list(_sources(package, main)), core_properties(package), words)

    def places(self) -> Iterator[TextPlace]:
        """All texts, then names of sections that are in the document's language, and properties."""
        for source in self.sources:
            yield from source.places()
        for place in attribute_places(self.main, _SECTIONS):
            if self.words.in_text("".join(piece.text for piece in place.holder.pieces())):
                yield place
        yield from property_places(self.properties, self.words)


def _sources(package: Package, presentation: Part) -> Iterator[_Source]:
    """Each slide with what belongs to it, then what masters and layouts show on slides."""
    links = relations(package, presentation.name)
    done: set[str] = set()
    layouts: dict[str, None] = {}
    slides = (links.get(entry.get(R + "id", "")) for entry in presentation.tree.iter(P + "sldId"))
    for number, slide in enumerate(slides, start=1):
        if slide is None or slide.target in done:
            continue
        done.add(slide.target)
        part = load(package, slide.target)
        where = f"Slide {number}"
        if part.tree.getroot().get("show") in ("0", "false"):
            where += ", hidden"
        yield _Source(part, where)
        others = relations(package, slide.target)
        layouts |= {link.target: None for link in others.values() if link.kind == "slideLayout"}
        drawings = [link.target for link in others.values() if link.kind == "diagramDrawing"]
        for other in _belonging(others):
            if other.target in done:
                continue
            done.add(other.target)
            drawing = drawing_of(other.target, drawings) if other.kind == "diagramData" else ""
            twin = load(package, drawing) if drawing else None
            yield _Source(load(package, other.target), f"{where}, {_NAMES[other.kind]}", twin)
        for name in _drawn(package, others):
            if name not in done:
                done.add(name)
                yield _Source(load(package, name), f"{where}, chart", is_drawn=True)
    for name in _templates(package, layouts):
        yield _Source(load(package, name), "Layout of slides", is_template=True)


def _drawn(package: Package, links: Mapping[str, Relation]) -> Iterator[str]:
    """The charts of newer kinds on a slide, and what is drawn over its charts."""
    for link in links.values():
        if link.kind == "chartEx":
            yield link.target
        elif link.kind == "chart":
            others = relations(package, link.target).values()
            yield from (other.target for other in others if other.kind == "chartUserShapes")


def _templates(package: Package, layouts: Iterable[str]) -> list[str]:
    """The layouts in use and their masters, each once."""
    masters = (
        link.target
        for layout in layouts
        for link in relations(package, layout).values()
        if link.kind == "slideMaster"
    )
    return list(dict.fromkeys((*layouts, *masters)))


def _belonging(links: Mapping[str, Relation]) -> list[Relation]:
    """The parts that a slide shows or carries, in a fixed order."""
    wanted = [link for link in links.values() if link.kind in _NAMES]
    order = list(_NAMES)
    return sorted(wanted, key=lambda link: (order.index(link.kind), link.target))


def _is_prompt(place: TextPlace) -> bool:
    """Whether a text stands in a placeholder, or is the description of a template's shape."""
    if not isinstance(place.holder, RunHolder):
        return True
    shape = next(place.holder.element.iterancestors(P + "sp"), None)
    return shape is not None and shape.find(f"{P}nvSpPr/{_PROMPTS}") is not None


FORMAT = Pptx()
