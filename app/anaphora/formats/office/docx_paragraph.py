"""A Word paragraph as pieces, and pieces as a Word paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import accumulate

from lxml import etree  # type: ignore[import-untyped]

from anaphora.formats.base.limits import check_attributes
from anaphora.formats.base.pieces import WORD, Kind, Piece, Unsplit
from anaphora.formats.base.xml import Element, clean
from anaphora.formats.office.opc import KEEP_SPACE, MC, W
from anaphora.formats.office.run_styles import (
    APART,
    RunStyle,
    StyleEdge,
    StyleStack,
    proofread,
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
    "tab": "tab",
    "drawing": "picture",
    "pict": "picture",
    "object": "object",
    "AlternateContent": "picture",
    "footnoteReference": "footnote",
    "endnoteReference": "endnote",
    "commentReference": "comment",
    "hyperlink": "link",
    "del": "deleted text",
    "fldSimple": "field",
    "sym": "symbol",
    "oMath": "formula",
}
COMPUTED = frozenset((
    "=", "ADVANCE", "AUTONUM", "AUTONUMLGL", "AUTONUMOUT", "BARCODE", "CREATEDATE", "DATE", "EDITTIME",
    "EMBED", "EQ", "FILENAME", "FILESIZE", "FORMCHECKBOX", "FORMDROPDOWN", "INCLUDEPICTURE", "INDEX",
    "LASTSAVEDBY", "LINK", "LISTNUM", "NOTEREF", "NUMCHARS", "NUMPAGES", "NUMWORDS", "PAGE", "PAGEREF",
    "PRINT", "PRINTDATE", "PRIVATE", "REVNUM", "SAVEDATE", "SECTION", "SECTIONPAGES", "SEQ", "SYMBOL",
    "TEMPLATE", "TIME", "USERADDRESS", "USERINITIALS", "USERNAME",
))  # fmt: skip
"""Types of fields whose results Word makes of numbers, dates and files."""
_FORMAT_NAMES = {
    "b": "bold", "i": "italic", "u": "underlined", "strike": "struck out", "color": "colour",
    "vanish": "hidden", "webHidden": "hidden", "specVanish": "hidden",
    "eastAsianLayout": "combined characters", "rtl": "right to left", "highlight": "highlighted",
    "fitText": "fitted to a width",
}  # fmt: skip
_RAISED = frozenset(("superscript", "subscript"))
_NAMED = _RAISED.union(_FORMAT_NAMES)
_MEANING = frozenset(("vanish", "webHidden", "specVanish", "eastAsianLayout", "fitText", "rtl"))
_APART = frozenset(W + name for name in _MEANING)
"""Properties that change what a text means: the rest of a paragraph never gets them."""
OFF = ("0", "false", "off")
_IGNORED_FORMATS = frozenset(W + name for name in ("lang", "noProof", "rPrChange", "bCs", "iCs", "szCs"))
_LATIN_FONTS = frozenset(W + name for name in ("ascii", "hAnsi", "asciiTheme", "hAnsiTheme"))


@dataclass(frozen=True, slots=True)
class Ruby(Unsplit, RunStyle):
    """A text with its reading above it (`w:ruby`): the text is shown; a translation needs no reading.

    Attributes:
        element: the `w:ruby`.
        outer: properties of the run that holds it.
    """

    element: Element
    outer: Element | None


@dataclass(frozen=True, slots=True)
class ContainerEdge:
    """Where an element around runs (a link, an insertion) begins or ends."""

    element: Element
    opens: bool


@dataclass(frozen=True, slots=True)
class Copy:
    """Elements to be copied as they are: (element, properties of the run to put it in, or None if none)."""

    elements: tuple[tuple[Element, Element | None, bool], ...]


class _Run:
    """A `w:r`.

    Attributes:
        properties: its `w:rPr`, or None; looked for once, as a run may hold very many elements.
    """

    __slots__ = ("_style", "properties")

    def __init__(self, element: Element) -> None:
        self.properties: Element | None = element.find(W + "rPr")
        self._style: RunStyle | None = None

    @property
    def style(self) -> RunStyle:
        """How it styles."""
        if self._style is None:
            self._style = _style(self.properties)
        return self._style


@dataclass(frozen=True, slots=True)
class _Atom:
    """The smallest thing in a paragraph: a child of a run or of the paragraph, or a container's end."""

    element: Element
    run: _Run | None = None
    edge: int = 0


def paragraph_pieces(paragraph: Element) -> list[Piece]:
    """The pieces of a `w:p`; their `raw` refers to its elements, which must stay in place until rendered."""
    atoms = list(_atoms(paragraph))
    fields = _fields(atoms)
    pieces: list[Piece] = []
    pairs: dict[int, int] = {}
    index = 0
    while index < len(atoms):
        atom = atoms[index]
        if index in fields:
            field, behind, piece = fields[index]
            pieces.append(piece._replace(pair=index + 1) if piece.kind is Kind.OPEN else piece)
            if piece.kind is Kind.OPEN:
                pairs[field.end] = index + 1
            index = behind
            continue
        if index in pairs:
            close = _copy(atoms[index : index + 1])
            pieces.append(Piece(Kind.CLOSE, "", close, pairs[index]))
        else:
            pieces += _pieces_of(atom)
        index += 1
    return with_style_tags(_number_containers(pieces, len(atoms) + 1), _describe)


def is_hidden(paragraph: Element) -> bool:
    """Whether all runs of a `w:p` hide their text; what styles hide is not known."""
    texts = [run for run in paragraph.iter(W + "r") if run.find(W + "t") is not None]
    said = (run.find(f"{W}rPr/{W}vanish") for run in texts)
    return bool(texts) and all(each is not None and each.get(W + "val") not in OFF for each in said)


def rebuild(paragraph: Element, pieces: Sequence[Piece], base: RunStyle) -> None:
    """Fill a `w:p` with pieces; its properties stay.

    Args:
        base: the style of text outside tags.
    """
    content = _empty_paragraph(paragraph)
    parents: list[tuple[Element | None, Element]] = [(None, content)]
    styles = StyleStack(base)
    for piece in pieces:
        raw = piece.raw
        if isinstance(raw, StyleEdge):
            styles.pass_edge(raw)
        elif isinstance(raw, ContainerEdge):
            if raw.opens:
                parents.append((raw.element, _open_container(raw.element, parents[-1][1])))
            elif any(element is raw.element for element, _ in parents):
                while parents.pop()[0] is not raw.element:
                    pass  # whatever opened inside ends with it
        elif isinstance(raw, Ruby):
            _append_copies(parents[-1][1], Copy(((raw.element, raw.outer, True),)))
        elif isinstance(raw, Copy):
            _append_copies(parents[-1][1], raw)
        elif isinstance(raw, RunStyle):
            _append_text(parents[-1][1], piece.text, raw.properties)
        else:
            _append_text(parents[-1][1], piece.text, proofread(styles.current.properties))
    for child in list(paragraph):
        if child.tag != W + "pPr":
            paragraph.remove(child)
    paragraph.extend(list(content))


def _empty_paragraph(paragraph: Element) -> Element:
    return etree.Element(paragraph.tag, nsmap=paragraph.nsmap)


def shows_words(field: str, result: str) -> bool:
    """Whether a field's result is text that somebody wrote, or that stands for it, and not a number or date.

    Args:
        field: its code, which begins with its type.
    """
    kind = (field.split(None, 1) or [""])[0].upper()
    return kind not in COMPUTED and any(char.isalpha() for char in result)


def _atoms(parent: Element) -> Iterator[_Atom]:
    for child in parent:
        if not isinstance(child.tag, str) or child.tag in _IGNORED:
            continue
        if child.tag == W + "r":
            run = _Run(child)
            for part in child:
                if isinstance(part.tag, str) and part.tag not in _IGNORED:
                    yield _Atom(part, run)
        elif child.tag == MC + "AlternateContent" and _chosen(child) is not None:
            yield from _atoms(_chosen(child))
        elif child.tag in _CONTAINERS or (child.tag == W + "fldSimple" and _says(child)):
            content = child.find(W + "sdtContent") if child.tag == W + "sdt" else child
            yield _Atom(child, edge=1)
            if content is not None:
                yield from _atoms(content)
            yield _Atom(child, edge=-1)
        elif child.tag not in _PROPERTIES:
            yield _Atom(child)


def _chosen(alternatives: Element) -> Element | None:
    """The newer one of two markups for the same runs, what programs show; None where they hold no runs."""
    choice = alternatives.find(MC + "Choice")
    return choice if choice is not None and choice.find(W + "r") is not None else None


def _says(field: Element) -> bool:
    """See `shows_words`, of a simple field."""
    result = "".join(text.text or "" for text in field.iter(W + "t"))
    return shows_words(field.get(W + "instr", ""), result)


def _pieces_of(atom: _Atom) -> list[Piece]:
    """The piece of one atom outside fields."""
    element = atom.element
    name = etree.QName(element).localname
    label = _LABELS.get(name, name)
    if atom.edge:
        edge = ContainerEdge(element, atom.edge > 0)
        return [Piece(Kind.OPEN if edge.opens else Kind.CLOSE, "", edge, 0, label)]
    if atom.run is None:
        if element.tag in _ANCHOR_STARTS | _ANCHOR_ENDS:
            side = "start" if element.tag in _ANCHOR_STARTS else "end"
            return [Piece(Kind.ANCHOR, "", _copy([atom]), label=side)]
        stand_in = WORD if name in ("fldSimple", "oMath") else ""
        return [Piece(Kind.ALONE, stand_in, _copy([atom]), label=label)]
    if element.tag in (W + "t", W + "noBreakHyphen"):
        text = (element.text or "") if name == "t" else "\u2011"
        return [Piece(Kind.TEXT, text, atom.run.style)] if text else []
    if name == "ruby" and (pieces := _ruby(atom.element, atom.run)):
        return pieces
    if element.tag in _BREAKS:
        return [Piece(Kind.BREAK, "", _copy([atom]))]
    stand_in = {"tab": "\t", "ptab": "\t", "ruby": WORD}.get(name, "")
    return [Piece(Kind.ALONE, stand_in, _copy([atom]), label=label)]


def _ruby(element: Element, run: _Run) -> list[Piece]:
    """A text with a reading; none where there is no text, or more than that."""
    holder = element.find(W + "rubyBase")
    atoms = [] if holder is None else [atom for atom in _atoms(holder) if not atom.edge]
    text = "".join(atom.element.text or "" for atom in atoms)
    if not text or any(atom.element.tag != W + "t" for atom in atoms):
        return []
    base = holder.find(W + "r")
    style = run.style if base is None else _Run(base).style
    return [Piece(Kind.TEXT, text, Ruby(style.key, style.properties, element, run.properties))]


def _copy(atoms: Sequence[_Atom]) -> Copy:
    return Copy(
        tuple(
            (atom.element, atom.run.properties if atom.run is not None else None, atom.run is not None)
            for atom in atoms
        )
    )


def _field_type(atom: _Atom) -> str:
    return atom.element.get(W + "fldCharType", "") if atom.element.tag == W + "fldChar" else ""


@dataclass(frozen=True, slots=True)
class _Field:
    """A complex field, as indexes of atoms.

    Attributes:
        begin: its first mark.
        split: behind its code: behind its separator, or where a field without a result ends.
        end: the mark that ends it; 0 if that is in another paragraph.
    """

    begin: int
    split: int
    end: int


def _fields(atoms: Sequence[_Atom]) -> dict[int, tuple[_Field, int, Piece]]:
    """Complex fields by the index where they begin, with the index behind what the piece stands for, and it.

    A field that shows words is a pair around them; any other one (a page number, a date) stands alone
    together with its result. Of a field that goes on in another paragraph, only the code stands alone.
    """
    found = _found_fields(atoms)
    edges = list(accumulate((atom.edge != 0 for atom in atoms), initial=0))
    letters = list(accumulate((_has_letters(atom) for atom in atoms), initial=0))
    fields: dict[int, tuple[_Field, int, Piece]] = {}
    index = 0
    while index < len(atoms):
        field = found.get(index)
        if field is None:
            index += 1
            continue
        split, end = field.split, field.end
        code = "".join(
            atom.element.text or "" for atom in atoms[index:split] if atom.element.tag == W + "instrText"
        )
        is_link = code.strip().upper().startswith("HYPERLINK")
        words = end > 0 and letters[end] > letters[split]
        is_pair = is_link or shows_words(code, "x" if words else "")
        name = (code.split(None, 1) or [""])[0]
        label = "link" if is_link else f"field: {name}"
        whole = end > 0 and edges[end] == edges[index]
        if whole and is_pair:
            piece = Piece(Kind.OPEN, "", _copy(atoms[index:split]), label=label)
            fields[index] = (field, split, piece)
        elif whole:
            piece = Piece(Kind.ALONE, WORD, _copy(atoms[index : end + 1]), label=label)
            fields[index] = (field, end + 1, piece)
        elif edges[split] == edges[index]:
            fields[index] = (field, split, Piece(Kind.ALONE, "", _copy(atoms[index:split]), label="field"))
        index = fields[index][1] if index in fields else index + 1
    return fields


def _found_fields(atoms: Sequence[_Atom]) -> dict[int, _Field]:
    """The complex fields by their first marks."""
    fields: dict[int, _Field] = {}
    opened: list[tuple[int, int]] = []
    for index, atom in enumerate(atoms):
        kind = _field_type(atom)
        if kind == "begin":
            opened.append((index, 0))
        elif kind == "separate" and opened and not opened[-1][1]:
            opened[-1] = (opened[-1][0], index + 1)
        elif kind == "end" and opened:
            begin, split = opened.pop()
            fields[begin] = _Field(begin, split or index, index)
    for begin, split in opened:
        fields[begin] = _Field(begin, split or begin + 1, 0)
    return fields


def _has_letters(atom: _Atom) -> bool:
    return atom.element.tag == W + "t" and any(char.isalpha() for char in atom.element.text or "")


def _number_containers(pieces: Sequence[Piece], first: int) -> list[Piece]:
    """Give both edges of each container the same pair number."""
    numbers: dict[int, int] = {}
    out = []
    for piece in pieces:
        if isinstance(piece.raw, ContainerEdge):
            number = numbers.setdefault(id(piece.raw.element), first + len(numbers))
            piece = piece._replace(pair=number)
        out.append(piece)
    return out


def _style(properties: Element | None) -> RunStyle:
    if properties is None:
        return RunStyle("", None)
    check_attributes(len(properties))
    parts = []
    apart = ""
    for child in properties:
        if not isinstance(child.tag, str) or child.tag in _IGNORED_FORMATS:
            continue
        value = child.get(W + "val")
        if (child.tag in _APART and value not in OFF) or (child.tag == W + "vertAlign" and value in _RAISED):
            apart = APART
        attributes = dict(child.attrib)
        if child.tag == W + "rFonts":
            attributes = {name: value for name, value in attributes.items() if name in _LATIN_FONTS}
            if not attributes:
                continue
        parts.append(f"{child.tag}{sorted(attributes.items())}")
    return RunStyle(apart + "\n".join(sorted(parts)), properties)


def _describe(style: RunStyle) -> str:
    if style.properties is None:
        return "plain"
    names = [
        str(child.get(W + "val")) if child.tag == W + "vertAlign" else etree.QName(child).localname
        for child in style.properties
        if isinstance(child.tag, str) and child.get(W + "val") not in OFF
    ]
    shown = dict.fromkeys(_FORMAT_NAMES.get(name, name) for name in names if name in _NAMED)
    return ", ".join(shown) or "formatted"


def _open_container(element: Element, parent: Element) -> Element:
    """An empty copy of a container; returns where its content goes."""
    copy = etree.SubElement(parent, element.tag, dict(element.attrib), nsmap=element.nsmap)
    for child in element:
        if child.tag in _PROPERTIES:
            copy.append(deepcopy(child))
    return etree.SubElement(copy, W + "sdtContent") if element.tag == W + "sdt" else copy


def _append_copies(parent: Element, raw: Copy) -> None:
    for element, properties, in_run in raw.elements:
        target = _new_run(parent, properties) if in_run else parent
        copy = deepcopy(element)
        copy.tail = None
        target.append(copy)


def _new_run(parent: Element, properties: Element | None) -> Element:
    run = etree.SubElement(parent, W + "r")
    if properties is not None:
        run.append(deepcopy(properties))
    return run


def _append_text(parent: Element, text: str, properties: Element | None) -> None:
    """A run with text; line breaks and tabs become their elements."""
    if not text:
        return
    run = _new_run(parent, properties)
    for fonts in run.iterfind(f"{W}rPr/{W}rFonts"):
        fonts.attrib.pop(W + "hint", None)  # it would set Latin quotation marks in the Chinese font
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
