"""Word documents: body, tables, text boxes, notes, comments, headers and footers, alternative texts, charts.

Only parts with translations are rewritten. A content control may be bound to a node of another part
(`w:dataBinding`). Word would fill the control from this node whenever the document is opened, so the binding
of a translated control is removed. Labels of lists (`w:lvlText`) are translated only if a paragraph or a
style uses the list, because templates contain many unused lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from lxml import etree  # type: ignore[import-untyped]

from anaphora.core.errors import Message
from anaphora.core.notes import HIDDEN, Note
from anaphora.core.structure import Structure, structure_note
from anaphora.formats.base.format import MAX_PARAGRAPHS, check_sentences
from anaphora.formats.base.marked_text import split_markup
from anaphora.formats.base.package import Package
from anaphora.formats.base.pieces import WORD, Kind, Piece
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.base.target_language import SourceWords
from anaphora.formats.base.xml import Element, clean
from anaphora.formats.office.docx_paragraph import ParagraphHolder, has_computed_words, is_hidden
from anaphora.formats.office.drawing import (
    LINK_TIPS,
    TIP,
    Attributes,
    LocatedText,
    TextPlace,
    attribute_places,
    is_shown,
    property_places,
    shapes_places,
)
from anaphora.formats.office.office_file import OfficeFile, OfficeFormat, omission_notes
from anaphora.formats.office.opc import (
    MC,
    Part,
    W,
    content_types,
    core_properties,
    linked,
    load,
    main_part,
    sorted_by_number,
)

_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_VML = "{urn:schemas-microsoft-com:vml}"
_PICTURE = "Alternative text of a picture"
ATTRIBUTES: Attributes = {
    **LINK_TIPS,
    _WP + "docPr": {"descr": _PICTURE, "title": "Title of a picture"},
    **{_VML + name: {"alt": _PICTURE} for name in ("shape", "rect", "group", "roundrect")},
    _VML + "textpath": {"string": "Watermark"},
    W + "hyperlink": {W + "tooltip": TIP},
    W + "alias": {W + "val": "Title of a content control"},
    W + "tblCaption": {W + "val": "Title of a table"},
    W + "tblDescription": {W + "val": "Alternative text of a table"},
    W + "listItem": {W + "displayText": "A choice in a list"},
    W + "listEntry": {W + "val": "A choice in a list"},
    W + "helpText": {W + "val": "Help text of a form field"},
    W + "statusText": {W + "val": "Help text of a form field"},
}
_NUMBER = re.compile(r"%[1-9]")


@dataclass(frozen=True, slots=True)
class _LabelHolder:
    """The label of a list level ("第%1章"); its numbers are tags."""

    element: Element

    def pieces(self) -> list[Piece]:
        return split_markup(self.element.get(W + "val", ""), _NUMBER, stand_in=WORD)

    def fill(self, pieces: list[Piece]) -> None:
        """Replace the label; a space keeps a literal percent sign and the digit after it apart."""
        texts = (
            piece.raw if piece.kind is Kind.ALONE else re.sub(r"%(?=[1-9])", "% ", clean(piece.text))
            for piece in pieces
        )
        self.element.set(W + "val", "".join(texts))


def list_labels(package: Package, shown: Sequence[Part], words: SourceWords) -> Iterator[TextPlace]:
    """The labels that contain words, for lists in use; `shown` are visible parts, the main part first."""
    lists = linked(package, shown[0].name, "numbering")
    if not lists:
        return
    numbering = load(package, lists[-1])
    users = [*shown, *(load(package, name) for name in linked(package, shown[0].name, "styles")[-1:])]
    used_numbers = {number.get(W + "val") for part in users for number in part.tree.iter(W + "numId")}
    used_kinds = {
        link.get(W + "val")
        for number in numbering.tree.iter(W + "num")
        for link in number.iterchildren(W + "abstractNumId")
        if number.get(W + "numId") in used_numbers
    }
    for kind in numbering.tree.iter(W + "abstractNum"):
        for level in kind.iter(W + "lvlText") if kind.get(W + "abstractNumId") in used_kinds else ():
            if words.in_text(level.get(W + "val", "")):
                yield TextPlace(numbering, _LabelHolder(level), "Number format of a list")


def bound_texts(part: Part) -> list[tuple[Element, str]]:
    """The bindings (`w:dataBinding`) of a part, each with the text of its control."""
    return [
        (binding, "".join(text.text or "" for text in control.iter(W + "t")))
        for binding in part.tree.iter("{*}dataBinding")
        for control in list(binding.iterancestors(W + "sdt"))[:1]
    ]


def unbind(old_texts: Sequence[tuple[Element, str]], new_texts: Sequence[tuple[Element, str]]) -> None:
    """Remove the bindings of controls whose text has changed, because Word would restore the old text."""
    for index, (binding, text) in enumerate(new_texts):
        is_same = len(old_texts) == len(new_texts) and old_texts[index][1] == text
        if not is_same:
            binding.getparent().remove(binding)


_HEADING_STYLE = re.compile(r"(?:heading|标题|berschrift|Titre)\s*([1-9])$", re.IGNORECASE)
"""Matches ids of heading styles; Word leaves the letter Ü out of the id of the German "Überschrift 1"."""
_TITLES = {"title": 1, "subtitle": 2}
"""The heading levels of Word's built-in title styles, which have these names in all languages."""
_LEVELS = tuple("012345678")


class ParagraphStyles:
    """The styles of a document, which determine the roles of its paragraphs."""

    def __init__(self, package: Package, main: str) -> None:
        parts = [load(package, name) for name in linked(package, main, "styles")[-1:]]
        styles = (each for part in parts for each in part.tree.iter(W + "style"))
        self._by_id = {str(each.get(W + "styleId", "")): each for each in styles}

    def structure_of(self, place: TextPlace) -> tuple[Note, ...]:
        """A note on the role of a paragraph; empty for a plain one, `HIDDEN` if all its text is hidden."""
        if place.note or not isinstance(place.holder, ParagraphHolder):
            return ()
        paragraph = place.holder.element
        if is_hidden(paragraph):
            return (HIDDEN,)
        style = _value([paragraph], f"{W}pPr/{W}pStyle")
        elements = [paragraph, *self._with_bases(style)]
        names = [_value([each], W + "name") for each in elements[1:]]
        level = _value(elements, f"{W}pPr/{W}outlineLvl")
        if heading := _HEADING_STYLE.search(style):
            return (structure_note(Structure.HEADING, int(heading[1])),)
        if level in _LEVELS:
            return (structure_note(Structure.HEADING, int(level) + 1),)
        if title_level := next((rank for name in names if (rank := _TITLES.get(name.casefold()))), 0):
            return (structure_note(Structure.HEADING, title_level),)
        if item_level := _item_level(elements):
            return (structure_note(Structure.LIST_ITEM, item_level),)
        is_cell = next(paragraph.iterancestors(W + "tc"), None) is not None
        return (structure_note(Structure.CELL),) if is_cell else ()

    def _with_bases(self, style_id: str) -> Iterator[Element]:
        seen: set[str] = set()
        while style_id in self._by_id and style_id not in seen:
            seen.add(style_id)
            yield self._by_id[style_id]
            style_id = _value([self._by_id[style_id]], W + "basedOn")


def _item_level(elements: Sequence[Element]) -> int:
    """A paragraph's level in a list, from 1; 0 outside lists. `elements` are the paragraph and its styles."""
    properties = (each.find(f"{W}pPr/{W}numPr") for each in elements)
    numbering = next((each for each in properties if each is not None), None)
    # The number 0 turns off the numbering that a style sets.
    if numbering is None or _value([numbering], W + "numId") == "0":
        return 0
    level = _value([numbering], W + "ilvl")
    return int(level) + 1 if level in _LEVELS else 1


def _value(elements: Sequence[Element], path: str) -> str:
    nodes = (each.find(path) for each in elements)
    return next((str(each.get(W + "val", "")) for each in nodes if each is not None), "")


_MAIN = re.compile(
    r"(wordprocessingml|ms-word)\.(document|template)(\.macroEnabled(Template)?)?\.main\+xml$", re.IGNORECASE
)
_PART_NOTES = {
    "footnotes": "Footnote", "endnotes": "Endnote", "comments": "Comment", "header": "Header",
    "footer": "Footer", "chart": "Chart", "chartex": "Chart", "chartshapes": "Chart",
    "diagramData": "Diagram",
}  # fmt: skip
_DRAWINGS = ("Chart", "Diagram")
_PARAGRAPHS = etree.XPath("count(//w:p[.//w:t])", namespaces={"w": W[1:-1]})
_COMPUTED = Message("Dates and other computed fields are not translated. Fields that contain text: {count}.")


class _Document(OfficeFile):
    def __init__(self, package: Package, words: SourceWords) -> None:
        super().__init__(package, words)
        self._sources = list(_sources(package))
        check_sentences(sum(int(_PARAGRAPHS(part.tree)) for part, _ in self._sources), MAX_PARAGRAPHS)

    @cached_property
    def _styles(self) -> ParagraphStyles:
        return ParagraphStyles(self.package, self._sources[0][0].name)

    def structure_of(self, place: TextPlace) -> tuple[Note, ...]:
        return self._styles.structure_of(place)

    def notes(self, texts: Sequence[LocatedText]) -> tuple[Message, ...]:
        count = sum(has_computed_words(piece, self.words) for _, place in texts for piece in place.pieces)
        trees = (part.tree for part, _ in self._sources)
        return omission_notes(self.package, self.words, trees, {_COMPUTED: count})

    def fill(self, texts: Sequence[LocatedText], fillings: Fillings) -> dict[str, Part]:
        bound = {part.name: bound_texts(part) for part, _ in self._sources}
        changed = super().fill([*texts, *_twins(texts)], fillings)
        for name in changed:
            unbind(bound.get(name, []), bound_texts(changed[name]))
        return changed

    def places(self) -> Iterator[TextPlace]:
        for part, note in self._sources:
            yield from shapes_places(part, note) if note in _DRAWINGS else _places(part, note)
        shown = [part for part, note in self._sources if note not in _DRAWINGS]
        yield from list_labels(self.package, shown, self.words)
        yield from property_places(core_properties(self.package), self.words)


def _sources(package: Package) -> Iterator[tuple[Part, str]]:
    """The main document, then notes, comments, headers and footers, then charts and diagrams."""
    yield load(package, main_part(package, _MAIN, Message("Word document"))), ""
    by_kind: dict[str, list[str]] = {}
    for name, kind in content_types(package).items():
        by_kind.setdefault(kind.rpartition(".")[2].removesuffix("+xml"), []).append(name)
    for kind, note in _PART_NOTES.items():
        for name in sorted_by_number(by_kind.get(kind, ())):
            yield load(package, name), note


def _places(part: Part, note: str) -> Iterator[TextPlace]:
    """The paragraphs and attributes with texts, in order, without the copies in `mc:Fallback`."""
    for element in part.tree.iter(W + "p", *ATTRIBUTES):
        if element.tag != W + "p":
            yield from attribute_places(part, element, ATTRIBUTES[element.tag], note)
        elif is_shown(element):
            yield TextPlace(part, ParagraphHolder(element), note)


def _twins(texts: Iterable[LocatedText]) -> Iterator[LocatedText]:
    """The copies of paragraphs in the older markup (`mc:Fallback`), which Word writes beside a text box."""
    for address, place in texts:
        if isinstance(place.holder, ParagraphHolder):
            twin = _twin(place.holder.element)
            if twin is not None:
                yield address, replace(place, holder=ParagraphHolder(twin))


def _twin(paragraph: Element) -> Element | None:
    choice = next(paragraph.iterancestors(MC + "Choice"), None)
    fallback = None if choice is None else next(choice.itersiblings(MC + "Fallback"), None)
    if choice is None or fallback is None:
        return None
    copies: Sequence[Element] = list(fallback.iter(W + "p"))
    pairs = zip(choice.iter(W + "p"), copies, strict=False)
    twin = next((copy for original, copy in pairs if original is paragraph), None)
    return twin if twin is not None and _text(twin) == _text(paragraph) else None


def _text(paragraph: Element) -> str:
    return "".join(holder.text or "" for holder in paragraph.iter(W + "t"))


FORMAT = OfficeFormat("docx", "Word document", (".docx", ".dotx", ".docm", ".dotm"), _Document)
