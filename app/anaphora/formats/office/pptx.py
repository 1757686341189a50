"""PowerPoint presentations: slides in their order with tables, charts, diagrams, notes, comments, alt texts.

Of masters and layouts only what slides show is translated: not the prompts of placeholders ("Click to add a
title").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from anaphora.core.counting import WordCount
from anaphora.core.errors import Message
from anaphora.formats.base.format import Parsed
from anaphora.formats.base.package import Package
from anaphora.formats.base.pieces import check_ids
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.office.drawing import (
    C,
    LocatedText,
    PlainHolder,
    RunHolder,
    TextPlace,
    count_properties,
    count_shapes,
    count_text,
    drawing_of,
    fill_translated,
    located_twins,
    property_places,
    segments,
    shapes_places,
    split_places,
)
from anaphora.formats.office.number_formats import note_on_formats
from anaphora.formats.office.opc import A, Part, R, Relation, core_properties, load, main_part, relations
from anaphora.formats.office.pptx_structure import slide_structure
from anaphora.formats.office.tips import (
    LINK_TIPS,
    Attributes,
    attribute_places,
    count_attributes,
    count_late,
    late_places,
)
from anaphora.formats.segmentation.segmenter import Segmenter

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_MAIN = re.compile(
    r"(presentationml|ms-powerpoint)\.(presentation|slideshow|template)(\.macroEnabled)?\.main\+xml$"
)
CHART_DATA = "Charts keep the words of the tables behind them, which show when their data is edited:"
_NAMES = {"chart": "chart", "diagramData": "diagram", "notesSlide": "notes", "comments": "comment"}


_PROMPTS = f"{P}nvPr/{P}ph"
_P14 = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"
_COMPUTED = "Dates and other fields that PowerPoint computes stay as they are; so many show words:"
_SECTIONS: Attributes = {_P14 + "section": {"name": "Name of a section"}}


@dataclass(frozen=True, slots=True)
class _Source:
    """A part with texts.

    Attributes:
        part: the part.
        note: what it is, for the translator.
        twin: a part that says the same again: a diagram's drawing beside its data.
        is_template: whether it is a master or layout, whose prompts are not shown.
    """

    part: Part
    note: str
    twin: Part | None = None
    is_template: bool = False

    def places(self) -> Iterator[TextPlace]:
        """Its texts."""
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

    def count(self) -> WordCount:
        """Its words."""
        if self.is_template:
            texts = ("".join(piece.text for piece in place.holder.pieces()) for place in self.places())
            return sum(map(count_text, texts), WordCount())
        comments = (count_text(text.text or "") for text in self.part.tree.iter(P + "text"))
        return sum(comments, count_shapes(self.part))


class Pptx:
    """Reader and writer of PowerPoint presentations."""

    name = "pptx"
    label = "PowerPoint presentation"
    extensions: tuple[str, ...] = (".pptx", ".ppsx", ".potx", ".pptm", ".ppsm", ".potm")

    def parse(self, data: bytes, segmenter: Segmenter) -> Parsed:
        """See `Format.parse`."""
        package, words = Package(data), SourceWords.of(segmenter)
        sources, properties = list(_sources(package)), core_properties(package)
        later = _Later.of(package, words)
        counted = sum((source.count() for source in sources), count_properties(properties, words))
        counted += later.count(sources)
        charts = sum(next(source.part.tree.iter(C + "externalData"), None) is not None for source in sources)
        fields = sum(source.computed(words) for source in sources)
        found = {CHART_DATA: charts, _COMPUTED: fields}
        notes = tuple(f"{text} {number}." for text, number in found.items() if number)
        notes += note_on_formats(package, words)
        located = _located(sources, properties, later, segmenter)
        return Parsed(segments(located, slide_structure), notes=notes, counted=counted)

    def render(self, data: bytes, translations: Mapping[str, str], segmenter: Segmenter) -> bytes:
        """See `Format.render`. Parts without translations keep their bytes."""
        package = Package(data)
        sources = list(_sources(package))
        later = _Later.of(package, SourceWords.of(segmenter))
        located = _located(sources, core_properties(package), later, segmenter)
        check_ids([each.block for each in located], translations)
        drawings = {source.part.name: source.twin for source in sources if source.twin is not None}
        twins = located_twins(drawings, located, segmenter)
        changed = fill_translated([*located, *twins], translations)
        return package.rewrite({name: part.data() for name, part in changed.items()})


@dataclass(frozen=True, slots=True)
class _Later:
    """What version 0.4 did not know: it comes last, so that other segments keep their numbers.

    Attributes:
        main: the presentation, with the names of its sections.
        drawn: charts of newer kinds, and what is drawn over charts.
        words: of the presentation's language.
    """

    main: Part
    drawn: list[_Source]
    words: SourceWords

    @classmethod
    def of(cls, package: Package, words: SourceWords) -> _Later:
        """Look for it."""
        main = main_part(package, _MAIN, Message("PowerPoint presentation"))
        drawn: dict[str, str] = {}
        for number, slide in enumerate(_slides(package, load(package, main)), start=1):
            for link in relations(package, slide).values():
                if link.kind == "chartEx":
                    drawn.setdefault(link.target, f"Slide {number}, chart")
                elif link.kind == "chart":
                    for other in relations(package, link.target).values():
                        if other.kind == "chartUserShapes":
                            drawn.setdefault(other.target, f"Slide {number}, chart")
        sources = [_Source(load(package, name), note) for name, note in drawn.items()]
        return cls(load(package, main), sources, words)

    def places(self, sources: Sequence[_Source]) -> Iterator[TextPlace]:
        """Tips, names of sections that are in the document's language, then charts."""
        for source in sources:
            yield from attribute_places(source.part, LINK_TIPS, source.note)
        for place in attribute_places(self.main, _SECTIONS):
            if self.words.in_text("".join(piece.text for piece in place.holder.pieces())):
                yield place
        for source in self.drawn:
            yield from source.places()
        yield from late_places(self._parts(sources))

    def count(self, sources: Sequence[_Source]) -> WordCount:
        """Its words, by other walks."""
        counted = sum((count_attributes(source.part, LINK_TIPS) for source in sources), WordCount())
        names = (section.get("name", "") for section in self.main.tree.iter(_P14 + "section"))
        counted += sum((count_text(name) for name in names if self.words.in_text(name)), WordCount())
        return sum((source.count() for source in self.drawn), counted + count_late(self._parts(sources)))

    def _parts(self, sources: Iterable[_Source]) -> Iterator[tuple[Part, str]]:
        return ((source.part, source.note) for source in (*sources, *self.drawn))


def _located(
    sources: Sequence[_Source], properties: Part | None, later: _Later, segmenter: Segmenter
) -> list[LocatedText]:
    places = (place for source in sources for place in source.places())
    return split_places(
        chain(places, property_places(properties, later.words), later.places(sources)), segmenter
    )


def _slides(package: Package, presentation: Part) -> Iterator[str]:
    """The entries of the slides in their order."""
    links = relations(package, presentation.name)
    for entry in presentation.tree.iter(P + "sldId"):
        link = links.get(entry.get(R + "id", ""))
        if link is not None:
            yield link.target


def _sources(package: Package) -> Iterator[_Source]:
    """Each slide with what belongs to it, then what masters and layouts show on slides."""
    main = main_part(package, _MAIN, Message("PowerPoint presentation"))
    links = relations(package, main)
    done: set[str] = set()
    layouts: dict[str, None] = {}
    presentation = load(package, main)
    slides = (links.get(entry.get(R + "id", "")) for entry in presentation.tree.iter(P + "sldId"))
    for number, slide in enumerate(slides, start=1):
        if slide is None or slide.target in done:
            continue
        done.add(slide.target)
        yield _Source(load(package, slide.target), f"Slide {number}")
        others = relations(package, slide.target)
        layouts |= {link.target: None for link in others.values() if link.kind == "slideLayout"}
        drawings = [link.target for link in others.values() if link.kind == "diagramDrawing"]
        for other in _belonging(others):
            if other.target in done:
                continue
            done.add(other.target)
            drawing = drawing_of(other.target, drawings) if other.kind == "diagramData" else ""
            twin = load(package, drawing) if drawing else None
            yield _Source(load(package, other.target), f"Slide {number}, {_NAMES[other.kind]}", twin)
    for name in _templates(package, layouts):
        yield _Source(load(package, name), "Layout of slides", is_template=True)


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
