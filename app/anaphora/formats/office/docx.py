"""Word documents: body, tables, text boxes, notes, comments, headers and footers, alternative texts, charts.

Only parts with translations are rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from lxml import etree  # type: ignore[import-untyped]

from anaphora.core.errors import Message
from anaphora.formats.base.format import Reading
from anaphora.formats.base.limits import MAX_PARAGRAPHS, check_sentences
from anaphora.formats.base.package import Package
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.base.xml import Element
from anaphora.formats.office.docx_controls import bound_texts, control_places, unbind
from anaphora.formats.office.docx_holders import ParagraphHolder
from anaphora.formats.office.docx_labels import Labels
from anaphora.formats.office.docx_left_out import left_out
from anaphora.formats.office.docx_structure import ParagraphStyles
from anaphora.formats.office.drawing import (
    LocatedText,
    PlainHolder,
    TextPlace,
    alternative_texts,
    blocks_of,
    drawing_of,
    fill_translated,
    in_reading_order,
    located,
    located_twins,
    outside,
    property_places,
    shapes_places,
)
from anaphora.formats.office.languages import with_languages
from anaphora.formats.office.number_formats import note_on_formats
from anaphora.formats.office.opc import MC, Part, W, content_types, core_properties, load, main_part, numbered
from anaphora.formats.office.tips import more_places

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

    def places(self) -> Iterator[TextPlace]:
        """Its texts."""
        if self.is_drawn:
            return shapes_places(self.part, self.note)
        return _places(self.part, self.note)


class Docx:
    """Reader and writer of Word documents."""

    name = "docx"
    label = "Word document"
    extensions: tuple[str, ...] = (".docx", ".dotx", ".docm", ".dotm")

    def blocks(self, data: bytes, reading: Reading) -> Parsed:
        """See `Format.blocks`."""
        package, words = Package(data), SourceWords.of(reading)
        contents = _Contents.of(package, words)
        notes = left_out([source.part for source in contents.texts()], words)
        notes += note_on_formats(package, words)
        blocks = blocks_of(located(contents.places()), contents.styles.structure_of)
        return Parsed(blocks, notes=notes)

    def fill(self, data: bytes, fillings: Fillings, reading: Reading) -> bytes:
        """See `TextFormat.fill`. Untouched parts keep their bytes."""
        package = Package(data)
        contents = _Contents.of(package, SourceWords.of(reading))
        sources = contents.sources
        found = located(contents.places())
        bound = {source.part.name: bound_texts(source.part) for source in contents.texts()}
        drawings = {source.part.name: source.twin for source in sources if source.twin is not None}
        twins = [*_twins(found), *located_twins(drawings, found)]
        changed = fill_translated([*found, *twins], fillings)
        for name, before in bound.items():
            if before and name in changed:
                unbind(before, bound_texts(changed[name]))
        return package.rewrite({name: part.data() for name, part in changed.items()})

    def name_language(self, data: bytes, reading: Reading, target: TargetLanguage) -> bytes:
        """See `NamesLanguage.name_language`."""
        return with_languages(data, target)


@dataclass(frozen=True, slots=True)
class _Contents:
    """What a document shows.

    Attributes:
        sources: the main part, then the others.
        styles: of its paragraphs.
        properties: the part with its title and the like, or None.
        labels: its words outside its text.
        drawn: other charts, and what is drawn over charts.
    """

    sources: Sequence[_Source]
    styles: ParagraphStyles
    properties: Part | None
    labels: Labels
    drawn: Sequence[_Source]

    @classmethod
    def of(cls, package: Package, words: SourceWords) -> _Contents:
        """Look through a package.

        Raises:
            FormatError: it has more paragraphs than a document has.
        """
        main = main_part(package, _MAIN, Message("Word document"))
        styles = ParagraphStyles.of(package, main)
        sources = list(_sources(package, main))
        check_sentences(sum(int(_PARAGRAPHS(source.part.tree)) for source in sources), MAX_PARAGRAPHS)
        labels = Labels.of(package, [source.part for source in sources if not source.is_drawn], words)
        return cls(sources, styles, core_properties(package), labels, list(_drawn(package)))

    def texts(self) -> Iterator[_Source]:
        """The parts with paragraphs of Word."""
        return (source for source in self.sources if not source.is_drawn)

    def places(self) -> list[TextPlace]:
        """All texts, in reading order."""
        places = chain(
            _paragraphs(self.sources),
            *(control_places(source.part, source.note) for source in self.texts()),
            self.labels.places(),
            _paragraphs(self.drawn),
            more_places(self._parts()),
            property_places(self.properties, self.labels.words),
        )
        return in_reading_order(outside((W + "t",), places))

    def _parts(self) -> Iterator[tuple[Part, str]]:
        return ((source.part, source.note) for source in (*self.sources, *self.drawn))


def _paragraphs(sources: Iterable[_Source]) -> Iterator[TextPlace]:
    return (place for source in sources for place in source.places())


def _sources(package: Package, main: str) -> Iterator[_Source]:
    """The main document first, then notes, comments, headers and footers, then charts and diagrams.

    Args:
        main: the name of the main part.
    """
    yield _Source(load(package, main))
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


def _places(part: Part, note: str) -> Iterator[TextPlace]:
    """Paragraphs, alternative texts and titles of pictures, in order; not what `mc:Fallback` repeats."""
    for element in part.tree.iter(W + "p", _WP + "docPr", *_VML_SHAPES):
        if next(element.iterancestors(MC + "Fallback"), None) is not None:
            continue
        if element.tag == W + "p":
            yield TextPlace(part, ParagraphHolder(element), note)
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


def _twins(found: Iterable[LocatedText]) -> Iterator[LocatedText]:
    """The same paragraphs in the older markup (`mc:Fallback`) that Word keeps beside a text box."""
    for each in found:
        holder = each.place.holder
        if isinstance(holder, ParagraphHolder) and (twin := _twin(holder.element)) is not None:
            yield LocatedText(each.address, replace(each.place, holder=replace(holder, element=twin)))


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
