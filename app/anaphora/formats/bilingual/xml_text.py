"""XML documents as text with the place of every element, so that parts can be replaced and the rest stays."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from anaphora.core.errors import Message
from anaphora.formats.base import xml
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.limits import check_markup
from anaphora.formats.markup.tokens import Attribute, Token, TokenKind, attributes, tokens, unescape

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"""\A<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.:-]{0,40})["']""")
_HIDDEN = re.compile(r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_DAMAGED = "It is damaged: let the program that made it save it anew."


@dataclass(slots=True)
class Node:
    """An element.

    Attributes:
        name: without prefix.
        prefix: of its name, with the colon; often empty.
        token: its first tag.
        end: offset behind its last tag.
        inner_end: where its last tag begins; the end of the first tag for an empty one.
        attributes: by name in lower case, prefixes included.
        children: elements in it, in order.
        parent: None for the root.
    """

    name: str
    prefix: str
    token: Token
    attributes: dict[str, Attribute]
    parent: Node | None = None
    inner_end: int = 0
    end: int = 0
    children: list[Node] = field(default_factory=list)

    @property
    def start(self) -> int:
        return self.token.start

    @property
    def inner_start(self) -> int:
        return self.token.end

    @property
    def is_empty_tag(self) -> bool:
        return self.token.kind is TokenKind.EMPTY

    def get(self, name: str, default: str = "") -> str:
        """An attribute's value, its entities resolved."""
        found = self.attributes.get(name)
        return default if found is None else unescape(found.value)

    def inherited(self, name: str, default: str = "") -> str:
        """The same of the nearest element around it that has the attribute."""
        node: Node | None = self
        while node is not None:
            if name in node.attributes:
                return node.get(name)
            node = node.parent
        return default

    def child(self, name: str) -> Node | None:
        """The first child with a name."""
        return next((child for child in self.children if child.name == name), None)

    def all(self, *names: str, outside: tuple[str, ...] = ()) -> Iterator[Node]:
        """The elements below it with one of the names, in order; not those in elements of `outside`."""
        waiting = list(reversed(self.children))
        while waiting:
            node = waiting.pop()
            if node.name in names:
                yield node
            if node.name not in outside:
                waiting += reversed(node.children)


class XmlText:
    """An XML document that is being spliced.

    Attributes:
        text: all of it.
        encoding: its name.
        tree: the same document as lxml reads it, for counting.
        root: its outermost element.
    """

    def __init__(self, data: bytes, doctype: bool = False) -> None:
        """Parse a document safely.

        Args:
            doctype: see `xml.parse`.
        Raises:
            FormatError: not well-formed, with entities of its own, in an unknown encoding, or with too many
                elements.
        """
        check_markup(data.count(b"<") // 2)  # most elements have two tags
        self.tree = xml.parse(data, doctype=doctype)
        self._bom, self.encoding = _encoding(data)
        try:
            self.text = data[len(self._bom) :].decode(self.encoding)
            is_whole = self.text.encode(self.encoding) == data[len(self._bom) :]
        except (UnicodeError, LookupError) as error:
            raise FormatError(
                Message("The file is not in its encoding {encoding}.", encoding=self.encoding), _DAMAGED
            ) from error
        if not is_whole:
            raise FormatError(
                Message("The file cannot be kept as it is in {encoding}.", encoding=self.encoding),
                "Save it as UTF-8.",
            )
        self.root = self._read()
        self._splices: list[tuple[int, int, int, str]] = []

    def value(self, start: int, end: int) -> str:
        """The characters between two offsets where no elements are: entities resolved, comments left out."""
        raw = self.text[start:end]
        if "<" not in raw:
            return unescape(raw) if "&" in raw else raw
        out, done = [], 0
        for match in _HIDDEN.finditer(raw):
            out += [unescape(raw[done : match.start()]), match[1] or ""]
            done = match.end()
        return "".join(out) + unescape(raw[done:])

    def content(self, node: Node) -> Iterator[str | Node]:
        """What stands in an element: texts and elements, in order."""
        done = node.inner_start
        for child in node.children:
            if child.start > done:
                yield self.value(done, child.start)
            yield child
            done = child.end
        if node.inner_end > done:
            yield self.value(done, node.inner_end)

    def plain(self, node: Node | None) -> str:
        """All text in an element on one line."""
        if node is None:
            return ""
        parts: list[str] = []
        waiting: list[str | Node] = [node]
        while waiting:
            found = waiting.pop()
            if isinstance(found, str):
                parts.append(found)
            else:
                waiting += reversed(list(self.content(found)))
        return " ".join("".join(parts).split())

    def blank_before(self, node: Node) -> str:
        """The white space between an element and what stands before it, for another one beside it."""
        before = self.text[max(0, node.start - 400) : node.start]
        return before[len(before.rstrip()) :]

    def escape(self, text: str) -> str:
        """A text as it stands in XML in this encoding; what XML cannot hold is left out."""
        text = xml.clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return text.encode(self.encoding, "xmlcharrefreplace").decode(self.encoding)

    def first_tag(self, node: Node, changed: Mapping[str, str | None]) -> str:
        """An element's first tag with other attributes, never that of an empty element.

        Args:
            changed: values by name; None takes an attribute away.
        """
        edits: list[tuple[int, int, str]] = []
        end = node.inner_start - (2 if node.is_empty_tag else 1)
        while self.text[end - 1].isspace():
            end -= 1
        for name, value in changed.items():
            found = node.attributes.get(name.lower())
            if found is not None and value is None:
                edits.append((_begin_of(self.text, found), found.end + len(found.quote), ""))
            elif found is not None and value is not None:
                edits.append((found.start, found.end, self._quoted(value)))
            elif value is not None:
                edits.append((end, end, f' {name}="{self._quoted(value)}"'))
        out, done = [], node.start
        for start, stop, new in sorted(edits, key=lambda edit: edit[:2]):
            out += [self.text[done:start], new]
            done = stop
        return "".join(out) + self.text[done:end] + ">"

    def fill(self, node: Node, content: str | None, changed: Mapping[str, str | None] | None = None) -> None:
        """Give an element other content (None: as it is) and other attributes."""
        if content is None and not changed:
            return
        if node.is_empty_tag and content is not None:
            close = f"</{node.prefix}{node.name}>"
            self.splice(node.start, node.end, self.first_tag(node, changed or {}) + content + close)
            return
        if changed:
            tag = self.first_tag(node, changed)
            self.splice(node.start, node.inner_start, tag[:-1] + "/>" if node.is_empty_tag else tag)
        if content is not None:
            self.splice(node.inner_start, node.inner_end, content)

    def splice(self, start: int, end: int, new: str) -> None:
        """Replace a stretch of the document; stretches must not overlap."""
        self._splices.append((start, end, len(self._splices), new))

    def data(self) -> bytes:
        """The document with all splices made."""
        out, done = [], 0
        for start, end, _, new in sorted(self._splices):
            out += [self.text[done:start], new]
            done = end
        return self._bom + ("".join(out) + self.text[done:]).encode(self.encoding, "xmlcharrefreplace")

    def _quoted(self, value: str) -> str:
        return self.escape(value).replace('"', "&quot;")

    def _read(self) -> Node:
        root: Node | None = None
        opened: list[Node] = []
        found = 0
        for token in tokens(self.text, is_xml=True):
            if token.kind is TokenKind.CLOSE and opened:
                node = opened.pop()
                node.inner_end, node.end = token.start, token.end
            elif token.kind in (TokenKind.OPEN, TokenKind.EMPTY):
                found += 1
                check_markup(found)
                prefix, _, name = token.name.rpartition(":")
                node = Node(name, prefix + ":" if prefix else "", token, attributes(self.text, token))
                node.inner_end = node.end = token.end
                if opened:
                    node.parent = opened[-1]
                    opened[-1].children.append(node)
                root = root or node
                if token.kind is TokenKind.OPEN:
                    opened.append(node)
        if root is None or opened:
            raise FormatError("The file is not valid XML.", _DAMAGED)
        return root


def _begin_of(text: str, attribute: Attribute) -> int:
    """Where an attribute begins, the white space before it included."""
    position = text.rindex("=", 0, attribute.start)
    while text[position - 1].isspace():
        position -= 1
    while not text[position - 1].isspace():
        position -= 1
    while text[position - 1].isspace():
        position -= 1
    return position


def _encoding(data: bytes) -> tuple[bytes, str]:
    """The byte order mark and the encoding of an XML document."""
    for bom, codec in _BOMS:
        if data.startswith(bom):
            return bom, codec
    if data.startswith(b"<\x00"):
        return b"", "utf-16-le"
    if data.startswith(b"\x00<"):
        return b"", "utf-16-be"
    declared = _DECLARED.match(data)
    return b"", declared[1].decode("ascii").lower() if declared else "utf-8"
