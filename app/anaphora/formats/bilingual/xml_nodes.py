"""The elements of an XML document with the places of their tags in its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from anaphora.formats.base.format import FormatError
from anaphora.formats.base.limits import check_attributes, check_markup
from anaphora.formats.markup.tokens import Attribute, Token, TokenKind, attributes, scan, unescape

DAMAGED = "It is damaged: let the program that made it save it again."
INHERITED = frozenset(("translate", "xml:space", "target-language", "font"))
"""Attributes that hold for the elements within, too."""
_NO_SCOPE: Mapping[str, str] = MappingProxyType({})
_NO_ATTRIBUTES: Mapping[str, Attribute] = MappingProxyType({})


@dataclass(slots=True, eq=False)
class Node:
    """An element.

    Attributes:
        name, prefix: without and with the colon.
        start, inner_start: offsets of its first tag, and behind that.
        inner_end, end: the same of its last tag; the end of the first one for an empty element.
        attributes: by name in lower case, prefixes included.
        scope: the values of those attributes of `INHERITED` that it or an element around it has.
    """

    name: str
    prefix: str
    start: int
    inner_start: int
    is_empty_tag: bool
    attributes: Mapping[str, Attribute]
    scope: Mapping[str, str]
    inner_end: int
    end: int
    children: Sequence[Node] = ()

    def get(self, name: str, default: str = "") -> str:
        """An attribute's value, its entities resolved."""
        found = self.attributes.get(name)
        return default if found is None else unescape(found.value)

    def child(self, name: str) -> Node | None:
        """The first child with a name."""
        for child in self.children:
            if child.name == name:
                return child
        return None

    def all(self, *names: str, outside: tuple[str, ...] = ()) -> Iterator[Node]:
        """The elements below it with one of the names, in order; not those in elements of `outside`."""
        waiting = list(reversed(self.children))
        while waiting:
            node = waiting.pop()
            if node.name in names:
                yield node
            if node.children and node.name not in outside:
                waiting += reversed(node.children)


def read_nodes(text: str) -> Node:
    """The root of a document that a parser has found well-formed.

    Raises:
        FormatError: too many elements or attributes; or its tags do not match after all.
    """
    root: Node | None = None
    opened: list[tuple[Node, str, list[Node]]] = []
    found = 0
    for token in scan(text, is_xml=True):
        if token.kind in (TokenKind.OPEN, TokenKind.EMPTY):
            found += 1
            check_markup(found)
            node = _node(text, token, opened[-1][0].scope if opened else _NO_SCOPE)
            if opened:
                opened[-1][2].append(node)
            elif root is not None:
                raise _damaged()
            root = root or node
            if not node.is_empty_tag:
                opened.append((node, token.name, []))
        elif token.kind is TokenKind.CLOSE:
            if not opened or opened[-1][1] != token.name:
                raise _damaged()
            node, _, children = opened.pop()
            node.inner_end, node.end = token.start, token.end
            if children:
                node.children = children
    if root is None or opened:
        raise _damaged()
    return root


def _node(text: str, token: Token, scope: Mapping[str, str]) -> Node:
    prefix, colon, name = token.name.rpartition(":")
    start, end = token.start, token.end
    if text[end - 1] != ">":
        raise _damaged()
    said = attributes(text, token) if end - start > len(token.name) + 3 else _NO_ATTRIBUTES
    check_attributes(len(said))
    if said and not INHERITED.isdisjoint(said):
        scope = {**scope, **{key: unescape(said[key].value) for key in INHERITED if key in said}}
    is_empty = token.kind is TokenKind.EMPTY
    return Node(name, prefix + colon, start, end, is_empty, said, scope, end, end)


def _damaged() -> FormatError:
    return FormatError("The file is not valid XML.", DAMAGED)
