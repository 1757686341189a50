"""Inline markup of XLIFF and TMX: pairs of tags, standalone tags, and their labels.

Escaped HTML in texts, such as `&lt;b&gt;` and `&amp;nbsp;`, also becomes tags.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from anaphora.core.errors import Message
from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.marked_text import split_markup
from anaphora.formats.base.opened import with_counts
from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.placeholders import ENTITY
from anaphora.formats.bilingual.units import Unit, UnitSlot, make_unit
from anaphora.formats.bilingual.xml_text import Node, XmlText

_IDENTITY = re.compile(r"""<(?:[\w.-]+:)?([\w.-]+)|\s(x|id|i|rid|startRef|mid)\s*=\s*["']([^"']*)["']""")
_MARKS = ("mrk", "hi")
"""Elements of XLIFF and TMX that may mark a reviser's changes."""
_DELETED = re.compile(r"(?:.*[-:])?del(?:et(?:ed?|ion))?")
_ADDED = re.compile(r"(?:.*[-:])?(?:added|addition|ins(?:ert(?:ed|ion)?)?)")
"""Types of marks around text that a reviser deleted or added, in Trados Studio, memoQ and XLIFF 2."""
_ORDER = ("x", "id", "i", "rid", "startRef", "mid")
_NAMES = ("equiv-text", "disp", "dispstart", "dispend", "equiv", "equivstart", "ctype", "subtype", "type")
_PREFIX = re.compile(r"(?:x-)?(?:fmt:)?(?:html:)?")
_MAX_LABEL = 60


@dataclass(frozen=True, slots=True)
class InlineElements:
    """The inline elements of a format; any other element and its content become one standalone tag.

    Attributes:
        pairs: elements whose content is text, except those in `protected` (name, attribute, value).
        openers, closers: elements that begin and end a pair, with the attributes that may identify the pair.
    """

    pairs: frozenset[str]
    openers: Mapping[str, tuple[str, ...]]
    closers: Mapping[str, tuple[str, ...]]
    protected: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class XmlSlot(UnitSlot):
    """A unit with its `owner` (trans-unit, segment, tu, message) and the elements of source and target."""

    owner: Node
    source: Node
    target: Node | None


def unit_of(
    document: XmlText,
    address: str,
    source: Node,
    target: Node | None,
    elements: InlineElements,
    codes: re.Pattern[str] = ENTITY,
    squeeze: bool = False,
) -> Unit:
    """A unit from source and target elements; escaped HTML in the target stays text unless the source has it.

    Args:
        codes: finds the placeholders in texts, which become tags.
    """
    parts = list(_with_tags(document, pieces_of(document, source, elements), codes, None))
    known = frozenset(piece.label for piece in parts if piece.kind is not Kind.TEXT)
    pieces = [] if target is None else pieces_of(document, target, elements)
    return make_unit(address, parts, list(_with_tags(document, pieces, codes, known)), key_of, squeeze)


def pieces_of(document: XmlText, holder: Node, elements: InlineElements) -> list[Piece]:
    """The content of a source, target or seg element, without text that a reviser has deleted."""
    return list(_PieceReader(document, elements).pieces(holder))


def key_of(piece: Piece) -> Hashable:
    """An element's name and id, which identify it in source and target; for other markup, its text."""
    name = ""
    ids: dict[str, str] = {}
    for match in _IDENTITY.finditer(piece.raw):
        if match[1]:
            if name:
                break
            name = match[1]
        else:
            ids.setdefault(match[2], match[3])
    identity = next((ids[each] for each in _ORDER if each in ids), None)
    return (name, identity) if name else piece.raw


def to_source(document: XmlText, pieces: Sequence[Piece]) -> str:
    return "".join(
        document.escape(piece.text) if piece.kind is Kind.TEXT else str(piece.raw) for piece in pieces
    )


def note_from(text: str, author: str) -> tuple[Note, ...]:
    return (Note(NoteKind.NOTE, text, (author,) if author else ()),) if text else ()


def inner_text_notes(document: XmlText) -> tuple[Message, ...]:
    """A note for `Opened.notes` on untranslated texts in `sub` elements; empty if there are none."""
    count = sum(any(map(str.isalpha, document.plain(node))) for node in document.root.descendants("sub"))
    return with_counts([(Message("Texts inside <sub> elements are not translated: {count}."), count)])


def _with_tags(
    document: XmlText, pieces: Iterable[Piece], codes: re.Pattern[str], known: Collection[str] | None
) -> Iterator[Piece]:
    pairs = len(document.text)  # greater than the pair numbers of elements, which are their offsets
    for piece in pieces:
        inner = split_markup(piece.text, codes, known) if piece.kind is Kind.TEXT else ()
        for each in inner:
            pair = each.pair + pairs if each.is_half else 0
            raw = None if each.kind is Kind.TEXT else document.escape(each.raw)
            yield each._replace(raw=raw, pair=pair)
        if not inner:
            yield piece
        pairs += len(inner)


def _mark_type(attributes: Mapping[str, str]) -> str:
    """The type of a mark; memoQ has a separate attribute for tracked changes (`mq:tctype`)."""
    kind = attributes.get("mtype") or attributes.get("type", "")
    if kind != "x-mq-tc":
        return kind
    return next((value for name, value in attributes.items() if name.rpartition(":")[2] == "tctype"), kind)


class _PieceReader:
    def __init__(self, document: XmlText, elements: InlineElements) -> None:
        self._document = document
        self._elements = elements
        self._halves: dict[tuple[str, str], int] = {}

    def pieces(self, holder: Node) -> Iterator[Piece]:
        for part in self._document.content(holder):
            if not isinstance(part, str):
                yield from self._element(part)
            elif part:
                yield Piece(Kind.TEXT, part)

    def _element(self, node: Node) -> Iterator[Piece]:
        elements, text = self._elements, self._document.text
        attributes = {name: attribute.value for name, attribute in node.attributes.items()}
        mark = _mark_type(attributes) if node.name in _MARKS else ""
        if _DELETED.fullmatch(mark):
            return
        if _ADDED.fullmatch(mark):
            yield from self.pieces(node)
            return
        is_protected = any(
            node.name == name and attributes.get(attribute) == value
            for name, attribute, value in elements.protected
        )
        raw = text[node.start : node.end]
        if node.name in elements.pairs and not node.is_empty_tag and not is_protected:
            label = self._label(node, "")
            yield Piece(Kind.OPEN, raw=text[node.start : node.inner_start], pair=node.start, label=label)
            yield from self.pieces(node)
            yield Piece(Kind.CLOSE, raw=text[node.inner_end : node.end], pair=node.start, label=label)
            return
        label = self._label(node, self._document.plain(node))
        if node.name in elements.openers:
            name = self._pair_name(node, elements.openers[node.name])
            self._halves[(node.name[1:], name)] = node.start
            yield Piece(Kind.OPEN, raw=raw, pair=node.start, label=label)
        elif node.name in elements.closers:
            # The names of openers and closers differ in the first letter only: bpt and ept, sc and ec.
            name = self._pair_name(node, elements.closers[node.name])
            pair = self._halves.pop((node.name[1:], name), None)
            kind = Kind.ALONE if pair is None else Kind.CLOSE
            yield Piece(kind, raw=raw, pair=pair or 0, label=label)
        else:
            yield Piece(Kind.ALONE, raw=raw, label=label)

    @staticmethod
    def _pair_name(node: Node, names: tuple[str, ...]) -> str:
        return next((node.get(name) for name in names if name in node.attributes), "")

    @staticmethod
    def _label(node: Node, inner: str) -> str:
        text = next((value for name in _NAMES if (value := node.get(name).strip())), "")
        identity = next((node.get(name.lower()) for name in _ORDER if name.lower() in node.attributes), "")
        return (_PREFIX.sub("", text, count=1) or inner)[:_MAX_LABEL] or f"{node.name} {identity}".strip()
