"""The common base of catalogues in XML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from anaphora.core.errors import Message
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.base.pieces import WORD, Kind, Piece
from anaphora.formats.bilingual.xml_text import Node, XmlText
from anaphora.formats.localisation.texts import Catalogue, CatalogueString, Markup, Writer, text_of

ContentWriter = Callable[[Node, list[Piece]], str]
_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)


class XmlCatalogue(Catalogue[XmlText]):
    """A catalogue in XML: finds the positions of strings, and writes their content.

    Attributes:
        kind: the file type's name for users.
        root: name of the root element.
    """

    kind = root = ""

    def source(self, data: bytes, options: ReadOptions) -> XmlText:
        return open_catalogue(data, self.root, self.kind)

    def writer(self, source: XmlText, entries: Sequence[CatalogueString]) -> Writer:
        """A function that writes an element; a new element's start tag is in `CatalogueString.prefix`."""
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


def pieces_of(document: XmlText, holder: Node, whole: str) -> list[Piece]:
    """An element's texts, with inner elements as tags; an element `whole` is one tag with its content."""
    pieces: list[Piece] = []
    stack: list[Node | str | Piece] = list(reversed(list(document.content(holder))))
    while stack:
        found = stack.pop()
        if isinstance(found, str):
            pieces.append(Piece(Kind.TEXT, found))
        elif isinstance(found, Piece):
            pieces.append(found)
        elif found.is_empty_tag or found.name == whole:
            raw = Markup(document.text[found.start : found.end])
            stand_in = WORD if found.name == whole else ""
            pieces.append(Piece(Kind.ALONE, stand_in, raw, label=document.plain(found) or found.name))
        else:
            first = Markup(document.text[found.start : found.inner_start])
            last = Markup(document.text[found.inner_end : found.end])
            # Negative, because pairs of markup within texts are counted from 1.
            pieces.append(Piece(Kind.OPEN, raw=first, pair=-found.start, label=found.name))
            stack.append(Piece(Kind.CLOSE, raw=last, pair=-found.start, label=found.name))
            stack += reversed(list(document.content(found)))
    return pieces
