"""Inline markup of XLIFF and TMX: which elements are pairs, which stand alone, and what they are called."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from anaphora.core.errors import Message
from anaphora.formats.base import remarks
from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.bilingual.xml_nodes import Node
from anaphora.formats.bilingual.xml_text import XmlText

_IDENTITY = re.compile(r"""<(?:[\w.-]+:)?([\w.-]+)|\s(x|id|i|rid|startRef|mid)\s*=\s*["']([^"']*)["']""")
_MARKS = ("mrk", "hi")
"""Elements, of XLIFF and of TMX, that say what a reviser did to the text in them."""
DELETED = re.compile(r"(?:.*[-:])?del(?:et(?:ed?|ion))?")
_ADDED = re.compile(r"(?:.*[-:])?(?:added|addition|ins(?:ert(?:ed|ion)?)?)")
"""Types of marks around what a reviser took out and put in, as Trados Studio, memoQ and XLIFF 2 call them."""
_ORDER = ("x", "id", "i", "rid", "startRef", "mid")
_NAMES = ("equiv-text", "disp", "dispstart", "dispend", "equiv", "equivstart", "ctype", "subtype", "type")
_PREFIXES = ("x-", "fmt:", "html:")
_MOST = 60
_HOLDERS = ("source", "seg", "g", "pc", "mrk", "hi")
"""Elements of XLIFF and TMX whose content is text."""
_INLINE = frozenset(
    (
        "g",
        "x",
        "bx",
        "ex",
        "bpt",
        "ept",
        "ph",
        "it",
        "sub",
        "mrk",
        "pc",
        "sc",
        "ec",
        "cp",
        "sm",
        "em",
        "hi",
        "ut",
    )
)
"""Those that may stand in it."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The inline elements of a format; all others stand alone, with what they hold.

    Attributes:
        pairs: elements whose content is text.
        openers: elements that begin a pair, with the attributes that name it, the first that is there.
        closers: the same for elements that end one.
        protected: of `pairs`, (name, attribute, value) of those whose content is no text after all.
        characters: elements that stand for one character, with the attribute that holds its number.
    """

    pairs: frozenset[str]
    openers: Mapping[str, tuple[str, ...]]
    closers: Mapping[str, tuple[str, ...]]
    protected: tuple[tuple[str, str, str], ...] = ()
    characters: Mapping[str, str] = field(default_factory=dict)

    def holds_text(self, name: str, get: Mapping[str, str]) -> bool:
        """Whether an element's content is text."""
        return name in self.pairs and (
            not any(name == each and get.get(attribute) == value for each, attribute, value in self.protected)
        )


def pieces_of(document: XmlText, holder: Node, dialect: Dialect) -> list[Piece]:
    """The content of a source, target or seg element."""
    if not holder.children:
        text = document.value(holder.inner_start, holder.inner_end)
        return [Piece(Kind.TEXT, text)] if text else []
    return list(_Reading(document, dialect).pieces(holder))


def key_of(piece: Piece) -> Hashable:
    """What the same element in source and target has in common: its name and id, however it looks else."""
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


def written(document: XmlText, pieces: Sequence[Piece]) -> str:
    """Pieces as XML."""
    return "".join(
        document.escape(piece.text) if piece.kind is Kind.TEXT else str(piece.raw) for piece in pieces
    )


def texts_within(document: XmlText) -> tuple[Message, ...]:
    """Sentences on the texts within markup, which are not offered, for `Parsed.notes`.

    They stand in `sub`, and in elements that no standard knows: what these mean nobody says.
    """
    within = sum(any(map(str.isalpha, document.plain(node))) for node in document.root.all("sub"))
    unknown = sum(
        any(map(str.isalpha, document.plain(node)))
        for holder in document.root.all(*_HOLDERS)
        for node in holder.children
        if node.name not in _INLINE
    )
    return remarks.counted(
        (
            (Message("Texts within markup (sub) stay as they are: {count}."), within),
            (
                Message("Texts within elements that the format does not have stay as they are: {count}."),
                unknown,
            ),
        )
    )


def _mark_type(attributes: Mapping[str, str]) -> str:
    """The type of a mark; memoQ tells what was tracked in an attribute of its own (`mq:tctype`)."""
    kind = attributes.get("mtype") or attributes.get("type", "")
    if kind != "x-mq-tc":
        return kind
    return next((value for name, value in attributes.items() if name.rpartition(":")[2] == "tctype"), kind)


class _Reading:
    """One pass over an element's content."""

    def __init__(self, document: XmlText, dialect: Dialect) -> None:
        self._document = document
        self._dialect = dialect
        self._halves: dict[tuple[str, str], int] = {}

    def pieces(self, holder: Node) -> Iterator[Piece]:
        """See `pieces_of`."""
        for found in self._document.content(holder):
            if not isinstance(found, str):
                yield from self._element(found)
            elif found:
                yield Piece(Kind.TEXT, found)

    def _element(self, node: Node) -> Iterator[Piece]:
        dialect, text = self._dialect, self._document.text
        attributes = {name: attribute.value for name, attribute in node.attributes.items()}
        mark = _mark_type(attributes) if node.name in _MARKS else ""
        if DELETED.fullmatch(mark):
            return
        if _ADDED.fullmatch(mark):
            yield from self.pieces(node)
            return
        is_pair = dialect.holds_text(node.name, attributes) and not node.is_empty_tag
        label = self._label(node, is_pair)
        if is_pair:
            yield Piece(Kind.OPEN, raw=text[node.start : node.inner_start], pair=node.start, label=label)
            yield from self.pieces(node)
            yield Piece(Kind.CLOSE, raw=text[node.inner_end : node.end], pair=node.start, label=label)
            return
        raw = text[node.start : node.end]
        if node.name in dialect.openers:
            name = self._pair_name(node, dialect.openers[node.name])
            self._halves[(node.name[1:], name)] = node.start
            yield Piece(Kind.OPEN, raw=raw, pair=node.start, label=label)
        elif node.name in dialect.closers:
            # bpt and ept, bx and ex, sc and ec, sm and em: they differ in their first letter.
            name = self._pair_name(node, dialect.closers[node.name])
            pair = self._halves.pop((node.name[1:], name), None)
            kind = Kind.ALONE if pair is None else Kind.CLOSE
            yield Piece(kind, raw=raw, pair=pair or 0, label=label)
        else:
            yield Piece(Kind.ALONE, raw=raw, label=label)

    @staticmethod
    def _pair_name(node: Node, names: tuple[str, ...]) -> str:
        return next((node.get(name) for name in names if name in node.attributes), "")

    def _label(self, node: Node, is_pair: bool) -> str:
        """What a translator reads about an element: what its file says it is, else what it holds."""
        for name in _NAMES:
            value = node.get(name).strip()
            if value:
                for prefix in _PREFIXES:
                    value = value.removeprefix(prefix)
                return value[:_MOST]
        inner = "" if is_pair else self._document.plain(node)
        if inner:
            return inner[:_MOST]
        identity = next((node.get(name.lower()) for name in _ORDER if name.lower() in node.attributes), "")
        code = self._dialect.characters.get(node.name)
        if code and node.get(code):
            return f"U+{node.get(code)[-4:]}"
        return f"{node.name} {identity}".strip()
