"""Convert Word paragraphs to pieces, and pieces to Word paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from importlib.resources import files
from itertools import accumulate

from lxml import etree  # type: ignore[import-untyped]

from anaphora.formats.base.format import check_attributes
from anaphora.formats.base.pieces import WORD, Kind, Piece, Unsplit
from anaphora.formats.base.target_language import SourceWords
from anaphora.formats.base.xml import Element, clean
from anaphora.formats.office.opc import KEEP_SPACE, MC, W
from anaphora.formats.office.runs import (
    OFF,
    SPECIAL,
    RunStyle,
    StyleEdge,
    apply_edge,
    base_style,
    proofreadable,
    with_style_tags,
)

_CONTAINERS = frozenset(
    W + name for name in ("hyperlink", "smartTag", "customXml", "ins", "moveTo", "dir", "bdo", "sdt")
)
_PROPERTIES = frozenset(W + name for name in ("smartTagPr", "customXmlPr", "sdtPr", "sdtEndPr"))
_ANCHOR_STARTS = frozenset(W + name for name in ("bookmarkStart", "commentRangeStart", "permStart"))
_ANCHOR_ENDS = frozenset(W + name for name in ("bookmarkEnd", "commentRangeEnd", "permEnd"))
_IGNORED = frozenset(W + name for name in ("pPr", "rPr", "proofErr", "lastRenderedPageBreak", "softHyphen"))
_BREAKS = frozenset((W + "br", W + "cr"))
_LABELS = {
    "drawing": "picture", "pict": "picture", "AlternateContent": "picture", "footnoteReference": "footnote",
    "endnoteReference": "endnote", "commentReference": "comment", "hyperlink": "link",
    "del": "deleted text", "fldSimple": "field", "sym": "symbol", "oMath": "formula",
}  # fmt: skip
_COMPUTED = frozenset(files("anaphora_resources").joinpath("word_fields.txt").read_text("utf-8").split())
"""Types of fields whose results Word computes from numbers, dates and files."""
_SHIFT = ("superscript", "subscript")
_SPECIAL = frozenset(
    W + name for name in ("vanish", "webHidden", "specVanish", "eastAsianLayout", "fitText", "rtl")
)
"""Properties that change the meaning of text; a style with one of them is `SPECIAL`."""
_IGNORED_FORMATS = frozenset(W + name for name in ("lang", "noProof", "rPrChange", "bCs", "iCs", "szCs"))
_LATIN_FONTS = frozenset(W + name for name in ("ascii", "hAnsi", "asciiTheme", "hAnsiTheme"))


@dataclass(frozen=True, slots=True)
class _Ruby(Unsplit, RunStyle):
    """A text with a ruby annotation (`w:ruby`); `outer_style` is the style of the run around `w:ruby`."""

    element: Element
    outer_style: RunStyle


@dataclass(frozen=True, slots=True)
class _ContainerEdge:
    """The beginning or end of an element around runs (a link, an insertion)."""

    element: Element
    opens: bool


@dataclass(frozen=True, slots=True)
class _Atom:
    """A child of a paragraph or run; `edge` is 1 where a container around runs begins, -1 where it ends."""

    element: Element
    run: RunStyle | None = None
    edge: int = 0


class _Copy(tuple[_Atom, ...]):
    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ParagraphHolder:
    """A `w:p`; see `drawing.TextHolder`."""

    element: Element

    def pieces(self) -> list[Piece]:
        """The paragraph's text; `raw` refers to elements, which must not change before `fill`."""
        return _paragraph_pieces(self.element)

    def fill(self, pieces: list[Piece]) -> None:
        """Replace the text; the base style is that of the old text."""
        _rebuild(self.element, pieces, base_style(self.pieces()))


def _paragraph_pieces(paragraph: Element) -> list[Piece]:
    atoms = list(_atoms(paragraph))
    fields = _fields(atoms)
    pieces: list[Piece] = []
    pairs: dict[int, int] = {}
    next_index = 0
    for index, atom in enumerate(atoms):
        if index < next_index:
            continue
        if index in fields:
            end, next_index, piece = fields[index]
            pieces.append(piece)
            if piece.kind is Kind.OPEN:
                pairs[end] = piece.pair
        elif index in pairs:
            pieces.append(Piece(Kind.CLOSE, "", _Copy([atom]), pairs[index]))
        else:
            pieces += _pieces_of(atom)
    return with_style_tags(pieces)


def is_hidden(paragraph: Element) -> bool:
    """True if all runs of a `w:p` hide their text; hidden styles are not considered."""
    texts = [run for run in paragraph.iter(W + "r") if run.find(W + "t") is not None]
    marks = (run.find(f"{W}rPr/{W}vanish") for run in texts)
    return bool(texts) and all(each is not None and each.get(W + "val") not in OFF for each in marks)


def _rebuild(paragraph: Element, pieces: Sequence[Piece], base: RunStyle) -> None:
    """Replace a paragraph's content, except `w:pPr`, with pieces; text outside tags gets the style `base`."""
    content = etree.Element(paragraph.tag, nsmap=paragraph.nsmap)
    parents: list[tuple[Element | None, Element]] = [(None, content)]
    styles = [base]
    for piece in pieces:
        raw = piece.raw
        if isinstance(raw, StyleEdge):
            apply_edge(styles, raw)
        elif isinstance(raw, _ContainerEdge):
            if raw.opens:
                parents.append((raw.element, _open_container(raw.element, parents[-1][1])))
            elif any(element is raw.element for element, _ in parents):
                while parents.pop()[0] is not raw.element:
                    pass  # elements that were opened inside this element end with it
        elif isinstance(raw, _Ruby):
            _append_copies(parents[-1][1], _Copy([_Atom(raw.element, raw.outer_style)]))
        elif isinstance(raw, _Copy):
            _append_copies(parents[-1][1], raw)
        elif isinstance(raw, RunStyle):
            _append_text(parents[-1][1], piece.text, raw.properties)
        else:
            _append_text(parents[-1][1], piece.text, proofreadable(styles[-1].properties))
    for child in list(paragraph):
        if child.tag != W + "pPr":
            paragraph.remove(child)
    paragraph.extend(list(content))


def has_computed_words(piece: Piece, words: SourceWords) -> bool:
    """True if a piece is a field whose computed result contains words of the document's language."""
    if not (isinstance(piece.raw, _Copy) and piece.label.startswith("field")):
        return False
    texts = (text.text or "" for atom in piece.raw for text in atom.element.iter(W + "t"))
    return words.in_text("".join(texts))


def _shows_words(field: str, has_letters: bool) -> bool:
    return has_letters and (field.split(None, 1) or [""])[0].upper() not in _COMPUTED


def _atoms(parent: Element) -> Iterator[_Atom]:
    for child in parent:
        if not isinstance(child.tag, str) or child.tag in _IGNORED:
            continue
        if child.tag == W + "r":
            run = _style(child.find(W + "rPr"))
            for part in child:
                if isinstance(part.tag, str) and part.tag not in _IGNORED:
                    yield _Atom(part, run)
        elif child.tag == MC + "AlternateContent" and _newer_alternative(child) is not None:
            yield from _atoms(_newer_alternative(child))
        elif child.tag in _CONTAINERS or (child.tag == W + "fldSimple" and _is_text_field(child)):
            content = child.find(W + "sdtContent") if child.tag == W + "sdt" else child
            yield _Atom(child, edge=1)
            if content is not None:
                yield from _atoms(content)
            yield _Atom(child, edge=-1)
        elif child.tag not in _PROPERTIES:
            yield _Atom(child)


def _newer_alternative(alternatives: Element) -> Element | None:
    choice = alternatives.find(MC + "Choice")
    return choice if choice is not None and choice.find(W + "r") is not None else None


def _is_text_field(field: Element) -> bool:
    return _shows_words(field.get(W + "instr", ""), any(map(_has_letters, field.iter(W + "t"))))


def _pieces_of(atom: _Atom) -> list[Piece]:
    element = atom.element
    name = etree.QName(element).localname
    label = _LABELS.get(name, name)
    if atom.edge:
        edge = _ContainerEdge(element, atom.edge > 0)
        # Negative, because other pairs are counted from 1.
        return [Piece(Kind.OPEN if edge.opens else Kind.CLOSE, "", edge, -id(element), label)]
    if atom.run is None:
        if element.tag in _ANCHOR_STARTS | _ANCHOR_ENDS:
            side = "start" if element.tag in _ANCHOR_STARTS else "end"
            return [Piece(Kind.ANCHOR, "", _Copy([atom]), label=side)]
        stand_in = WORD if name in ("fldSimple", "oMath") else ""
        return [Piece(Kind.ALONE, stand_in, _Copy([atom]), label=label)]
    if element.tag in (W + "t", W + "noBreakHyphen"):
        text = (element.text or "") if name == "t" else "\u2011"
        return [Piece(Kind.TEXT, text, atom.run)] if text else []
    if name == "ruby" and (pieces := _ruby(atom.element, atom.run)):
        return pieces
    if element.tag in _BREAKS:
        return [Piece(Kind.BREAK, "", _Copy([atom]))]
    stand_in = {"tab": "\t", "ptab": "\t", "ruby": WORD}.get(name, "")
    return [Piece(Kind.ALONE, stand_in, _Copy([atom]), label=label)]


def _ruby(element: Element, run: RunStyle) -> list[Piece]:
    holder = element.find(W + "rubyBase")
    atoms = [] if holder is None else [atom for atom in _atoms(holder) if not atom.edge]
    text = "".join(atom.element.text or "" for atom in atoms)
    if not text or any(atom.element.tag != W + "t" for atom in atoms):
        return []
    style = atoms[0].run or run
    return [Piece(Kind.TEXT, text, _Ruby(style.key, style.properties, element, run))]


def _fields(atoms: Sequence[_Atom]) -> dict[int, tuple[int, int, Piece]]:
    """Complex fields by the index of their first atom: (index of the last atom, index to read next, piece).

    If a field ends in another paragraph or container, only its code is a standalone tag.
    """
    marks = _field_marks(atoms)
    edges = list(accumulate((atom.edge != 0 for atom in atoms), initial=0))
    letters = list(accumulate((_has_letters(atom.element) for atom in atoms), initial=0))
    fields: dict[int, tuple[int, int, Piece]] = {}
    next_index = 0
    for first in sorted(marks):
        result, end = marks[first]
        if first < next_index:
            continue
        code = "".join(
            atom.element.text or "" for atom in atoms[first:result] if atom.element.tag == W + "instrText"
        ).strip()
        is_link = code.upper().startswith("HYPERLINK")
        label = "link" if is_link else f"field: {code.partition(' ')[0]}"
        is_whole = end > 0 and edges[end] == edges[first]
        if is_whole and (is_link or _shows_words(code, letters[end] > letters[result])):
            next_index, piece = result, Piece(Kind.OPEN, "", _Copy(atoms[first:result]), first + 1, label)
        elif is_whole:
            next_index, piece = end + 1, Piece(Kind.ALONE, WORD, _Copy(atoms[first : end + 1]), label=label)
        elif edges[result] == edges[first]:
            next_index, piece = result, Piece(Kind.ALONE, "", _Copy(atoms[first:result]), label="field")
        else:
            continue
        fields[first] = (end, next_index, piece)
    return fields


def _field_marks(atoms: Sequence[_Atom]) -> dict[int, tuple[int, int]]:
    """By each field's first mark, the indexes of its result and its end (0 if in another paragraph)."""
    fields: dict[int, tuple[int, int]] = {}
    opened: list[tuple[int, int]] = []
    for index, atom in enumerate(atoms):
        kind = atom.element.get(W + "fldCharType") if atom.element.tag == W + "fldChar" else ""
        if kind == "begin":
            opened.append((index, 0))
        elif kind == "separate" and opened and not opened[-1][1]:
            opened[-1] = (opened[-1][0], index + 1)
        elif kind == "end" and opened:
            first, result = opened.pop()
            fields[first] = (result or index, index)
    return fields | {first: (result or first + 1, 0) for first, result in opened}


def _has_letters(element: Element) -> bool:
    return element.tag == W + "t" and any(map(str.isalpha, element.text or ""))


def _style(properties: Element | None) -> RunStyle:
    """The style of a run with `w:rPr` properties; those without effect on Latin text are not in the key."""
    if properties is None:
        return RunStyle("", None)
    check_attributes(len(properties))
    parts = []
    prefix = ""
    for child in properties:
        if not isinstance(child.tag, str) or child.tag in _IGNORED_FORMATS:
            continue
        value = child.get(W + "val")
        if (child.tag in _SPECIAL and value not in OFF) or (child.tag == W + "vertAlign" and value in _SHIFT):
            prefix = SPECIAL
        attributes = dict(child.attrib)
        if child.tag == W + "rFonts":
            attributes = {name: value for name, value in attributes.items() if name in _LATIN_FONTS}
            if not attributes:
                continue
        parts.append(f"{child.tag}{sorted(attributes.items())}")
    return RunStyle(prefix + "\n".join(sorted(parts)), properties)


def _open_container(element: Element, parent: Element) -> Element:
    copy = etree.SubElement(parent, element.tag, dict(element.attrib), nsmap=element.nsmap)
    for child in element:
        if child.tag in _PROPERTIES:
            copy.append(deepcopy(child))
    return etree.SubElement(copy, W + "sdtContent") if element.tag == W + "sdt" else copy


def _append_copies(parent: Element, raw: _Copy) -> None:
    for atom in raw:
        target = parent if atom.run is None else _new_run(parent, atom.run.properties)
        copy = deepcopy(atom.element)
        copy.tail = None
        target.append(copy)


def _new_run(parent: Element, properties: Element | None) -> Element:
    run = etree.SubElement(parent, W + "r")
    if properties is not None:
        run.append(deepcopy(properties))
    return run


def _append_text(parent: Element, text: str, properties: Element | None) -> None:
    if not text:
        return
    run = _new_run(parent, properties)
    for fonts in run.iterfind(f"{W}rPr/{W}rFonts"):
        fonts.attrib.pop(W + "hint", None)  # otherwise Word shows Latin quotation marks in the Chinese font
    for part in re.split(r"(\r\n|[\n\r\t])", clean(text)):
        if part == "\t":
            etree.SubElement(run, W + "tab")
        elif part in ("\n", "\r", "\r\n"):
            etree.SubElement(run, W + "br")
        elif part:
            holder = etree.SubElement(run, W + "t")
            holder.text = part
            if part != part.strip():
                holder.set(KEEP_SPACE, "preserve")
