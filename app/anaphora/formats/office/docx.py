"""Word documents: body, tables, text boxes, notes, comments, headers and footers, alternative texts, charts.

Only parts with translations are rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from anaphora.core.counting import WordCount
from anaphora.core.errors import Message
from anaphora.formats.base.format import Parsed
from anaphora.formats.base.package import Package
from anaphora.formats.base.pieces import Piece, check_ids
from anaphora.formats.base.sentence_splitting import split_into_sentences
from anaphora.formats.base.xml import Element
from anaphora.formats.office.docx_count import count_part
from anaphora.formats.office.docx_paragraph import MC, W, paragraph_pieces, rebuild
from anaphora.formats.office.drawing import (
    LocatedText,
    PlainHolder,
    TextPlace,
    alternative_texts,
    count_shapes,
    drawing_of,
    fill_translated,
    located_twins,
    segments,
    shapes_places,
    split_places,
)
from anaphora.formats.office.opc import Part, content_types, load, main_part, numbered
from anaphora.formats.office.run_styles import base_style
from anaphora.formats.segmentation.segmenter import Segmenter

_MAIN = re.compile(r"[./](wordprocessingml\.)?(document|template)(\.macroEnabled)?\.main\+xml$")
_OTHERS = {
    "footnotes": "Footnote", "endnotes": "Endnote", "comments": "Comment", "header": "Header",
    "footer": "Footer",
}  # fmt: skip
_DRAWN = {"chart": "Chart", "diagramData": "Diagram"}
_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_VML_SHAPES = tuple(
    f"{{urn:schemas-microsoft-com:vml}}{name}" for name in ("shape", "rect", "group", "roundrect")
)


@dataclass(frozen=True, slots=True)
class ParagraphHolder:
    """A `w:p`; see `drawing.Holder`."""

    element: Element

    def pieces(self) -> list[Piece]:
        """Its text."""
        return paragraph_pieces(self.element)

    def fill(self, pieces: list[Piece]) -> None:
        """Put another text there; the base style is that of the text that goes."""
        rebuild(self.element, pieces, base_style(paragraph_pieces(self.element)))


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
        return shapes_places(self.part, self.note) if self.is_drawn else _places(self.part, self.note)

    def count(self) -> WordCount:
        """Its words, found by another walk."""
        return count_shapes(self.part) if self.is_drawn else count_part(self.part)


class Docx:
    """Reader and writer of Word documents."""

    name = "docx"
    label = "Word document"
    extensions: tuple[str, ...] = (".docx", ".dotx")

    def parse(self, data: bytes, segmenter: Segmenter) -> Parsed:
        """See `Format.parse`."""
        sources = list(_sources(Package(data)))
        counted = sum((source.count() for source in sources), WordCount())
        return Parsed(segments(_located(sources, segmenter)), counted=counted)

    def render(self, data: bytes, translations: Mapping[str, str], segmenter: Segmenter) -> bytes:
        """See `Format.render`. Untouched parts keep their bytes."""
        package = Package(data)
        sources = list(_sources(package))
        located = _located(sources, segmenter)
        check_ids([each.block for each in located], translations)
        drawings = {source.part.name: source.twin for source in sources if source.twin is not None}
        twins = [*_twins(located, segmenter), *located_twins(drawings, located, segmenter)]
        changed = fill_translated([*located, *twins], translations)
        return package.rewrite({name: part.data() for name, part in changed.items()})


def _located(sources: Iterable[_Source], segmenter: Segmenter) -> list[LocatedText]:
    return split_places((place for source in sources for place in source.places()), segmenter)


def _sources(package: Package) -> Iterator[_Source]:
    """The main document first, then notes, comments, headers and footers, then charts and diagrams."""
    yield _Source(load(package, main_part(package, _MAIN, Message("Word document"))))
    by_kind: dict[str, list[str]] = {}
    for name, kind in content_types(package).items():
        by_kind.setdefault(re.split(r"[.]", kind)[-1].removesuffix("+xml"), []).append(name)
    for kind, note in _OTHERS.items():
        for name in numbered(by_kind.get(kind, ())):
            yield _Source(load(package, name), note)
    for kind, note in _DRAWN.items():
        for name in numbered(by_kind.get(kind, ())):
            drawing = drawing_of(name, by_kind.get("diagramDrawing", ())) if kind == "diagramData" else ""
            yield _Source(load(package, name), note, True, load(package, drawing) if drawing else None)


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


def _twins(located: Iterable[LocatedText], segmenter: Segmenter) -> Iterator[LocatedText]:
    """The same paragraphs in the older markup (`mc:Fallback`) that Word keeps beside a text box."""
    for each in located:
        holder = each.place.holder
        twin = _twin(holder.element) if isinstance(holder, ParagraphHolder) else None
        if twin is not None:
            place = TextPlace(each.place.part, ParagraphHolder(twin))
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
