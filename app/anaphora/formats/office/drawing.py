"""The texts of Office parts and their addresses, mainly in DrawingML (slides, shapes, charts)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from anaphora.core.long_work import check_cancelled
from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.format import MAX_RUNS, check_markup
from anaphora.formats.base.package import Package
from anaphora.formats.base.pieces import Block, Kind, Piece
from anaphora.formats.base.splicing import Fillings, assemble
from anaphora.formats.base.target_language import SourceWords
from anaphora.formats.base.xml import Element, clean, local_name
from anaphora.formats.office.opc import MC, A, Part, load
from anaphora.formats.office.runs import RunHolder, unescaped

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
CX = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_CACHES = {
    C + "v": (C + "strCache", C + "strLit", C + "lvl"),
    CX + "pt": (CX + "strDim",),
    CX + "v": (CX + "txData",),
}
"""Elements with texts that a chart copies from cells; each counts only inside an element listed for it."""
_CORE_PROPERTIES = {
    "title": "Title of the document", "subject": "Subject of the document",
    "keywords": "Keywords of the document", "description": "Comments on the document",
    "category": "Category of the document",
}  # fmt: skip
_DATA = re.compile(r"(diagrams[/\\])data(\d*\.xml)$", re.IGNORECASE)
"""The data part of a diagram; its drawing part has the same number."""
_TRANSLATABLE = {"descr": "Alternative text of a picture", "title": "Title of a picture"}
Attributes = Mapping[str, Mapping[str, str]]
"""Translatable attributes with their descriptions, by element."""
TIP = "ScreenTip of a link"
LINK_TIPS: Attributes = {A + "hlinkClick": {"tooltip": TIP}, A + "hlinkHover": {"tooltip": TIP}}


class TextHolder(Protocol):
    """An element of a part that contains a text."""

    @property
    def element(self) -> Element: ...

    def pieces(self) -> list[Piece]: ...
    def fill(self, pieces: list[Piece]) -> None: ...


@dataclass(frozen=True, slots=True)
class PlainHolder:
    """An attribute, or an element's own text; `adapt` cleans a translation; `twins` get the same text."""

    element: Element
    attribute: str = ""
    adapt: Callable[[str], str] = clean
    twins: tuple[Element, ...] = ()

    def pieces(self) -> list[Piece]:
        text = self.element.get(self.attribute, "") if self.attribute else self.element.text or ""
        return [Piece(Kind.TEXT, text, text)]

    def fill(self, pieces: list[Piece]) -> None:
        text = self.adapt("".join(piece.text for piece in pieces))
        for element in (self.element, *self.twins):
            if self.attribute:
                element.set(self.attribute, text)
            else:
                element.text = text


@dataclass(frozen=True)
class TextPlace:
    """A text in a part; `note` describes its position for the translator."""

    part: Part
    holder: TextHolder
    note: str = ""

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        return tuple(self.holder.pieces())


LocatedText = tuple[str, TextPlace]
"""A text with its address."""


def shapes_places(part: Part, note: str = "", caches: bool = True) -> Iterator[TextPlace]:
    """A part's paragraphs, alternative texts and tips; with `caches`, also a chart's copies of cells."""
    for element in part.tree.iter(A + "p", "{*}cNvPr", "{*}docPr", *LINK_TIPS):
        if element.tag == A + "p":
            # A paragraph inside another one is invalid, and filling the outer one would remove it.
            if is_shown(element) and next(element.iterancestors(A + "p"), None) is None:
                yield TextPlace(part, RunHolder(element), note)
        else:
            yield from attribute_places(part, element, LINK_TIPS.get(element.tag, _TRANSLATABLE), note)
    for first, *twins in _cached_texts(part).values() if caches else ():
        yield TextPlace(part, PlainHolder(first, twins=tuple(twins)), joined_note(note, "Text in a chart"))


def attribute_places(
    part: Part, element: Element, descriptions: Mapping[str, str], note: str = ""
) -> Iterator[TextPlace]:
    """The texts in an element's attributes; `descriptions` maps attributes to notes."""
    for attribute, description in descriptions.items():
        if element.get(attribute) and is_shown(element):
            yield TextPlace(part, PlainHolder(element, attribute), joined_note(note, description))


def property_places(part: Part | None, words: SourceWords) -> Iterator[TextPlace]:
    """The title, subject and similar properties that contain words of the document's language."""
    for element in part.tree.getroot() if part is not None else ():
        note = _CORE_PROPERTIES.get(local_name(element))
        if part is not None and note and words.in_text(element.text or ""):
            yield TextPlace(part, PlainHolder(element), note)


def with_addresses(places: Iterable[TextPlace]) -> list[LocatedText]:
    """Places with their addresses, which consist of part, element name, element number and attribute."""
    by_part: dict[str, list[TextPlace]] = {}
    all_places = list(places)
    for place in all_places:
        by_part.setdefault(place.part.name, []).append(place)
    addresses: dict[Element, str] = {}
    for name, in_part in by_part.items():
        kinds = {f"{{*}}{local_name(place.holder.element)}" for place in in_part}
        counts = Counter[str]()
        for element in in_part[0].part.tree.iter(*kinds):
            kind = local_name(element)
            counts[kind] += 1
            addresses[element] = f"{name}#{kind}{counts[kind]}"
    by_address: dict[str, TextPlace] = {}
    for place in all_places:
        check_cancelled()
        holder = place.holder
        attribute = holder.attribute.rpartition("}")[2] if isinstance(holder, PlainHolder) else ""
        address = addresses[holder.element]
        by_address.setdefault(f"{address}@{attribute}" if attribute else address, place)
    return list(by_address.items())


def _located_twins(package: Package, texts: Iterable[LocatedText]) -> Iterator[LocatedText]:
    """The paragraphs in drawings of diagrams, with the addresses of equal paragraphs in the data parts."""
    by_drawing: dict[str, dict[str, str]] = {}
    for address, place in texts:
        name, is_data = _DATA.subn(r"\1drawing\2", place.part.name)
        if is_data and package.find(name) and isinstance(place.holder, RunHolder):
            addresses = by_drawing.setdefault(package.find(name), {})
            addresses[_paragraph_text(place.holder.element)] = address
    for name, addresses in by_drawing.items():
        for place in shapes_places(load(package, name)):
            text = _paragraph_text(place.holder.element)
            if isinstance(place.holder, RunHolder) and text in addresses:
                yield addresses[text], place


def blocks_of(
    texts: Iterable[LocatedText],
    describe: Callable[[TextPlace], tuple[Note, ...]] = lambda place: (),
) -> tuple[Block, ...]:
    """The texts as blocks with the notes of `describe`; FormatError for more than `MAX_RUNS` pieces."""
    blocks: list[Block] = []
    count = 0
    for address, place in texts:
        count += len(place.pieces)
        check_markup(count, MAX_RUNS)
        notes = (Note(NoteKind.PLACE, place.note),) if place.note else ()
        blocks.append(Block(address, place.pieces, (*notes, *describe(place))))
    return tuple(blocks)


def fill_translated(package: Package, texts: Sequence[LocatedText], fillings: Fillings) -> dict[str, Part]:
    """Fill in the translations; return the parts that changed, by name."""
    changed = {}
    all_texts = (*texts, *_located_twins(package, texts))
    translations = [(place, fillings.of(address, place.pieces)) for address, place in all_texts]
    # In reverse order, so that a text box in a paragraph is filled before the paragraph is copied.
    for place, text in reversed(translations):
        if text is not None:
            place.holder.fill(assemble(text))
            changed[place.part.name] = place.part
    return changed


def _paragraph_text(paragraph: Element) -> str:
    runs = (run.findtext(A + "t") or " " for run in paragraph.iter(A + "r", A + "br"))
    return unescaped("".join(runs))


def _cached_texts(part: Part) -> dict[str, list[Element]]:
    """A chart's copies of cells by text; copies may be equal, because each series repeats the categories."""
    by_text: dict[str, list[Element]] = {}
    for value in part.tree.iter(*_CACHES):
        if next(value.iterancestors(*_CACHES[value.tag]), None) is not None:
            by_text.setdefault(value.text or "", []).append(value)
    return by_text


def is_shown(element: Element) -> bool:
    """True unless an element is in a copy for older programs (`mc:Fallback`)."""
    return next(element.iterancestors(MC + "Fallback"), None) is None


def joined_note(note: str, description: str) -> str:
    return f"{note}: {description}" if note else description
