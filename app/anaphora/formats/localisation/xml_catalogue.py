"""Catalogues that are XML: what their formats share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from anaphora.core.errors import Message
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.bilingual.xml_nodes import Node
from anaphora.formats.bilingual.xml_text import XmlText
from anaphora.formats.localisation.texts import Catalogue, Markup

_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)


def opened(data: bytes, kind: str, *roots: str) -> XmlText:
    """A document with one of some outermost elements.

    Args:
        kind: of the file, as people call it.
    Raises:
        FormatError: it is another, or damaged.
    """
    document = XmlText(data, doctype=True)
    if document.root.name not in roots:
        raise FormatError(
            Message(
                "This is no {kind}: its outermost element is “{name}”.", kind=kind, name=document.root.name
            ),
            "Check that it is the file you meant; other files with this ending cannot be translated.",
        )
    return document


def with_comments(document: XmlText, holder: Node) -> Iterator[tuple[Node, str]]:
    """The elements in an element, each with the comments right before it."""
    ends = [holder.inner_start, *(child.end for child in holder.children)]
    for child, end in zip(holder.children, ends, strict=False):
        between = document.text[end : child.start]
        found = _COMMENT.findall(between) if "<!--" in between else ()
        yield child, "\n".join(" ".join(text.split()) for text in found)


def pieces_of(document: XmlText, holder: Node, whole: Iterable[str]) -> list[Piece]:
    """The texts of an element and the elements in it, as tags.

    Args:
        whole: names of those that are protected with what they hold.
    """
    protected = frozenset(whole)
    pieces: list[Piece] = []
    waiting: list[Node | str | Piece] = list(reversed(list(document.content(holder))))
    while waiting:
        found = waiting.pop()
        if isinstance(found, str):
            pieces.append(Piece(Kind.TEXT, found))
        elif isinstance(found, Piece):
            pieces.append(found)
        elif found.is_empty_tag or found.name in protected:
            raw = document.text[found.start : found.end]
            is_word = found.name in protected
            label = document.plain(found) or found.name
            pieces.append(Piece(Kind.ALONE, "\ufffc" if is_word else "", Markup(raw), label=label))
        else:
            first, last = (
                Markup(document.text[found.start : found.inner_start]),
                Markup(document.text[found.inner_end : found.end]),
            )
            # Pairs of markup within texts are counted upwards from 1.
            pieces.append(Piece(Kind.OPEN, raw=first, pair=-found.start, label=found.name))
            waiting.append(Piece(Kind.CLOSE, raw=last, pair=-found.start, label=found.name))
            waiting += reversed(list(document.content(found)))
    return pieces


def filled(
    document: XmlText,
    catalogue: Catalogue,
    nodes: Mapping[int, Node],
    fillings: Fillings,
    written: Callable[[XmlText, Node, Sequence[Piece]], str],
) -> bytes | None:
    """The document with translated strings; None: nothing is translated.

    Args:
        nodes: the elements that the catalogue's entries stand in, by `Entry.start`.
        written: the content of an element, from its new pieces.
    """
    changed = False
    for entry, pieces in catalogue.filled(fillings):
        node, changed = nodes[entry.start], True
        document.fill(node, written(document, node, pieces))
    return document.data() if changed else None
