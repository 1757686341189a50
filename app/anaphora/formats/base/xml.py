"""Parse untrusted XML safely: without entities, DTDs or network access, and with bounded trees."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias
from xml.sax.saxutils import escape

from lxml import etree  # type: ignore[import-untyped]

from anaphora.core.errors import Message
from anaphora.core.long_work import Step
from anaphora.formats.base.format import MAX_ATTRIBUTES, FormatError, check_attributes, check_tags

Element: TypeAlias = Any  # lxml comes without types
Tree: TypeAlias = Any
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
MAX_XML = 48 * 2**20
"""Maximum number of bytes of a part; its tree and segments take about 18 times as much memory."""
_SAFE = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CROWDED_TAG = re.compile(rb"""<[^\s<>!?/](?:[^<>"']*+(?:"[^"<]*+"|'[^'<]*+')){%d}""" % (MAX_ATTRIBUTES + 1))
"""A tag with more than `MAX_ATTRIBUTES` quoted values."""
_DAMAGED = "The file is damaged. Repair it in the program that made it and save it again."


def local_name(element: Element) -> str:
    """An element's name without its namespace; "" for comments and instructions."""
    return str(etree.QName(element).localname) if isinstance(element.tag, str) else ""


def parse(data: bytes, name: str = "", doctype: bool = False) -> Tree:
    """Parse a document, or a package's part, into an lxml ElementTree.

    Args:
        data: the bytes, in the encoding that they declare.
        name: the part's name for error messages; "" if the file itself is the document.
        doctype: accept a DOCTYPE that declares no entities; office packages never have one.
    Raises:
        FormatError: the document is not well-formed or too large, or it has entities, a refused DOCTYPE or
            too many attributes.
    """
    if len(data) > MAX_XML:
        raise _too_large(_part_label(name))
    label = _checked(data, name, doctype)
    try:
        tree = _tree(data)
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        raise _invalid(label, error) from error
    dtd = tree.docinfo.internalDTD
    if dtd is not None and (not doctype or next(dtd.iterentities(), None) is not None):
        raise _entities(label)
    return tree


def _part_label(name: str) -> Message:
    return Message("The part “{name}” of the file", name=name) if name else Message("The file")


def _checked(data: bytes, name: str, doctype: bool) -> Message:
    if _CROWDED_TAG.search(data.replace(b"\0", b"")):
        check_attributes(MAX_ATTRIBUTES + 1)
    if b"<!ENTITY" in data or (not doctype and b"<!DOCTYPE" in data):
        raise _entities(_part_label(name))
    return _part_label(name)


def _tree(data: bytes) -> Tree:
    """Parse a document; if an xml:id occurs twice (some programs repeat ids), parse it without ids.

    If libxml2 parses without ids, it loads an external DTD despite its options. Therefore a document in
    which libxml2 finds a document type is never parsed without ids.
    """
    try:
        return etree.ElementTree(etree.fromstring(data, etree.XMLParser(**_SAFE)))
    except etree.XMLSyntaxError as error:
        if error.code != etree.ErrorTypes.DTD_ID_REDEFINED or _has_doctype(data):
            raise
    return etree.ElementTree(etree.fromstring(data, etree.XMLParser(**_SAFE, collect_ids=False)))


def _has_doctype(data: bytes) -> bool:
    root = etree.fromstring(data, etree.XMLParser(**_SAFE, recover=True))
    return root is None or root.getroottree().docinfo.internalDTD is not None


def stream(data: bytes, tags: tuple[str, ...], name: str = "") -> Iterator[Element]:
    """Yield each finished element with one of `tags`, in order, without the whole tree in memory.

    An element is emptied when the caller requests the next one. The caller must not keep references to
    descendants of the element, because they make lxml's search for namespaces take quadratic time.
    Raises FormatError as `parse` does, except for the size.
    """
    label = _checked(data, name, doctype=False)
    try:
        for _, element in etree.iterparse(io.BytesIO(data), events=("end",), tag=tags, **_SAFE):
            yield element
            empty(element)
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        raise _invalid(label, error) from error


def empty(element: Element) -> None:
    """Free the memory of an element and of the siblings before it."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def iterate(file: Any) -> Iterator[tuple[str, Element]]:
    """Yield ("start" or "end", element) for a large document; the caller empties finished elements."""
    label = Message("The file")
    is_first = True
    try:
        for event, element in etree.iterparse(file, events=("start", "end"), **_SAFE):
            if is_first:
                is_first = False
                dtd = element.getroottree().docinfo.internalDTD
                if dtd is not None and next(dtd.iterentities(), None) is not None:
                    raise _entities(label)
            yield event, element
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        raise _invalid(label, error) from error


def clean(text: str) -> str:
    """A text without the characters that XML does not allow."""
    return _ILLEGAL.sub("", text)


def escaped(text: str) -> str:
    """Clean and escape a text for an element's content."""
    return escape(clean(text))


def serialize(tree: Tree) -> bytes:
    """A parsed tree as bytes in UTF-8, with its declaration and the nodes around its root."""
    standalone = True if tree.docinfo.standalone else None
    data: bytes = etree.tostring(tree, xml_declaration=True, encoding="UTF-8", standalone=standalone)
    return data


def _invalid(label: str, error: Exception) -> FormatError:
    """The error for a part that is not valid or contains a text above libxml2's limit, 10 MB."""
    if "XML_PARSE_HUGE" in str(error) and "depth" not in str(error):
        return _too_large(label)
    return FormatError(Message("{what} is not valid XML.", what=label), _DAMAGED)


def _too_large(label: str) -> FormatError:
    return FormatError(Message("{what} is too large.", what=label), "Split the document into smaller ones.")


def _entities(label: str) -> FormatError:
    return FormatError(
        Message(
            "{what} contains XML entities or a document type, which are not allowed in this format.",
            what=label,
        ),
        "It may be harmful. If you trust the sender, save it again in the program that made it.",
    )


_STEP = 500
"""Number of starts and ends of elements between two calls of `step`."""


def elements(
    path: Path, names: tuple[str, ...], step: Step, roots: tuple[str, ...], refusal: str
) -> Iterator[Element]:
    """Yield each element with one of the names; it is emptied before the next one is read.

    Args:
        step: receives the progress; an exception that it raises stops the reading.
        roots: allowed names of the root element; `refusal` is the error message for other names.
    Raises:
        FormatError: the root element has another name, the file is damaged or declares entities, or there
            are too many elements between two results.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        count, size = 0, path.stat().st_size
        for number, (event, element) in enumerate(iterate(file)):
            if number % _STEP == 0:
                step(min(file.tell() / size, 1.0))
            if number == 0 and local_name(element) not in roots:
                raise FormatError(
                    Message(refusal, name=local_name(element)),
                    "Check that this is the right file and that its extension is correct.",
                )
            count += event == "start"
            check_tags(count)
            if event == "end" and local_name(element) in names:
                count = 0
                yield element
                empty(element)


def children(element: Element, *names: str) -> list[Element]:
    return [child for child in element if local_name(child) in names]


def language_in(element: Element) -> str:
    """The language tag of an element, as spelled in the file; "" without one."""
    return element.get(XML_LANG) or element.get("lang") or ""
