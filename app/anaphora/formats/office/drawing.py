"""DrawingML: the texts of slides, shapes, tables, charts and diagrams, in whatever part they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from anaphora.core.counting import WordCount, count_text
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment
from anaphora.formats.base.limits import MAX_RUNS, check_markup
from anaphora.formats.base.pieces import Block, Kind, Piece, is_translated, segments_of
from anaphora.formats.base.sentence_splitting import split_into_sentences, split_texts
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.splicing import assemble
from anaphora.formats.base.xml import Element, clean
from anaphora.formats.office.opc import A, Part
from anaphora.formats.office.run_styles import RunStyle
from anaphora.formats.office.runs import RunDialect, described, fill, local_name, run_pieces
from anaphora.formats.segmentation.segmenter import Segmenter

MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
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
    "b": "bold", "i": "italic", "u": "underlined", "strike": "struck out", "baseline": "raised or lowered",
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
        name for name, value in style.properties.attrib.items() if value not in ("0", "none", "noStrike")
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
    """A text, split into sentences."""

    place: TextPlace
    block: Block


def shapes_places(part: Part, note: str = "") -> Iterator[TextPlace]:
    """The paragraphs, alternative texts and cached words of charts in a part, in order.

    What stands in the older markup that is kept beside a newer one (`mc:Fallback`) is left out.
    """
    for element in part.tree.iter():
        name = local_name(element)
        if element.tag == A + "p":
            # No paragraph may stand in another one; the outer one's translation would replace it.
            if _is_shown(element) and next(element.iterancestors(A + "p"), None) is None:
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


def count_properties(part: Part | None, words: SourceWords) -> WordCount:
    """The words of `property_places`, by another walk."""
    texts = (
        (element.text or "" for name in _CORE_PROPERTIES for element in part.tree.iter("{*}" + name))
        if part
        else ()
    )
    return sum((count_text(text) for text in texts if words.in_text(text)), WordCount())


def alternative_texts(part: Part, properties: Element, note: str) -> Iterator[TextPlace]:
    """The alternative text and the title of a picture or shape."""
    if not _is_shown(properties):
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


def split_places(places: Iterable[TextPlace], segmenter: Segmenter, first: int = 1) -> list[LocatedText]:
    """Split texts into sentences; numbers of blocks begin with `first`.

    Raises:
        FormatError: there are more of them, or of their runs, than a document has.
    """
    found = 0

    def pieces(place: TextPlace) -> list[Piece]:
        nonlocal found
        held = place.holder.pieces()
        found += len(held)
        check_markup(found, MAX_RUNS)
        return held

    return [LocatedText(place, block) for place, block in split_texts(places, pieces, segmenter, first)]


def located_twins(
    twins: Mapping[str, Part], located: Iterable[LocatedText], segmenter: Segmenter
) -> Iterator[LocatedText]:
    """Diagrams' drawn paragraphs, each with the number of the one in the data that says the same.

    Args:
        twins: the drawing that programs show, by the name of the part with the data that it is made from.
    """
    numbers = {
        (each.place.part.name, paragraph_text(each.place.holder.element)): each.block.number
        for each in located
        if each.place.part.name in twins and isinstance(each.place.holder, RunHolder)
    }
    for name, drawing in twins.items():
        for place in shapes_places(drawing):
            if isinstance(place.holder, RunHolder):
                number = numbers.get((name, paragraph_text(place.holder.element)))
                if number is not None:
                    yield LocatedText(place, split_into_sentences(place.holder.pieces(), number, segmenter))


def drawing_of(data: str, drawings: Iterable[str]) -> str:
    """The entry of the drawing that belongs to a diagram's data ("" if none): they are numbered alike."""
    return next((name for name in sorted(drawings) if _digits(name) == _digits(data)), "")


def _nothing(place: TextPlace) -> tuple[Note, ...]:
    return ()


def segments(
    located: Iterable[LocatedText], describe: Callable[[TextPlace], tuple[Note, ...]] = _nothing
) -> tuple[Segment, ...]:
    """The sentences as segments with their notes.

    Args:
        describe: what a place is in its document.
    """
    found: list[Segment] = []
    for each in located:
        notes = (Note(NoteKind.PLACE, each.place.note),) if each.place.note else ()
        found += segments_of((each.block,), (*notes, *describe(each.place)))
    return tuple(found)


def fill_translated(located: Iterable[LocatedText], translations: Mapping[str, str]) -> dict[str, Part]:
    """Put translations in place; returns the parts that changed, by name."""
    changed = {}
    # From the end: what stands in a paragraph (a text box, a picture) is done before it is copied with that.
    for each in reversed(list(located)):
        if is_translated(each.block, translations):
            each.place.holder.fill(assemble(each.block, translations))
            changed[each.place.part.name] = each.place.part
    return changed


def paragraph_text(paragraph: Element) -> str:
    """A paragraph's text, fields left out."""
    runs = (run.findtext(A + "t") or " " for run in paragraph.iter(A + "r", A + "br"))
    return "".join(runs)


def count_shapes(part: Part, caches: bool = True) -> WordCount:
    """Count the words of a part's shapes (and what charts keep of cells), by a walk over its texts."""
    counted = WordCount()
    for paragraph in part.tree.iter(A + "p"):
        if _is_shown(paragraph):
            counted += count_text(paragraph_text(paragraph))
    for element in part.tree.iter("{*}cNvPr", "{*}docPr"):
        if _is_shown(element):
            counted = sum((count_text(element.get(name, "")) for name in _SPEAKING), counted)
    values = (cache.iterfind(f"{C}pt/{C}v") for cache in part.tree.iter(*_CACHES) if caches)
    texts = {value.text or "" for found in values for value in found}
    newer = (f"{CX}strDim//{CX}pt", f"{CX}txData/{CX}v") if caches else ()
    texts |= {value.text or "" for path in newer for value in part.tree.iterfind(f".//{path}")}
    return sum(map(count_text, texts), counted)


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


def _is_shown(element: Element) -> bool:
    return next(element.iterancestors(MC + "Fallback"), None) is None


def _joined(note: str, what: str) -> str:
    return f"{note}: {what}" if note else what
