"""The elements of an XML document with the places of their tags in its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from anaphora.formats.base.format import FormatError
from anaphora.formats.base.limits import check_attributes, check_markup
from anaphora.formats.markup.tokens import unescape

DAMAGED = "It is damaged: let the program that made it save it again."
_MARKUP = re.compile(
    r"<(?:!--(?:.*?-->|.*)|\?(?:.*?\?>|.*)|!\[CDATA\[(?:.*?\]\]>|.*)|![^>\[]*+(?:\[[^\]]*+\]?\s*+)?+>?"
    r"|/(?:([^\s>]++)\s*+>|.*)"
    r"""|([^\s/>!?]++)((?:[^"'/<>]++|"[^"]*+"|'[^']*+'|/(?!>))*+)(?:(/?)>|.*))""",
    re.DOTALL,
)
"""Comments, instructions, CDATA, declarations, tags; an unclosed one goes to the end, or all were tried."""
_ATTRIBUTE = re.compile(r"""(?<![^\s=/"'])([^\s=/"']++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_CLOSING, _NAME, _SAID, _TAG = 1, 2, 3, 4
"""Groups of `_MARKUP`: a closing tag's name; an opening one's name, attributes, and slash if it is empty."""


class Attribute(NamedTuple):
    """An attribute in a tag: its value as it stands there, and the offsets of its name and value."""

    value: str
    begin: int
    start: int
    end: int


_NO_ATTRIBUTES: Mapping[str, Attribute] = MappingProxyType({})
INHERITED = frozenset(("translate", "xml:space", "target-language", "font"))
"""Attributes that hold for the elements within, too."""
_NO_SCOPE: Mapping[str, str] = MappingProxyType({})


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
    for match in _MARKUP.finditer(text):
        last = match.lastindex
        if last == _TAG:
            found += 1
            check_markup(found)
            node = _node(match, opened[-1][0].scope if opened else _NO_SCOPE)
            if opened:
                opened[-1][2].append(node)
            elif root is not None:
                raise _damaged()
            root = root or node
            if not node.is_empty_tag:
                opened.append((node, match[_NAME], []))
        elif last == _SAID:
            raise _damaged()
        elif last == _CLOSING:
            if not opened or opened[-1][1] != match[_CLOSING]:
                raise _damaged()
            node, _, children = opened.pop()
            node.inner_end, node.end = match.span()
            if children:
                node.children = children
    if root is None or opened:
        raise _damaged()
    return root


def _node(match: re.Match[str], scope: Mapping[str, str]) -> Node:
    prefix, colon, name = match[_NAME].rpartition(":")
    start, end = match.span()
    said = _attributes(match.string, *match.span(_SAID)) if match[_SAID] else _NO_ATTRIBUTES
    if said and not INHERITED.isdisjoint(said):
        scope = {**scope, **{key: unescape(said[key].value) for key in INHERITED if key in said}}
    return Node(name, prefix + colon, start, end, bool(match[_TAG]), said, scope, end, end)


def _attributes(text: str, start: int, end: int) -> Mapping[str, Attribute]:
    found: dict[str, Attribute] = {}
    for match in _ATTRIBUTE.finditer(text, start, end):
        value = match.lastindex or 0
        found.setdefault(
            match[1].lower(), Attribute(match[value], match.start(), match.start(value), match.end(value))
        )
    check_attributes(len(found))
    return found


def _damaged() -> FormatError:
    return FormatError("The file is not valid XML.", DAMAGED)
