"""XML documents as text with the positions of all elements, so that parts can be replaced in place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from anaphora.formats.base import xml
from anaphora.formats.base.encoding import decode_declared
from anaphora.formats.base.format import FormatError, check_attributes, check_markup
from anaphora.formats.base.splicing import spliced
from anaphora.formats.base.target_language import escapes_in, with_escapes
from anaphora.formats.markup.tokens import REFERENCE, Attribute, Token, TokenKind, attributes, scan, unescape

DAMAGED = "The file is damaged. Save it again in the program that made it."
INHERITED = frozenset(("translate", "xml:space", "target-language", "font"))
"""Attributes that nested elements inherit."""
_NO_SCOPE: Mapping[str, str] = MappingProxyType({})
_NO_ATTRIBUTES: Mapping[str, Attribute] = MappingProxyType({})


@dataclass(slots=True, eq=False)
class Node:
    """An element.

    Attributes:
        name, prefix: the local name, and the prefix with the colon.
        start, inner_start: offsets of the start and the end of the start tag.
        inner_end, end: the same for the end tag; for an empty tag, both are the tag's end.
        attributes: the attributes by name in lower case, with prefixes.
        scope: the values of `INHERITED` attributes that apply to the element.
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
        """An attribute's value with references resolved; `default` without the attribute."""
        attribute = self.attributes.get(name)
        return default if attribute is None else unescape(attribute.value)

    def child(self, name: str) -> Node | None:
        for child in self.children:
            if child.name == name:
                return child
        return None

    def descendants(self, *names: str, excluded: tuple[str, ...] = ()) -> Iterator[Node]:
        """The descendants with one of the names, in order, but none within elements with `excluded` names."""
        stack = list(reversed(self.children))
        while stack:
            node = stack.pop()
            if node.name in names:
                yield node
            if node.children and node.name not in excluded:
                stack += reversed(node.children)


def read_nodes(text: str) -> Node:
    """The root of a document that lxml has found to be well-formed; FormatError if it has too many parts."""
    root: Node | None = None
    opened: list[tuple[Node, str, list[Node]]] = []
    count = 0
    for token in scan(text, is_xml=True):
        if token.kind in (TokenKind.OPEN, TokenKind.EMPTY):
            count += 1
            check_markup(count)
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
    by_name = attributes(text, token) if end - start > len(token.name) + 3 else _NO_ATTRIBUTES
    check_attributes(len(by_name))
    if by_name and not INHERITED.isdisjoint(by_name):
        scope = {**scope, **{key: unescape(by_name[key].value) for key in INHERITED if key in by_name}}
    is_empty = token.kind is TokenKind.EMPTY
    return Node(name, prefix + colon, start, end, is_empty, by_name, scope, end, end)


def _damaged() -> FormatError:
    return FormatError("The file is not valid XML.", DAMAGED)


_NOT_PLAIN = re.compile(r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_CDATA = re.compile(r"(\s*)<!\[CDATA\[(?:(?!\]\]>)[\s\S])*\]\]>(\s*)")


class XmlText:
    """An XML document whose parts can be replaced."""

    def __init__(self, data: bytes, doctype: bool = False) -> None:
        """Parse a document safely; for `doctype` see `xml.parse`.

        Raises:
            FormatError: the XML is not well-formed, has entities or an unknown encoding, or is too large.
        """
        decoded = decode_declared(data)
        self.encode, self.encoding, self.text = decoded.encode_markup, decoded.codec, decoded.text
        self.line_end = "\r\n" if "\r\n" in self.text else "\n"
        # Count in the text, not the bytes: UTF-7, for example, encodes "<". Most elements have two tags.
        check_markup(self.text.count("<") // 2)
        xml.parse(data, doctype=doctype)
        self.root = read_nodes(self.text)
        self._splices: list[tuple[int, int, str]] = []

    def value(self, start: int, end: int) -> str:
        """The text of a span that contains no elements; references are resolved, comments left out."""
        raw = self.text[start:end]
        if "<" not in raw:
            return unescape(raw) if "&" in raw else raw
        out, copied_end = [], 0
        for match in _NOT_PLAIN.finditer(raw):
            out += [unescape(raw[copied_end : match.start()]), match[1] or ""]
            copied_end = match.end()
        return "".join(out) + unescape(raw[copied_end:])

    def content(self, node: Node) -> Iterator[str | Node]:
        """The content of an element: texts and elements, in order."""
        copied_end = node.inner_start
        for child in node.children:
            if child.start > copied_end:
                yield self.value(copied_end, child.start)
            yield child
            copied_end = child.end
        if node.inner_end > copied_end:
            yield self.value(copied_end, node.inner_end)

    def plain(self, node: Node | None) -> str:
        """All text in an element, on one line; "" for None."""
        if node is None:
            return ""
        parts: list[str] = []
        stack: list[str | Node] = [node]
        while stack:
            part = stack.pop()
            if isinstance(part, str):
                parts.append(part)
            else:
                stack += reversed(list(self.content(part)))
        return " ".join("".join(parts).split())

    def blank_before(self, node: Node) -> str:
        """The white space before an element (at most 400 characters), to indent a new element beside it."""
        before = self.text[max(0, node.start - 400) : node.start]
        return before[len(before.rstrip()) :]

    def escape(self, text: str) -> str:
        """Escape a text for this document; characters that XML does not allow are left out."""
        return with_escapes(xml.clean(text), self._escapes, self._escape_rest).replace("]]>", "]]&gt;")

    def escape_in(self, node: Node, text: str) -> str:
        """An element's new text, escaped, or as CDATA if the old text is CDATA and the encoding allows it."""
        cdata = _CDATA.fullmatch(self.text, node.inner_start, node.inner_end)
        text = xml.clean(text)
        if cdata is None or text.encode(self.encoding, "ignore").decode(self.encoding) != text:
            return self.escape(text)
        inner = text.removeprefix(cdata[1]).removesuffix(cdata[2]).replace("]]>", "]]]]><![CDATA[>")
        return f"{cdata[1]}<![CDATA[{inner}]]>{cdata[2]}"

    @cached_property
    def _escapes(self) -> dict[str, str]:
        """The escapes of characters that the document always escapes; `>` stays bare if any `>` is bare."""
        plain = _TAG.sub("", _NOT_PLAIN.sub("", self.text))
        table = escapes_in(plain, REFERENCE, unescape)
        return table if ">" in table or ">" not in plain else table | {">": ">"}

    def _escape_rest(self, text: str) -> str:
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return text.encode(self.encoding, "xmlcharrefreplace").decode(self.encoding)

    def start_tag(self, node: Node, changed: Mapping[str, str | None]) -> str:
        """An element's start tag, never an empty tag, with changed attributes; None removes an attribute."""
        edits: list[tuple[int, int, str]] = []
        tag = self.text[node.start : node.inner_start]
        end = node.start + len(tag.rstrip("/>").rstrip())
        for name, value in changed.items():
            old = node.attributes.get(name.lower())
            if old is not None and value is None:
                blank = len(tag[: old.name_start - node.start].rstrip())
                edits.append((node.start + blank, old.end + 1, ""))
            elif old is not None and value is not None:
                edits.append((old.start, old.end, self._quoted(value)))
            elif value is not None:
                edits.append((end, end, f' {name}="{self._quoted(value)}"'))
        inner = ((start - node.start, stop - node.start, new) for start, stop, new in edits)
        return spliced(self.text[node.start : end], inner) + ">"

    def element(self, node: Node, content: str, changed: Mapping[str, str | None] | None = None) -> str:
        tag = self.text[node.start : node.inner_start]
        first = self.start_tag(node, changed or {}) if changed or node.is_empty_tag else tag
        return first + content + self.end_tag(node)

    def end_tag(self, node: Node) -> str:
        return f"</{node.prefix}{node.name}>" if node.is_empty_tag else self.text[node.inner_end : node.end]

    def fill(self, node: Node, content: str | None, changed: Mapping[str, str | None] | None = None) -> None:
        """Replace an element's content, unless `content` is None, and change attributes as in `start_tag`."""
        if content is None and not changed:
            return
        if node.is_empty_tag and content is not None:
            self.splice(node.start, node.end, self.element(node, content, changed))
            return
        if changed:
            tag = self.start_tag(node, changed)
            self.splice(node.start, node.inner_start, tag[:-1] + "/>" if node.is_empty_tag else tag)
        if content is not None:
            self.splice(node.inner_start, node.inner_end, content)

    def splice(self, start: int, end: int, new: str) -> None:
        """Replace a span of the document; spans must not overlap."""
        self._splices.append((start, end, new))

    def data(self) -> bytes:
        return self.encode(spliced(self.text, self._splices))

    def _quoted(self, value: str) -> str:
        return self.escape(value).replace('"', "&quot;")
