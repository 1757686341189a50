"""Word documents: body, tables, text boxes, notes, comments, headers and footers, alternative texts, charts.

Only parts with translations are rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from lxml import etree  # type: ignore[import-untyped]

from anaphora.core.counting import WordCount
from anaphora.core.errors import Message
from anaphora.formats.base.format import Parsed
from anaphora.formats.base.limits import MAX_PARAGRAPHS, check_sentences
from anaphora.formats.base.package import Package
from anaphora.formats.base.pieces import check_ids
from anaphora.formats.base.sentence_splitting import split_into_sentences
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.xml import Element
from anaphora.formats.office.docx_controls import Bindings, bound_texts, control_places
from anaphora.formats.office.docx_count import count_part, left_out
from anaphora.formats.office.docx_holders import ParagraphHolder
from anaphora.formats.office.docx_labels import Labels
from anaphora.formats.office.docx_paragraph import MC, W
from anaphora.formats.office.docx_structure import ParagraphStyles
from anaphora.formats.office.drawing import (
    LocatedText,
    PlainHolder,
    TextPlace,
    alternative_texts,
    count_properties,
    count_shapes,
    drawing_of,
    fill_translated,
    located_twins,
    outside,
    property_places,
    segments,
    shapes_places,
    split_places,
)
from anaphora.formats.office.number_formats import note_on_formats
from anaphora.formats.office.opc import Part, content_types, core_properties, load, main_part, numbered
from anaphora.formats.office.tips import count_late, late_places
from anaphora.formats.segmentation.segmenter import Segmenter

_MAIN = re.compile(r"(wordprocessingml|ms-word)\.(document|template)(\.macroEnabled(Template)?)?\.main\+xml$")
_OTHERS = {
    "footnotes": "Footnote", "endnotes": "Endnote", "comments": "Comment", "header": "Header",
    "footer": "Footer",
}  # fmt: skip
_PARAGRAPHS = etree.XPath("count(//w:p[.//w:t])", namespaces={"w": W[1:-1]})
_DRAWN = {"chart": "Chart", "diagramData": "Diagram"}
_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_VML_SHAPES = tuple(
    f"{{urn:schemas-microsoft-com:vml}}{name}" for name in ("shape", "rect", "group", "roundrect")
)


@dataclass(frozen=True, slots=True)
class _Source:
    """A part with texts.

    Attributes:
        part: the part.
        note: what it is, for the translator.
        is_drawn: whether it is a chart or a diagram.
        twin: a diagram's drawing beside its data.
    """

    part: Part
    note: str = ""
    is_drawn: bool = False
    twin: Part | None = None

    def places(self, as_in_0_4: bool) -> Iterator[TextPlace]:
        """Its texts."""
        return (
            shapes_places(self.part, self.note) if self.is_drawn else _places(self.part, self.note, as_in_0_4)
        )

    def count(self, words: SourceWords) -> WordCount:
        """Its words, found by another walk."""
        return count_shapes(self.part) if self.is_drawn else count_part(self.part, words)


class Docx:
    """Reader and writer of Word documents."""

    name = "docx"
    label = "Word document"
    extensions: tuple[str, ...] = (".docx", ".dotx", ".docm", ".dotm")

    def parse(self, data: bytes, segmenter: Segmenter) -> Parsed:
        """See `Format.parse`."""
        package, words = Package(data), SourceWords.of(segmenter)
        contents = _Contents.of(package, words)
        notes = left_out([source.part for source in contents.texts()], words)
        notes += note_on_formats(package, words)
        located = split_places(contents.places(), segmenter)
        styles = ParagraphStyles.of(package, contents.sources[0].part.name)
        return Parsed(segments(located, styles.structure_of), notes=notes, counted=contents.count())

    def render(self, data: bytes, translations: Mapping[str, str], segmenter: Segmenter) -> bytes:
        """See `Format.render`. Untouched parts keep their bytes."""
        package = Package(data)
        contents = _Contents.of(package, SourceWords.of(segmenter))
        sources = contents.sources
        located = split_places(contents.places(), segmenter)
        known = {sentence.id for each in located for sentence in each.block.sentences}
        if not known.issuperset(translations):
            located = split_places(_paragraphs(sources, as_in_0_4=True), segmenter)
        check_ids([each.block for each in located], translations)
        bound = {source.part.name: bound_texts(source.part) for source in contents.texts()}
        drawings = {source.part.name: source.twin for source in sources if source.twin is not None}
        twins = [*_twins(located, segmenter), *located_twins(drawings, located, segmenter)]
        changed = fill_translated([*located, *twins], translations)
        bindings = Bindings(package, sources[0].part.name, changed)
        for name, before in bound.items():
            if before and name in changed:
                bindings.follow(before, bound_texts(changed[name]))
        changed |= bindings.changed
        return package.rewrite({name: part.data() for name, part in changed.items()})


@dataclass(frozen=True, slots=True)
class _Contents:
    """What a document shows.

    Attributes:
        sources: the main part, then the others that version 0.4 knew.
        properties: the part with its title and the like, or None.
        labels: its words outside its text.
        drawn: other charts, and what is drawn over charts.
    """

    sources: Sequence[_Source]
    properties: Part | None
    labels: Labels
    drawn: Sequence[_Source]

    @classmethod
    def of(cls, package: Package, words: SourceWords) -> _Contents:
        """Look through a package.

        Raises:
            FormatError: it has more paragraphs than a document has.
        """
        sources = list(_sources(package))
        check_sentences(sum(int(_PARAGRAPHS(source.part.tree)) for source in sources), MAX_PARAGRAPHS)
        labels = Labels.of(package, [source.part for source in sources if not source.is_drawn], words)
        return cls(sources, core_properties(package), labels, list(_drawn(package)))

    def texts(self) -> Iterator[_Source]:
        """The parts with paragraphs of Word."""
        return (source for source in self.sources if not source.is_drawn)

    def places(self) -> Iterator[TextPlace]:
        """All texts. What earlier versions did not know comes last, so that others keep their numbers."""
        places = chain(
            _paragraphs(self.sources),
            *(control_places(source.part, source.note) for source in self.texts()),
            property_places(self.properties, self.labels.words),
            self.labels.places(),
            _paragraphs(self.drawn),
            late_places(self._parts()),
        )
        return outside((W + "t",), places)

    def _parts(self) -> Iterator[tuple[Part, str]]:
        return ((source.part, source.note) for source in (*self.sources, *self.drawn))

    def count(self) -> WordCount:
        """Their words, by other walks."""
        words = self.labels.words
        sources = (source.count(words) for source in (*self.sources, *self.drawn))
        counted = sum(sources, count_properties(self.properties, words))
        return counted + self.labels.count() + count_late(self._parts())


def _paragraphs(sources: Iterable[_Source], as_in_0_4: bool = False) -> Iterator[TextPlace]:
    return (place for source in sources for place in source.places(as_in_0_4))


def _sources(package: Package) -> Iterator[_Source]:
    """The main document first, then notes, comments, headers and footers, then charts and diagrams."""
    yield _Source(load(package, main_part(package, _MAIN, Message("Word document"))))
    by_kind = _names_by_kind(package)
    for kind, note in _OTHERS.items():
        for name in numbered(by_kind.get(kind, ())):
            yield _Source(load(package, name), note)
    for kind, note in _DRAWN.items():
        for name in numbered(by_kind.get(kind, ())):
            drawing = drawing_of(name, by_kind.get("diagramDrawing", ())) if kind == "diagramData" else ""
            yield _Source(load(package, name), note, True, load(package, drawing) if drawing else None)


def _drawn(package: Package) -> Iterator[_Source]:
    """Charts of newer kinds, and the shapes that are drawn over charts."""
    by_kind = _names_by_kind(package)
    for kind in ("chartex", "chartshapes"):
        for name in numbered(by_kind.get(kind, ())):
            yield _Source(load(package, name), "Chart", True)


def _names_by_kind(package: Package) -> dict[str, list[str]]:
    """Parts by the last word of their content types."""
    by_kind: dict[str, list[str]] = {}
    for name, kind in content_types(package).items():
        by_kind.setdefault(re.split(r"[.]", kind)[-1].removesuffix("+xml"), []).append(name)
    return by_kind


def _places(part: Part, note: str, as_in_0_4: bool) -> Iterator[TextPlace]:
    """Paragraphs, alternative texts and titles of pictures, in order; not what `mc:Fallback` repeats."""
    for element in part.tree.iter(W + "p", _WP + "docPr", *_VML_SHAPES):
        if next(element.iterancestors(MC + "Fallback"), None) is not None:
            continue
        if element.tag == W + "p":
            yield TextPlace(part, ParagraphHolder(element, as_in_0_4), note)
        elif element.tag == _WP + "docPr":
            for place in alternative_texts(part, element, note):
                yield _with_copies(place, element)
        elif element.get("alt"):
            yield TextPlace(part, PlainHolder(element, "alt"), "Alternative text of a picture")


def _with_copies(place: TextPlace, properties: Element) -> TextPlace:
    """The same place with the copies of its text that some programs keep inside the picture."""
    holder = place.holder
    assert isinstance(holder, PlainHolder)
    text = properties.get(holder.attribute)
    inner = properties.getparent().iter("{*}cNvPr") if properties.getparent() is not None else ()
    twins = tuple(copy for copy in inner if copy.get(holder.attribute) == text)
    return TextPlace(place.part, PlainHolder(properties, holder.attribute, twins=twins), place.note)


def _twins(located: Iterable[LocatedText], segmenter: Segmenter) -> Iterator[LocatedText]:
    """The same paragraphs in the older markup (`mc:Fallback`) that Word keeps beside a text box."""
    for each in located:
        holder = each.place.holder
        if not isinstance(holder, ParagraphHolder):
            continue
        twin = _twin(holder.element)
        if twin is not None:
            place = TextPlace(each.place.part, ParagraphHolder(twin, holder.as_in_0_4))
            yield LocatedText(
                place, split_into_sentences(place.holder.pieces(), each.block.number, segmenter)
            )


def _twin(paragraph: Element) -> Element | None:
    choice = next(paragraph.iterancestors(MC + "Choice"), None)
    alternatives = choice.getparent() if choice is not None else None
    fallback = alternatives.find(MC + "Fallback") if alternatives is not None else None
    if choice is None or fallback is None:
        return None
    position = list(choice.iter(W + "p")).index(paragraph)
    others = list(fallback.iter(W + "p"))
    if position >= len(others) or _text(others[position]) != _text(paragraph):
        return None
    return others[position]


def _text(paragraph: Element) -> str:
    return "".join(holder.text or "" for holder in paragraph.iter(W + "t"))


FORMAT = Docx()
