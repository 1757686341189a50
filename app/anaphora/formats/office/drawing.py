"""DrawingML: the texts of slides, shapes, tables, charts and diagrams, in whatever part they stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from anaphora.core.long_work import go_on
from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.limits import MAX_RUNS, check_markup
from anaphora.formats.base.pieces import Block, Kind, Piece
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.splicing import Fillings, assemble
from anaphora.formats.base.xml import Element, Tree, clean
from anaphora.formats.office.escapes import unescaped
from anaphora.formats.office.opc import MC, A, Part
from anaphora.formats.office.run_styles import RunStyle
from anaphora.formats.office.runs import RunDialect, described, fill, local_name, run_pieces

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
CX = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_UNSEEN = frozenset(
    (
        "lang",
        "altLang",
        "dirty",
        "err",
        "smtClean",
        "noProof",
        "bmk",
        "smtId",
        "kumimoji",
        "ea",
        "cs",
        "extLst",
    )
)
_CACHES = (C + "strCache", C + "strLit", C + "lvl")
_LABELS = {
    "b": "bold", "i": "italic", "u": "underlined", "strike": "struck out",
    "superscript": "superscript", "subscript": "subscript",
    "hlinkClick": "link", "solidFill": "colour", "highlight": "highlighted", "sz": "size",
}  # fmt: skip
_CORE_PROPERTIES = {
    "title": "Title of the document", "subject": "Subject of the document",
    "keywords": "Keywords of the document", "description": "Comments on the document",
    "category": "Category of the document",
}  # fmt: skip
_PROPERTIES = frozenset(("cNvPr", "docPr"))
_SPEAKING = {"descr": "Alternative text of a picture", "title": "Title of a picture"}


def _describe(style: RunStyle) -> str:
    if style.properties is None:
        return "plain"
    attributes = (
        ("subscript" if value.startswith("-") else "superscript") if name == "baseline" else name
        for name, value in style.properties.attrib.items()
        if value not in ("0", "0%", "none", "noStrike")
    )
    return described([*attributes, *map(local_name, style.properties)], _LABELS)


DRAWING = RunDialect(
    space=A,
    line_break="br",
    first=frozenset(("pPr",)),
    last=frozenset(("endParaRPr",)),
    dropped=frozenset(),
    unseen=_UNSEEN,
    marks_space=False,
    describe=_describe,
)


class Holder(Protocol):
    """A place in a part that holds a text."""

    @property
    def element(self) -> Element:
        """The element that holds it."""
        ...

    def pieces(self) -> list[Piece]:
        """Its text."""
        ...

    def fill(self, pieces: list[Piece]) -> None:
        """Put another text there."""
        ...


@dataclass(frozen=True, slots=True)
class RunHolder:
    """An element with runs in it."""

    element: Element
    dialect: RunDialect

    def pieces(self) -> list[Piece]:
        """See `Holder.pieces`."""
        return run_pieces(self.element, self.dialect)

    def fill(self, pieces: list[Piece]) -> None:
        """See `Holder.fill`."""
        fill(self.element, pieces, self.dialect)


@dataclass(frozen=True, slots=True)
class PlainHolder:
    """An attribute, or an element's own text (where `attribute` is "").

    `tidy` makes a translation fit: names of sheets, for example, may not hold every character. `twins` hold
    the same text in the same way.
    """

    element: Element
    attribute: str = ""
    tidy: Callable[[str], str] = clean
    twins: tuple[Element, ...] = ()

    def pieces(self) -> list[Piece]:
        """See `Holder.pieces`."""
        text = self.element.get(self.attribute, "") if self.attribute else self.element.text or ""
        return [Piece(Kind.TEXT, text, text)]

    def fill(self, pieces: list[Piece]) -> None:
        """See `Holder.fill`."""
        text = self.tidy("".join(piece.text for piece in pieces))
        for element in (self.element, *self.twins):
            if self.attribute:
                element.set(self.attribute, text)
            else:
                element.text = text


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A text in a part.

    Attributes:
        part: that holds it.
        holder: where in the part.
        note: what it is, for the translator.
    """

    part: Part
    holder: Holder
    note: str = ""


@dataclass(frozen=True, slots=True)
class LocatedText:
    """A text with its address."""

    address: str
    place: TextPlace


def shapes_places(part: Part, note: str = "") -> Iterator[TextPlace]:
    """The paragraphs, alternative texts and cached words of charts in a part, in order.

    What stands in the older markup that is kept beside a newer one (`mc:Fallback`) is left out.
    """
    for element in part.tree.iter():
        name = local_name(element)
        if element.tag == A + "p":
            # No paragraph may stand in another one; the outer one's translation would replace it.
            if is_shown(element) and next(element.iterancestors(A + "p"), None) is None:
                yield TextPlace(part, RunHolder(element, DRAWING), note)
        elif name in _PROPERTIES:
            yield from alternative_texts(part, element, note)
    cached = _cached_texts(part)
    for first, *others in cached.values():
        yield TextPlace(part, PlainHolder(first, twins=tuple(others)), _joined(note, "Words in a chart"))


def property_places(part: Part | None, words: SourceWords) -> Iterator[TextPlace]:
    """The document's title, subject and the like, where they are in its language: programs fill them, too."""
    for element in part.tree.getroot() if part is not None else ():
        note = _CORE_PROPERTIES.get(local_name(element))
        if part is not None and note and words.in_text(element.text or ""):
            yield TextPlace(part, PlainHolder(element), note)


def alternative_texts(part: Part, properties: Element, note: str) -> Iterator[TextPlace]:
    """The alternative text and the title of a picture or shape."""
    if not is_shown(properties):
        return
    for attribute, what in _SPEAKING.items():
        if properties.get(attribute):
            yield TextPlace(part, PlainHolder(properties, attribute), f"{note}: {what}" if note else what)


def outside(texts: Collection[str], places: Iterable[TextPlace]) -> Iterator[TextPlace]:
    """Those places that are not within a text that is replaced as a whole: no program allows such a one.

    Args:
        texts: tags of elements that hold a text and nothing else.
    """
    return (place for place in places if next(place.holder.element.iterancestors(*texts), None) is None)


def in_reading_order(places: Iterable[TextPlace]) -> list[TextPlace]:
    """Places part by part, those of a part in the order of its elements."""
    by_part: dict[str, list[TextPlace]] = {}
    for place in places:
        by_part.setdefault(place.part.name, []).append(place)
    return [place for found in by_part.values() for place in _in_order(found)]


def _in_order(places: list[TextPlace]) -> list[TextPlace]:
    if len(places) < 2:
        return places
    tags = {place.holder.element.tag for place in places}
    row = {element: number for number, element in enumerate(places[0].part.tree.iter(*tags))}
    return sorted(places, key=lambda place: row[place.holder.element])


def located(places: Iterable[TextPlace]) -> list[LocatedText]:
    """Places with their addresses: the part, the element's name and number in that, the attribute."""
    known = list(places)
    names: dict[str, set[str]] = {}
    trees: dict[str, Tree] = {}
    for place in known:
        go_on()
        names.setdefault(place.part.name, set()).add(local_name(place.holder.element))
        trees.setdefault(place.part.name, place.part.tree)
    numbers: dict[Element, int] = {}
    for part, tree in trees.items():
        counted = Counter[str]()
        for element in tree.iter(*(f"{{*}}{name}" for name in names[part])):
            counted[local_name(element)] += 1
            numbers[element] = counted[local_name(element)]
    found: dict[str, TextPlace] = {}
    for place in known:
        go_on()
        found.setdefault(_address(place, numbers[place.holder.element]), place)
    return [LocatedText(address, place) for address, place in found.items()]


def _address(place: TextPlace, number: int) -> str:
    holder = place.holder
    attribute = holder.attribute.rpartition("}")[2] if isinstance(holder, PlainHolder) else ""
    element = f"{place.part.name}#{local_name(holder.element)}{number}"
    return f"{element}@{attribute}" if attribute else element


def located_twins(twins: Mapping[str, Part], found: Iterable[LocatedText]) -> Iterator[LocatedText]:
    """Diagrams' drawn paragraphs, each with the address of the one in the data that says the same.

    Args:
        twins: the drawing that programs show, by the name of the part with the data that it is made from.
    """
    addresses = {
        (each.place.part.name, paragraph_text(each.place.holder.element)): each.address
        for each in found
        if each.place.part.name in twins and isinstance(each.place.holder, RunHolder)
    }
    for name, drawing in twins.items():
        for place in shapes_places(drawing):
            if isinstance(place.holder, RunHolder):
                address = addresses.get((name, paragraph_text(place.holder.element)))
                if address is not None:
                    yield LocatedText(address, place)


def drawing_of(data: str, drawings: Iterable[str]) -> str:
    """The entry of the drawing that belongs to a diagram's data ("" if none): they are numbered alike."""
    return next((name for name in sorted(drawings) if _digits(name) == _digits(data)), "")


def _nothing(place: TextPlace) -> tuple[Note, ...]:
    return ()


def blocks_of(
    found: Iterable[LocatedText], describe: Callable[[TextPlace], tuple[Note, ...]] = _nothing
) -> tuple[Block, ...]:
    """The texts as blocks.

    Args:
        describe: what a place is in its document.
    Raises:
        FormatError: they have more runs than a document has.
    """
    blocks: list[Block] = []
    counted = 0
    for each in found:
        pieces = each.place.holder.pieces()
        counted += len(pieces)
        check_markup(counted, MAX_RUNS)
        notes = (Note(NoteKind.PLACE, each.place.note),) if each.place.note else ()
        blocks.append(Block(each.address, tuple(pieces), (*notes, *describe(each.place))))
    return tuple(blocks)


def fill_translated(found: Iterable[LocatedText], fillings: Fillings) -> dict[str, Part]:
    """Put translations in place; returns the parts that changed, by name."""
    changed = {}
    filled = [(each.place, fillings.of(each.address, each.place.holder.pieces())) for each in found]
    # From the end: what stands in a paragraph (a text box, a picture) is done before it is copied with that.
    for place, text in reversed(filled):
        if text is not None:
            place.holder.fill(assemble(text))
            changed[place.part.name] = place.part
    return changed


def paragraph_text(paragraph: Element) -> str:
    """A paragraph's text, fields left out."""
    runs = (run.findtext(A + "t") or " " for run in paragraph.iter(A + "r", A + "br"))
    return unescaped("".join(runs))


def _digits(name: str) -> str:
    return re.sub(r"[^0-9]", "", name.rpartition("/")[2])


def _cached_texts(part: Part) -> dict[str, list[Element]]:
    """What a chart keeps of its cells, by text: each series repeats the categories."""
    found: dict[str, list[Element]] = {}
    for value in part.tree.iter(C + "v"):
        point = value.getparent()
        cache = point.getparent() if point is not None else None
        if cache is not None and point.tag == C + "pt" and cache.tag in _CACHES:
            found.setdefault(value.text or "", []).append(value)
    for value in part.tree.iter(CX + "pt", CX + "v"):
        if value.tag == CX + "pt" and next(value.iterancestors(CX + "strDim"), None) is None:
            continue
        if value.tag == CX + "pt" or value.getparent().tag == CX + "txData":
            found.setdefault(value.text or "", []).append(value)
    return found


def is_shown(element: Element) -> bool:
    """Whether it is not what older markup (`mc:Fallback`) repeats."""
    return next(element.iterancestors(MC + "Fallback"), None) is None


def _joined(note: str, what: str) -> str:
    return f"{note}: {what}" if note else what
