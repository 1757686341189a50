"""Word documents: body, tables, text boxes, notes, comments, headers and footers, alternative texts, charts.

Only parts with translations are rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lxml import etree  # type: ignore[import-untyped]

from anaphora.core.errors import Message
from anaphora.formats.base.format import HowRead
from anaphora.formats.base.limits import MAX_PARAGRAPHS, check_sentences
from anaphora.formats.base.package import Package
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.base.xml import Element
from anaphora.formats.office.docx_labels import ATTRIBUTES, bound_texts, list_labels, unbind
from anaphora.formats.office.docx_paragraph import ParagraphHolder, computed_words
from anaphora.formats.office.docx_structure import ParagraphStyles
from anaphora.formats.office.drawing import (
    LocatedText,
    TextPlace,
    attribute_places,
    blocks_of,
    fill_translated,
    is_shown,
    located,
    property_places,
    shapes_places,
)
from anaphora.formats.office.languages import with_languages
from anaphora.formats.office.left_out import left_out
from anaphora.formats.office.opc import MC, Part, W, content_types, core_properties, load, main_part, numbered

_MAIN = re.compile(
    r"(wordprocessingml|ms-word)\.(document|template)(\.macroEnabled(Template)?)?\.main\+xml$", re.IGNORECASE
)
_OTHERS = {
    "footnotes": "Footnote", "endnotes": "Endnote", "comments": "Comment", "header": "Header",
    "footer": "Footer", "chart": "Chart", "chartex": "Chart", "chartshapes": "Chart",
    "diagramData": "Diagram",
}  # fmt: skip
_DRAWN = ("Chart", "Diagram")
_PARAGRAPHS = etree.XPath("count(//w:p[.//w:t])", namespaces={"w": W[1:-1]})
_COMPUTED = Message("Dates and numbers that Word computes stay as they are; so many show words: {count}.")


class Docx:
    """Reader and writer of Word documents."""

    name = "docx"
    label = "Word document"
    extensions: tuple[str, ...] = (".docx", ".dotx", ".docm", ".dotm")

    def blocks(self, data: bytes, reading: HowRead) -> Parsed:
        contents = _Contents(Package(data), SourceWords(reading.language))
        styles = ParagraphStyles(contents.package, contents.sources[0][0].name)
        blocks = blocks_of(located(contents.places()), styles.structure_of)
        words = contents.words
        computed = sum(computed_words(piece, words) for block in blocks for piece in block.pieces)
        trees = (part.tree for part, _ in contents.sources)
        return Parsed(blocks, notes=left_out(contents.package, words, trees, {_COMPUTED: computed}))

    def fill(self, data: bytes, fillings: Fillings, reading: HowRead) -> bytes:
        """Untouched parts keep their bytes."""
        contents = _Contents(Package(data), SourceWords(reading.language))
        found = located(contents.places())
        bound = {part.name: bound_texts(part) for part, _ in contents.sources}
        changed = fill_translated(contents.package, [*found, *_twins(found)], fillings)
        for name in changed:
            unbind(bound.get(name, []), bound_texts(changed[name]))
        return contents.package.rewrite({name: part.data() for name, part in changed.items()})

    def name_language(self, data: bytes, reading: HowRead, target: TargetLanguage) -> bytes:
        return with_languages(data, target)


class _Contents:
    """What a document shows: the main part, then the others, with what they are."""

    def __init__(self, package: Package, words: SourceWords) -> None:
        self.package, self.words = package, words
        self.sources = list(_sources(package))
        check_sentences(sum(int(_PARAGRAPHS(part.tree)) for part, _ in self.sources), MAX_PARAGRAPHS)

    def places(self) -> Iterator[TextPlace]:
        """All texts, in reading order."""
        for part, note in self.sources:
            yield from shapes_places(part, note) if note in _DRAWN else _places(part, note)
        shown = [part for part, note in self.sources if note not in _DRAWN]
        yield from list_labels(self.package, shown, self.words)
        yield from property_places(core_properties(self.package), self.words)


def _sources(package: Package) -> Iterator[tuple[Part, str]]:
    """The main document first, then notes, comments, headers and footers, then charts and diagrams."""
    yield load(package, main_part(package, _MAIN, Message("Word document"))), ""
    by_kind: dict[str, list[str]] = {}
    for name, kind in content_types(package).items():
        by_kind.setdefault(kind.rpartition(".")[2].removesuffix("+xml"), []).append(name)
    for kind, note in _OTHERS.items():
        for name in numbered(by_kind.get(kind, ())):
            yield load(package, name), note


def _places(part: Part, note: str) -> Iterator[TextPlace]:
    """Paragraphs and what stands in attributes, in order; not what `mc:Fallback` repeats."""
    for element in part.tree.iter(W + "p", *ATTRIBUTES):
        if element.tag != W + "p":
            yield from attribute_places(part, element, ATTRIBUTES[element.tag], note)
        elif is_shown(element):
            yield TextPlace(part, ParagraphHolder(element), note)


def _twins(found: Iterable[LocatedText]) -> Iterator[LocatedText]:
    """The same paragraphs in the older markup (`mc:Fallback`) that Word keeps beside a text box."""
    for address, place in found:
        if isinstance(place.holder, ParagraphHolder):
            twin = _twin(place.holder.element)
            if twin is not None:
                yield address, replace(place, holder=ParagraphHolder(twin))


def _twin(paragraph: Element) -> Element | None:
    choice = next(paragraph.iterancestors(MC + "Choice"), None)
    fallback = None if choice is None else next(choice.itersiblings(MC + "Fallback"), None)
    if choice is None or fallback is None:
        return None
    others: Sequence[Element] = list(fallback.iter(W + "p"))
    pairs = zip(choice.iter(W + "p"), others, strict=False)
    twin = next((other for own, other in pairs if own is paragraph), None)
    return twin if twin is not None and _text(twin) == _text(paragraph) else None


def _text(paragraph: Element) -> str:
    return "".join(holder.text or "" for holder in paragraph.iter(W + "t"))


FORMAT = Docx()
