"""The common base of catalogues in XML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from anaphora.core.errors import Message
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.base.pieces import WORD, Kind, Piece, text_of
from anaphora.formats.bilingual.xml_text import Node, XmlText
from anaphora.formats.localisation.texts import Catalogue, CatalogueString, Markup, Writer

ContentWriter = Callable[[Node, list[Piece]], str]
_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)


class XmlCatalogue(Catalogue[XmlText]):
    """A catalogue in XML; `kind` is its name in messages, `root` the name of its root element."""

    kind = root = ""

    def source(self, data: bytes, options: ReadOptions) -> XmlText:
        return open_catalogue(data, self.root, self.kind)

    def writer(self, source: XmlText, entries: Sequence[CatalogueString]) -> Writer:
        """A function that writes an element, without its start tag if this is in the string's `prefix`."""
        content = self.content(source, entries)

        def write(entry: CatalogueString, pieces: list[Piece]) -> str:
            assert entry.node is not None
            node, inner = entry.node, content(entry.node, pieces)
            return inner + source.end_tag(node) if entry.prefix else source.element(node, inner)

        return write

    def content(self, source: XmlText, entries: Sequence[CatalogueString]) -> ContentWriter:
        """A function that writes the content of an element from its new pieces."""
        return lambda node, pieces: source.escape_in(node, text_of(pieces))


def open_catalogue(data: bytes, root: str, kind: str) -> XmlText:
    """Parse a catalogue; FormatError if it is damaged or has another root element."""
    document = XmlText(data, doctype=True)
    name = document.root.name
    if name != root:
        raise FormatError(
            Message("This is not a valid {kind}: its root element is “{name}”.", kind=kind, name=name),
            "Check that this is the right file. Other files with this extension cannot be translated.",
        )
    return document


def plain_text(document: XmlText, node: Node) -> str:
    """An element's own text, with line ends as \\n."""
    text = "".join(each for each in document.content(node) if isinstance(each, str))
    return text.replace("\r\n", "\n")


def with_comments(document: XmlText, holder: Node) -> Iterator[tuple[Node, str]]:
    """The children of an element, each with the comments between it and the child before."""
    ends = [holder.inner_start, *(child.end for child in holder.children)]
    for child, end in zip(holder.children, ends, strict=False):
        between = document.text[end : child.start]
        comments = _COMMENT.findall(between) if "<!--" in between else ()
        yield child, "\n".join(" ".join(text.split()) for text in comments)


def pieces_of(document: XmlText, holder: Node, protected: str) -> list[Piece]:
    """An element's texts, with inner elements as tags; a `protected` element with its content is one tag."""
    pieces: list[Piece] = []
    stack: list[Node | str | Piece] = list(reversed(list(document.content(holder))))
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            pieces.append(Piece(Kind.TEXT, item))
        elif isinstance(item, Piece):
            pieces.append(item)
        elif item.is_empty_tag or item.name == protected:
            raw = Markup(document.text[item.start : item.end])
            stand_in = WORD if item.name == protected else ""
            pieces.append(Piece(Kind.ALONE, stand_in, raw, label=document.plain(item) or item.name))
        else:
            first = Markup(document.text[item.start : item.inner_start])
            last = Markup(document.text[item.inner_end : item.end])
            # Negative, because pairs of markup within texts are counted from 1.
            pieces.append(Piece(Kind.OPEN, raw=first, pair=-item.start, label=item.name))
            stack.append(Piece(Kind.CLOSE, raw=last, pair=-item.start, label=item.name))
            stack += reversed(list(document.content(item)))
    return pieces
