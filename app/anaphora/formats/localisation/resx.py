""".resx and .resw of .NET: the values of strings; images, types and what designers note stay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.format import Reading
from anaphora.formats.base.pieces import Piece
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.bilingual.xml_nodes import Node
from anaphora.formats.bilingual.xml_text import XmlText
from anaphora.formats.localisation.texts import Catalogue, Entry, check_size, name_note, text_of
from anaphora.formats.localisation.xml_catalogue import filled, opened

_RETURN = re.compile(r"&#(?:0*13|[xX]0*[dD]);(?:\r\n|\n|\r|&#(?:0*10|[xX]0*[aA]);)")


class Resx:
    """Reader and writer of .NET's string resources."""

    name = "resx"
    label = ".NET resources"
    extensions: tuple[str, ...] = (".resx", ".resw")

    def blocks(self, data: bytes, reading: Reading) -> Parsed:
        """See `Format.blocks`. A string is a segment, whatever sentences it has."""
        check_size(data)
        document = opened(data, ".resx file", "root")
        catalogue = Catalogue((entry for entry, _ in _entries(document)))
        return Parsed(catalogue.blocks(), document.encoding)

    def fill(self, data: bytes, fillings: Fillings, reading: Reading) -> bytes:
        """See `TextFormat.fill`."""
        document = opened(data, ".resx file", "root")
        found = list(_entries(document))
        catalogue = Catalogue((entry for entry, _ in found))
        nodes = {entry.start: node for entry, node in found}
        return filled(document, catalogue, nodes, fillings, _written) or data


def _written(document: XmlText, node: Node, pieces: Sequence[Piece]) -> str:
    """A new value; where returns stand as references, which readers of XML keep, they do so again."""
    found = _RETURN.search(document.text, node.inner_start, node.inner_end)
    text = text_of(pieces)
    if found:
        return found[0].join(map(document.escape, text.split("\n")))
    return document.escape_in(node, text.replace("\n", document.line_end))


def _entries(document: XmlText) -> Iterator[tuple[Entry, Node]]:
    for data in document.root.children:
        name, value = data.get("name"), data.child("value")
        is_string = _is_string(data.get("type")) and not data.get("mimetype")
        # What begins with ">>" or "$" is a note of the forms' designer; other properties are named after ".".
        if data.name != "data" or value is None or not is_string or name.startswith((">>", "$this.Name")):
            continue
        comment = document.plain(data.child("comment"))
        notes = (name_note(name), *((Note(NoteKind.COMMENT, comment),) if comment else ()))
        text = "".join(each for each in document.content(value) if isinstance(each, str))
        if not value.children:
            yield Entry(name, value.start, value.end, text.replace("\r\n", "\n"), notes), value


def _is_string(kind: str) -> bool:
    """Whether a value is a text: its type is none, or the class of strings, of whatever library."""
    return kind.partition(",")[0].strip() in ("", "System.String")


FORMAT = Resx()
